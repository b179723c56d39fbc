import { type ConsentGiven, recordAudit, recordConsent } from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import { recordUse } from "../issuance/use.ts";
import { journeys } from "../journey.ts";
import { ensurePerson } from "../person.ts";
import type { Subject } from "./settle.ts";
import { oneClickLifeMs } from "./states.ts";
import { findOneClick, type OneClick, type OneClickFacts, saveOneClick } from "./store.ts";

/** Gives the data away: the row, the ground for it and the record of it are one transaction. */
export async function release(
  deps: Deps,
  caller: Caller,
  subject: Subject,
  given: { facts: OneClickFacts; consent: ConsentGiven },
): Promise<OneClick> {
  const { facts } = given;
  return await deps.db.transaction().execute(async (trx) => {
    if (journeys[subject.journey].answers === "later") {
      // Two answers to one question at once: the second finds what the first released.
      await trx.selectFrom("one_click").select("uuid").where("uuid", "=", subject.uuid).forUpdate().execute();
      const decided = await findOneClick(deps, trx, caller, subject.uuid);
      if (decided?.state === "released" || decided?.state === "declined") return decided;
    }
    const person = await ensurePerson(deps, trx, subject.phone);
    const expiresAt = deps.clock.now() + oneClickLifeMs;
    const saved = { ...subject, state: "released" as const, refusal: null, facts, expiresAt };
    await saveOneClick(deps, trx, caller, { ...saved, person });
    const about = { phone: subject.phone, personUuid: person.uuid, oneClickUuid: subject.uuid };
    await recordConsent(deps, trx, caller, { ...about, action: "share", given: given.consent });
    await recordUse(deps, trx, caller, { ...about, given: facts.credentials });
    await recordAudit(deps, trx, caller, {
      action: "oneClick.released",
      personUuid: person.uuid,
      oneClickUuid: subject.uuid,
      detail: { types: facts.credentials.map((one) => one.request.type) },
    });
    return {
      ...saved,
      personUuid: person.uuid,
      createdAt: deps.clock.now(),
      verificationUuid: subject.verificationUuid ?? null,
    };
  });
}
