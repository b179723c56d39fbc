/**
 * A member who reveals a delivery's body, or sends it again, gives a person's data to the brand. The person's record
 * lists it as a read of the brand.
 */
import type { MemberActor } from "../audit/account-audit-rows.ts";
import { recordAuditAlone } from "../audit/record.ts";
import type { Brand, Caller, Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { findPersonOfLookup } from "../health/lookup-rows.ts";
import { findOneClick } from "../signup/one-click-rows.ts";
import { type DeliverySubject, type Revealed, revealDelivery } from "../webhook/inspect.ts";
import { healthLookupEvent } from "../webhook/publish.ts";
import { replayDelivery } from "../webhook/replay.ts";

export async function revealToMember(deps: Deps, brand: Brand, by: MemberActor, uuid: string): Promise<Revealed> {
  const record = (subject: DeliverySubject) => recordRead(deps, callerOf(brand, by), subject);
  return await revealDelivery(deps, { brandUuid: brand.uuid, uuid }, { by, record });
}

export async function replayForMember(deps: Deps, brand: Brand, by: MemberActor, uuid: string): Promise<void> {
  const record = (subject: DeliverySubject) => recordRead(deps, callerOf(brand, by), subject);
  await replayDelivery(deps, uuid, { by, record });
}

function callerOf(brand: Brand, { requestId }: MemberActor): Caller {
  return { brand, apiKeyUuid: null, requestId };
}

async function recordRead(
  deps: Deps,
  caller: Caller,
  { event, subject_uuid: uuid, is_test }: DeliverySubject,
): Promise<void> {
  // Events about signups have no data of the person.
  if (is_test || event.startsWith("1-click.signup.")) return;
  if (event === healthLookupEvent) {
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
