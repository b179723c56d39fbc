/**
 * Runs an operation of `person-tables.ts`. It ends rows in other databases before the person's transaction, and again
 * after it, because a request may have run in between. A job repeats that a minute later, in case the process died.
 */
import { minuteMs } from "@countersign/contract/time";
import type { Reader, Trx } from "../../store/database.ts";
import { enqueue, type JobPayloads, type NewJob } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { answersAbout } from "../idempotency/answer.ts";
import { findPerson } from "../person.ts";
import { lockPersonOfPhone } from "../person-rows.ts";
import { endReceivers, publishEnded } from "../signup/events.ts";
import { listOneClicksOf } from "../signup/one-click-rows.ts";
import { lockVerificationsOf } from "../verification/verification-rows.ts";
import { hasAccountSession, lockSessionsOf } from "./account-session-rows.ts";
import { type PersonOperation, type PersonScopeElsewhere, tablesElsewhere, tablesInCell } from "./person-tables.ts";
import type { Account } from "./session.ts";
import type { VisibleBrands } from "./shown-brands.ts";
import { evidenceHash } from "./unlink.ts";

/** Delay of the job that ends rows in other databases once more, in milliseconds. */
const againMs = minuteMs;
/** The reason in the event that tells brands. A new holder ends nothing that a brand has received. */
const endReasons = { withdraw: "withdrawn", delete: "deleted", handOver: null } as const;
/** The word for all brands in a job's payload. */
const allBrands = "all";

/**
 * Ends a person's data after `decide`, which records the decision in the person's transaction or returns false if no
 * data is left there. Refuses with 401 if the person no longer has this phone, or has signed out the session that asks.
 * The operator has no session.
 */
export async function endPersonData<Decided>(
  deps: Deps,
  {
    operation,
    account,
    brands,
  }: {
    operation: PersonOperation;
    account: Pick<Account, "person" | "phone"> & { sessionUuid: string | null };
    brands: VisibleBrands;
  },
  decide: (trx: Trx) => Promise<Decided>,
): Promise<Decided> {
  const { environment, vault, clock } = deps;
  const { person, phone, sessionUuid } = account;
  const personUuid = person.uuid;
  const phoneIndex = vault.index("phone", environment, phone);
  const whose = { personUuid, brands, before: undefined };
  // Rows in other databases end first, so look at who asks before that. The lock below decides.
  if (!(await isAsker(deps, account))) throw notSignedIn();
  await endElsewhere(deps, operation, await scopeElsewhere(deps, deps.db, whose));
  const reason = endReasons[operation];
  const receivers = reason === null ? new Map() : await endReceivers(deps, { personUuid, brands });
  const { decided, elsewhere } = await deps.db.inTransaction(async (trx) => {
    // Texts and codes lock verifications before people. In the other order, a brand could cause deadlocks.
    await lockVerificationsOf(trx, personUuid);
    // A release in progress either is erased below, or fails because its proof is gone.
    const isTheirs = await lockPersonOfPhone(trx, { personUuid, index: phoneIndex });
    const sessions = await lockSessionsOf(trx, personUuid);
    // Another call was first, and has also ended this session.
    if (!isTheirs || !(sessionUuid === null || sessions.includes(sessionUuid))) throw notSignedIn();
    const elsewhere = await scopeElsewhere(deps, trx, whose);
    const decided = await decide(trx);
    if (decided === false) return { decided, elsewhere };
    const scope = {
      environment,
      personUuid,
      dataKeyUuid: person.dataKey.uuid,
      phoneIndex,
      evidenceHash: evidenceHash(deps, { personUuid, phone }),
      sessionUuid,
      brands,
      now: clock.now(),
    };
    for (const { [operation]: rule } of Object.values(tablesInCell))
      if (rule.kind === "erase") await rule.run(deps, trx, scope);
    // After the steps, which end the deliveries about the person.
    if (reason !== null) await publishEnded(deps, trx, receivers, { personUuid, reason });
    await enqueue(deps, trx, repeatJob(deps, operation, whose));
    return { decided, elsewhere };
  });
  await endElsewhere(deps, operation, elsewhere);
  return decided;
}

const notSignedIn = () => refuse(401, "You are not signed in.");

/** Whether the person still has this phone, and the session has not ended. */
async function isAsker(
  deps: Deps,
  { person, phone, sessionUuid }: Pick<Account, "person" | "phone"> & { sessionUuid: string | null },
): Promise<boolean> {
  const isTheirs = (await findPerson(deps, phone))?.uuid === person.uuid;
  return isTheirs && (sessionUuid === null || (await hasAccountSession(deps.db, sessionUuid)));
}

/** Whose data ends, of which brands (null: all), and only rows created before a time (undefined: all). */
type Whose = Pick<PersonScopeElsewhere, "personUuid" | "brands" | "before">;

function repeatJob({ environment, clock }: Deps, operation: PersonOperation, { personUuid, brands }: Whose): NewJob {
  const now = clock.now();
  const payload = { operation, personUuid, brands: brands === null ? allBrands : brands.join(), before: String(now) };
  const subject = Object.values(payload).join(" ");
  return { environment, name: "account.takeBack", subject, dueAt: now + againMs, payload };
}

/**
 * Job: ends rows in other databases once more, because the person's transaction does not include them. The person may
 * have shared with the brand again since, so only older rows end.
 */
export async function endElsewhereAgain(deps: Deps, payload: JobPayloads["account.takeBack"]): Promise<void> {
  const { operation, personUuid } = payload;
  const isAllBrands = payload.brands === allBrands;
  const brands = isAllBrands ? null : payload.brands.split(",").filter((uuid) => uuid !== "");
  // Rows may be in a cell that cannot be reached. `all()` then throws, so the job is retried.
  deps.cells.all();
  const before = isAllBrands ? undefined : Number(payload.before);
  await endElsewhere(deps, operation, await scopeElsewhere(deps, deps.db, { personUuid, brands, before }));
}

/** Collects what identifies the person's rows in other databases. */
async function scopeElsewhere(deps: Deps, reader: Reader, whose: Whose): Promise<PersonScopeElsewhere> {
  const { personUuid, brands, before } = whose;
  const answers = { ...(await answersAbout(reader, { personUuid, brands, now: deps.clock.now() })), before };
  return { ...whose, answers, oneClickUuids: await listOneClicksOf(reader, personUuid) };
}

async function endElsewhere(deps: Deps, operation: PersonOperation, scope: PersonScopeElsewhere): Promise<void> {
  for (const { [operation]: rule } of Object.values(tablesElsewhere))
    if (rule.kind === "erase") await rule.run(deps, scope);
}
