/**
 * Takes away what brands can read about a person: one brand, all brands that are shown, or all brands. Stored answers and
 * sessions may be in other databases than the person, so they end before the person's transaction. They end again after
 * it, because a request may have ended or begun in between, and a minute later, in case the process was cut off.
 */
import type { Reader, Trx } from "../../store/database.ts";
import { enqueue, type JobPayloads, type NewJob } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";
import { eraseLookupsAbout } from "../health/lookup-rows.ts";
import { deleteSteps } from "../health/step-rows.ts";
import { answersAbout, endAnswers } from "../idempotency/answer.ts";
import type { AnswersAbout } from "../idempotency/idempotent-answer-rows.ts";
import { deleteArtifactsAbout } from "../openid/openid-artifact-rows.ts";
import { lockPerson } from "../person-rows.ts";
import { endSessions } from "../session/end.ts";
import { eraseOneClicks, listOneClicksOf } from "../signup/one-click-rows.ts";
import { eraseVerifications } from "../verification/erase.ts";
import { listVerificationsOf } from "../verification/verification-rows.ts";
import { endDeliveries } from "../webhook/delivery-rows.ts";
import type { Shown } from "./scope.ts";

type Whose = { personUuid: string; brands: Shown; before?: number | undefined };
type From = Whose & { dataKeyUuid: string };

/** When the job repeats what is done after the transaction. */
const againMs = 60_000;
/** How a job's payload names all brands. */
const allBrands = "all";

/**
 * Erases shares, lookups, their deliveries, stored answers, proofs of the phone and open pages. `decide` runs in the same
 * transaction and records the decision. When this returns, no process can read what was erased, and a repeated request
 * creates nothing.
 */
export async function takeBack<Decided>(
  deps: Deps,
  from: From,
  decide: (trx: Trx) => Promise<Decided>,
): Promise<Decided> {
  const { personUuid } = from;
  await endKeyed(deps, from, await listKeyed(deps, deps.db, from));
  const { decided, keyed, oneClickUuids } = await deps.db.inTransaction(async (trx) => {
    // A release in progress either is erased below, or fails because its proof is gone.
    await lockPerson(trx, personUuid);
    const keyed = await listKeyed(deps, trx, from);
    const oneClickUuids = await eraseAbout(deps, trx, from);
    await enqueue(deps, trx, repetition(deps, from));
    return { decided: await decide(trx), keyed, oneClickUuids };
  });
  await endKeyed(deps, from, keyed);
  await deleteArtifactsAbout(deps, oneClickUuids);
  return decided;
}

function repetition({ environment, clock }: Deps, { personUuid, brands }: Whose): NewJob {
  const now = clock.now();
  const payload = { personUuid, brands: brands === null ? allBrands : brands.join(), before: String(now) };
  const subject = Object.values(payload).join(" ");
  return { environment, name: "account.takeBack", subject, dueAt: now + againMs, payload };
}

/**
 * Job: ends answers and sessions once more, because they are not part of the person's transaction. A person who was not
 * deleted may have shared with the brand again since, so only older rows count.
 */
export async function takeBackAgain(deps: Deps, asked: JobPayloads["account.takeBack"]): Promise<void> {
  const isDeleted = asked.brands === allBrands;
  const brands = isDeleted ? null : asked.brands.split(",").filter((uuid) => uuid !== "");
  const from = { personUuid: asked.personUuid, brands, before: isDeleted ? undefined : Number(asked.before) };
  // A cell that was away may still have answers or sessions. The job fails until none is away.
  deps.cells.all();
  await endKeyed(deps, from, await listKeyed(deps, deps.db, from));
}

type Keyed = { answers: AnswersAbout; oneClickUuids: readonly string[] };

/** What leads to the person's rows that are found by a key of their own. */
async function listKeyed(deps: Deps, reader: Reader, { personUuid, brands, before }: Whose): Promise<Keyed> {
  const now = deps.clock.now();
  return {
    answers: { ...(await answersAbout(reader, { personUuid, brands, now })), before },
    oneClickUuids: await listOneClicksOf(reader, personUuid),
  };
}

async function endKeyed(
  deps: Deps,
  { personUuid, brands, before }: Whose,
  { answers, oneClickUuids }: Keyed,
): Promise<void> {
  await endAnswers(deps, answers);
  await endSessions(deps, { personUuid, brands, oneClickUuids, before });
}

/** Returns the uuids of the 1-Clicks. */
async function eraseAbout(deps: Deps, trx: Trx, { personUuid, dataKeyUuid, brands }: From): Promise<string[]> {
  const now = deps.clock.now();
  const oneClicks = await eraseOneClicks(trx, { personUuid, brands }, now);
  const lookupUuids = await eraseLookupsAbout(trx, { personUuid, brands, now });
  const subjects = [...oneClicks.map(({ uuid }) => uuid), ...lookupUuids];
  await deleteSteps(trx, lookupUuids);
  await endDeliveries(trx, { dataKeyUuid, subjectUuids: subjects, brands }, now);
  await eraseVerifications(trx, await listVerificationsOf(trx, personUuid, brands));
  return oneClicks.map(({ uuid }) => uuid);
}
