import { recordAudit } from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import { refusalOf } from "./refusal.ts";
import { repeatedRefusals } from "./states.ts";
import { findOneClick, type OneClick } from "./store.ts";

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A brand reads its 1-Click. Whatever it may not see is one and the same OCE015; each read is recorded. */
export async function readOneClick(deps: Deps, caller: Caller, uuid: string): Promise<OneClick> {
  if (!uuidPattern.test(uuid)) throw fail("OCE015", {});
  return await deps.db.transaction().execute(async (trx) => {
    const oneClick = await findOneClick(deps, trx, caller, uuid);
    if (oneClick === null) throw fail("OCE015", {});
    const refusal = repeatedRefusals.find((code) => code === oneClick.refusal);
    if (oneClick.state === "refused" && refusal !== undefined) {
      throw refusalOf(caller.brand, refusal, oneClick.facts, oneClick.phoneMethod);
    }
    if (oneClick.state !== "released" && oneClick.state !== "declined") throw fail("OCE015", {});
    await recordAudit(deps, trx, caller, {
      action: "oneClick.read",
      personUuid: oneClick.personUuid,
      oneClickUuid: uuid,
      detail: { types: oneClick.facts.credentials.map((one) => one.request.type) },
    });
    return oneClick;
  });
}
