/**
 * A member who reveals a delivery's body, or sends it again, gives a person's data to the brand. The person's record
 * lists it as a read of the brand.
 */
import { recordAuditAlone } from "../audit/record.ts";
import type { Alongside } from "../brand/manage.ts";
import type { Caller, Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { findPersonOfLookup } from "../health/lookup-rows.ts";
import { findOneClick } from "../signup/one-click-rows.ts";
import { type DeliverySubject, type Revealed, revealDelivery } from "../webhook/inspect.ts";
import { replayDelivery } from "../webhook/replay.ts";

export async function revealToMember(
  deps: Deps,
  caller: Caller,
  uuid: string,
  alongside: Alongside,
): Promise<Revealed> {
  const record = (subject: DeliverySubject) => recordRead(deps, caller, subject);
  return await revealDelivery(deps, { brandUuid: caller.brand.uuid, uuid }, { alongside, record });
}

export async function replayForMember(deps: Deps, caller: Caller, uuid: string, alongside: Alongside): Promise<void> {
  const record = (subject: DeliverySubject) => recordRead(deps, caller, subject);
  await replayDelivery(deps, uuid, { alongside, record });
}

async function recordRead(
  deps: Deps,
  caller: Caller,
  { endpoint_uuid, subject_uuid: uuid, is_test }: DeliverySubject,
): Promise<void> {
  if (is_test) return;
  if (endpoint_uuid !== null) {
    const personUuid = await findPersonOfLookup(deps, uuid);
    const person = personUuid === null ? {} : { personUuid };
    return await recordAuditAlone(deps, caller, { action: "health.read", ...person, detail: { healthDataUuid: uuid } });
  }
  const oneClick = await findOneClick(deps, deps.db, caller, uuid);
  // The 1-Click has expired, but the sweep has not erased the delivery's body yet.
  if (oneClick === null) throw refuse(409, "The body has already been erased.");
  await recordAuditAlone(deps, caller, {
    action: "oneClick.read",
    personUuid: oneClick.personUuid,
    oneClickUuid: uuid,
    detail: { types: oneClick.facts.credentials.map((one) => one.request.type) },
  });
}
