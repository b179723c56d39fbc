import { sql } from "kysely";
import { batched } from "../../store/batch.ts";
import type { Reader, Trx } from "../../store/database.ts";
import { type Placeholders, statement } from "../../store/statement.ts";
import type { DataKey } from "../../store/vault.ts";
import {
  auditColumnsOf,
  auditRow,
  type ConsentGiven,
  consentColumnsOf,
  consentRow,
  insertAudits,
  insertConsents,
} from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import { recordUse, usedOf } from "../issuance/use.ts";
import { journeys } from "../journey.ts";
import { ensurePerson, findPerson, type Person } from "../person.ts";
import { queueDelivery } from "../webhook/publish.ts";
import { entityOf } from "./entity.ts";
import { throwRefusal } from "./refusal.ts";
import type { Subject } from "./settle.ts";
import { oneClickLifeMs } from "./states.ts";
import { findOneClick, type OneClick, type OneClickFacts, rowsOf, type Saved, savedOf, withSaved } from "./store.ts";

/** Releases the data to the brand. One statement saves the 1-Click, the consent and the audit record. */
export async function release(
  deps: Deps,
  caller: Caller,
  subject: Subject,
  given: { facts: OneClickFacts; consent: ConsentGiven },
): Promise<OneClick> {
  const { answers, pushed } = journeys[subject.journey];
  const standsAlone = answers === "now" && !pushed && usedOf(deps, caller, given.facts.credentials).length === 0;
  const known = standsAlone ? await findPerson(deps, subject.phone) : null;
  if (known !== null) {
    const { rows, oneClick } = released(deps, caller, subject, { ...given, person: known });
    if (!(await saveTogether(deps, rows))) return await ended(deps, deps.db, caller, subject.uuid);
    return oneClick;
  }
  return await deps.db.inTransaction(async (trx) => {
    if (answers === "later") {
      // Lock the row: if two calls release at once, the second one finds what the first one released.
      await trx.selectFrom("one_click").select("uuid").where("uuid", "=", subject.uuid).forUpdate().execute();
      const decided = await findOneClick(deps, trx, caller, subject.uuid);
      if (decided === null) throw fail("OCE015", {});
      throwRefusal(caller, decided);
      if (decided.state === "released" || decided.state === "declined") return decided;
    }
    const person = await ensurePerson(deps, trx, subject.phone);
    const { rows, oneClick } = released(deps, caller, subject, { ...given, person });
    const [isSaved] = await save(trx, [rows]);
    if (isSaved !== true) return await ended(deps, trx, caller, subject.uuid);
    const about = { personUuid: person.uuid, oneClickUuid: subject.uuid };
    await recordUse(deps, trx, caller, { ...about, given: given.facts.credentials });
    await push(deps, trx, caller, { subject, facts: given.facts, dataKey: person.dataKey });
    return oneClick;
  });
}

/** Throws the error of a 1-Click that ended while its sources were asked. */
async function ended(deps: Deps, reader: Reader, caller: Caller, uuid: string): Promise<never> {
  const now = await findOneClick(deps, reader, caller, uuid);
  if (now !== null) throwRefusal(caller, now);
  throw fail("OCE015", {});
}

type Released = { facts: OneClickFacts; consent: ConsentGiven; person: Person };

/** All rows of a release, and the resulting 1-Click. */
function released(deps: Deps, caller: Caller, subject: Subject, { facts, consent, person }: Released) {
  const now = deps.clock.now();
  const saved = { ...subject, state: "released" as const, refusal: null, facts, expiresAt: now + oneClickLifeMs };
  const about = { personUuid: person.uuid, oneClickUuid: subject.uuid };
  const share = consentRow(deps, caller, { ...about, phone: subject.phone, action: "share", given: consent });
  const detail = {
    types: facts.credentials.map((one) => one.request.type),
    consent: share.uuid,
    word: wordOf(caller, facts),
  };
  return {
    rows: {
      ...rowsOf(deps, caller, { ...saved, person }),
      consent: share,
      audit: auditRow(deps, caller, { ...about, action: "oneClick.released", detail }),
    },
    oneClick: {
      ...saved,
      personUuid: person.uuid,
      createdAt: now,
      verificationUuid: subject.verificationUuid ?? null,
    },
  };
}

type Rows = ReturnType<typeof released>["rows"];

/**
 * Saves releases and returns whether each was saved. A release is not saved if its 1-Click ended, or its proof was
 * lost, while the sources were asked.
 */
async function save(reader: Reader, all: readonly Rows[]): Promise<boolean[]> {
  const { rows } = await saveStatement(reader, {
    ...savedOf(all, "released"),
    ...consentColumnsOf(all.map(({ consent }) => consent)),
    ...auditColumnsOf(all.map(({ audit }) => audit)),
  });
  const saved = new Set(rows.map(({ uuid }) => uuid));
  return all.map(({ row }) => saved.has(row.uuid));
}

/**
 * The verification must still be verified. It no longer is once the person takes it back or the number gets a new
 * holder.
 */
const isProven = sql`verification_uuid is null or (
  select status from verification where verification.uuid = verification_uuid) = 'verified'`;
const isSaved = sql`one_click_uuid in (select uuid from saved)`;
const saveStatement = statement((db, columns: Placeholders<Saved>) =>
  withSaved(db, columns, isProven)
    .with("agreed", (cte) => insertConsents(cte, columns, isSaved))
    .with("noted", (cte) => insertAudits(cte, columns, isSaved))
    .selectFrom("saved")
    .select("uuid"),
);

/** Calls made at the same moment are batched. */
const saveTogether = batched(({ db }: Deps, all: readonly Rows[]) => save(db, all));

/** The word after "1-Click" that names its purpose, such as "Signup". */
export function wordOf({ brand }: Caller, { page }: Pick<OneClickFacts, "page">): string {
  return page?.title ?? brand.settings.styling.oneClickWord;
}

type Pushed = { subject: Subject; facts: OneClickFacts; dataKey: DataKey };

/**
 * Queues the released data for the receiver in the brand's settings, if the journey pushes data. The payload equals the
 * result of a read.
 */
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
