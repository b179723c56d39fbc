/**
 * Runs an operation of `person-tables.ts`. Rows of other databases than the person's end before the person's transaction.
 * They end again after it, because a request may have ended or begun in between, and a minute later, in case the process
 * was cut off.
 */
import type { Reader, Trx } from "../../store/database.ts";
import { enqueue, type JobPayloads, type NewJob } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { answersAbout } from "../idempotency/answer.ts";
import { lockPersonOfPhone } from "../person-rows.ts";
import { listOneClicksOf } from "../signup/one-click-rows.ts";
import { type EndingElsewhere, elsewhere, inCell, type PersonOperation } from "./person-tables.ts";
import type { Account } from "./session.ts";
import type { Shown } from "./shown-brands.ts";
import { evidenceHash } from "./unlink.ts";

/** When the job repeats what is done after the transaction. */
const againMs = 60_000;
/** How a job's payload names all brands. */
const allBrands = "all";

/**
 * `decide` runs in the person's transaction and records the decision. When this returns, no process can read what has
 * ended, and a repeated request creates nothing. Refuses with 401 if the person no longer has this phone.
 */
export async function takeBack<Decided>(
  deps: Deps,
  { operation, account, brands }: { operation: PersonOperation; account: Account; brands: Shown },
  decide: (trx: Trx) => Promise<Decided>,
): Promise<Decided> {
  const { environment, vault, clock } = deps;
  const { person, phone, sessionUuid } = account;
  const personUuid = person.uuid;
  const phoneIndex = vault.index("phone", environment, phone);
  const about = { personUuid, brands, before: undefined };
  await endElsewhere(deps, operation, await listElsewhere(deps, deps.db, about));
  const { decided, rows } = await deps.db.inTransaction(async (trx) => {
    // A release in progress either is erased below, or fails because its proof is gone.
    const isTheirs = await lockPersonOfPhone(trx, { personUuid, index: phoneIndex });
    // A concurrent call was faster and has ended this session, too.
    if (!isTheirs) throw refuse(401, "You are not signed in.");
    const rows = await listElsewhere(deps, trx, about);
    const decided = await decide(trx);
    const hash = evidenceHash(deps, { personUuid, phone });
    const of = {
      environment,
      personUuid,
      dataKeyUuid: person.dataKey.uuid,
      phoneIndex,
      evidenceHash: hash,
      sessionUuid,
    };
    const ending = { ...of, brands, now: clock.now() };
    for (const { [operation]: fate } of Object.values(inCell))
      if (typeof fate === "function") await fate(deps, trx, ending);
    await enqueue(deps, trx, repetition(deps, operation, about));
    return { decided, rows };
  });
  await endElsewhere(deps, operation, rows);
  return decided;
}

type Whose = Pick<EndingElsewhere, "personUuid" | "brands" | "before">;

function repetition({ environment, clock }: Deps, operation: PersonOperation, { personUuid, brands }: Whose): NewJob {
  const now = clock.now();
  const payload = { operation, personUuid, brands: brands === null ? allBrands : brands.join(), before: String(now) };
  const subject = Object.values(payload).join(" ");
  return { environment, name: "account.takeBack", subject, dueAt: now + againMs, payload };
}

/**
 * Job: ends rows of other databases once more, because they are not part of the person's transaction. A person who stays
 * may have shared with the brand again since, so only older rows count.
 */
export async function takeBackAgain(deps: Deps, asked: JobPayloads["account.takeBack"]): Promise<void> {
  const { operation = "delete", personUuid } = asked;
  const isOver = asked.brands === allBrands;
  const brands = isOver ? null : asked.brands.split(",").filter((uuid) => uuid !== "");
  // A cell that was away may still have answers or sessions. The job fails until none is away.
  deps.cells.all();
  const about = { personUuid, brands, before: isOver ? undefined : Number(asked.before) };
  await endElsewhere(deps, operation, await listElsewhere(deps, deps.db, about));
}

/** With what leads to the person's rows that are found by a key of their own. */
async function listElsewhere(deps: Deps, reader: Reader, about: Whose): Promise<EndingElsewhere> {
  const { personUuid, brands, before } = about;
  const answers = { ...(await answersAbout(reader, { personUuid, brands, now: deps.clock.now() })), before };
  return { ...about, answers, oneClickUuids: await listOneClicksOf(reader, personUuid) };
}

async function endElsewhere(deps: Deps, operation: PersonOperation, of: EndingElsewhere): Promise<void> {
  for (const { [operation]: fate } of Object.values(elsewhere)) if (typeof fate === "function") await fate(deps, of);
}
