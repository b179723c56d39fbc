import type { Trx } from "../../store/database.ts";
import type { DataKey } from "../../store/vault.ts";
import { type ConsentGiven, recordAudit, recordConsent } from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import { recordUse } from "../issuance/use.ts";
import { journeys } from "../journey.ts";
import { ensurePerson } from "../person.ts";
import { queueDelivery } from "../webhook/publish.ts";
import { entityOf } from "./entity.ts";
import { throwRefusal } from "./refusal.ts";
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
      if (decided === null) throw fail("OCE015", {});
      throwRefusal(caller, decided);
      if (decided.state === "released" || decided.state === "declined") return decided;
    }
    const person = await ensurePerson(deps, trx, subject.phone);
    const expiresAt = deps.clock.now() + oneClickLifeMs;
    const saved = { ...subject, state: "released" as const, refusal: null, facts, expiresAt };
    await saveOneClick(deps, trx, caller, { ...saved, person });
    const about = { phone: subject.phone, personUuid: person.uuid, oneClickUuid: subject.uuid };
    const consent = await recordConsent(deps, trx, caller, { ...about, action: "share", given: given.consent });
    await recordUse(deps, trx, caller, { ...about, given: facts.credentials });
    await recordAudit(deps, trx, caller, {
      action: "oneClick.released",
      personUuid: person.uuid,
      oneClickUuid: subject.uuid,
      detail: { types: facts.credentials.map((one) => one.request.type), consent, word: wordOf(caller, facts) },
    });
    await push(deps, trx, caller, { subject, facts, dataKey: person.dataKey });
    return {
      ...saved,
      personUuid: person.uuid,
      createdAt: deps.clock.now(),
      verificationUuid: subject.verificationUuid ?? null,
    };
  });
}

/** The word after "1-Click", which says what it was for. */
export function wordOf({ brand }: Caller, { page }: Pick<OneClickFacts, "page">): string {
  return page?.title ?? brand.settings.styling.oneClickWord;
}

type Pushed = { subject: Subject; facts: OneClickFacts; dataKey: DataKey };

/** Queues the data for the receiver that the brand's settings name, if the journey has one: what a read would answer. */
async function push(deps: Deps, trx: Trx, { brand }: Caller, { subject, facts, dataKey }: Pushed): Promise<void> {
  if (!journeys[subject.journey].pushed || brand.settings.v1.push === null) return;
  const entity = entityOf(brand, { facts, phoneMethod: subject.phoneMethod, state: "released" });
  await queueDelivery(deps, trx, {
    brandUuid: brand.uuid,
    endpointUuid: null,
    event: "user.credentials.push",
    subjectUuid: subject.uuid,
    dataKey,
    body: {
      type: "user.credentials.push",
      timestamp: new Date(deps.clock.now()).toISOString(),
      data: { uuid: subject.uuid, ...entity },
    },
  });
  deps.wakeJobs();
}
