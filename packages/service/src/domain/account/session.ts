/** Sessions of a person's own page. They end after 15 minutes without use, and after eight hours at the latest. */
import type { Trx } from "../../store/database.ts";
import { enqueue } from "../../store/queue.ts";
import { placeOf } from "../../store/seal.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import type { Person } from "../person.ts";
import type { Phone } from "../ports.ts";
import { randomWord, wordHash } from "../token.ts";
import { type Shown, shownBrands } from "./scope.ts";

export const accountIdleMs = 15 * 60_000;
export const accountSessionMs = 8 * 60 * 60_000;
/** How long values are shown after the person proved who they are. */
export const provenMs = 10 * 60_000;
/** Length of a token: 43 letters and digits, 256 bits. */
const tokenLength = 43;
/** The time of use is saved at most this often, milliseconds. */
const noteMs = 30_000;

/** The person who is signed in, and what they may see. */
export type Account = {
  sessionUuid: string;
  person: Person;
  phone: Phone;
  fixed: boolean;
  customerUuid: string | null;
  shown: Shown;
  /** Until when values are shown in full. Null while they are masked. */
  provenUntil: number | null;
  device: string;
  requestId: string;
};
type Opening = { person: Person; phone: Phone; customerUuid: string | null; device: string };

/** Opens a session. Returns the token for the cookie. */
export async function openAccountSession(deps: Deps, trx: Trx, what: Opening): Promise<string> {
  const uuid = deps.random.uuid();
  const token = randomWord(deps.random, tokenLength);
  const now = deps.clock.now();
  await trx
    .insertInto("account_session")
    .values({
      uuid,
      environment: deps.environment,
      person_uuid: what.person.uuid,
      customer_uuid: what.customerUuid,
      token_hash: wordHash(token),
      sealed: deps.vault.seal(what.person.dataKey, placeOf("account_session", uuid), { phone: what.phone }),
      device: what.device,
      created_at: now,
      used_at: now,
      expires_at: now + accountSessionMs,
      proven_until: null,
    })
    .execute();
  const payload = { sessionUuid: uuid };
  const dueAt = now + accountSessionMs;
  await enqueue(trx, { environment: deps.environment, name: "account.eraseSession", subject: uuid, dueAt, payload });
  return token;
}

/** The account of a session token. Throws 401 if the session has ended. */
export async function findAccount(
  deps: Deps,
  { token, requestId }: { token: string; requestId: string },
): Promise<Account> {
  const now = deps.clock.now();
  const row = await deps.db
    .selectFrom("account_session")
    .innerJoin("person", "person.uuid", "account_session.person_uuid")
    .innerJoin("data_key", "data_key.uuid", "person.data_key_uuid")
    .selectAll("account_session")
    .select(["person.data_key_uuid", "data_key.wrapped"])
    .where("token_hash", "=", wordHash(token))
    .where("account_session.environment", "=", deps.environment)
    .where("expires_at", ">", now)
    .where("used_at", ">", now - accountIdleMs)
    .executeTakeFirst();
  if (row === undefined || row.wrapped === null) throw refuse(401, "Nobody is signed in.");
  if (row.used_at <= now - noteMs)
    await deps.db.updateTable("account_session").set({ used_at: now }).where("uuid", "=", row.uuid).execute();
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  const { phone } = deps.vault.open<{ phone: Phone }>(dataKey, placeOf("account_session", row.uuid), row.sealed);
  return {
    sessionUuid: row.uuid,
    person: { uuid: row.person_uuid, dataKey },
    phone,
    fixed: deps.phones.isFixed(phone),
    customerUuid: row.customer_uuid,
    shown: await shownBrands(deps, { phone, customerUuid: row.customer_uuid }),
    provenUntil: row.proven_until !== null && row.proven_until > now ? row.proven_until : null,
    device: row.device,
    requestId,
  };
}

/** Throws 403 unless the person has proven more than the phone. */
export function requireProven({ provenUntil }: Account): void {
  if (provenUntil === null) throw refuse(403, "This needs the birthday or the last four digits of the SSN first.");
}

export type AccountDevice = { uuid: string; device: string; createdAt: number; usedAt: number; current: boolean };

/**
 * The person's open sessions, newest first. All customers share a fixed test person, so only the caller's own session is
 * listed for one.
 */
export async function listDevices(deps: Deps, account: Account): Promise<AccountDevice[]> {
  const now = deps.clock.now();
  const rows = await deps.db
    .selectFrom("account_session")
    .select(["uuid", "device", "created_at", "used_at"])
    .where("person_uuid", "=", account.person.uuid)
    .where("expires_at", ">", now)
    .where("used_at", ">", now - accountIdleMs)
    .orderBy("created_at", "desc")
    .orderBy("uuid")
    .execute();
  return rows
    .map((row) => ({
      uuid: row.uuid,
      device: row.device,
      createdAt: row.created_at,
      usedAt: row.used_at,
      current: row.uuid === account.sessionUuid,
    }))
    .filter(({ current }) => current || !account.fixed);
}

/** Signs out one device, or all devices but this one. */
export async function endSessions(
  deps: Deps,
  account: Account,
  which: { uuid: string } | "this" | "others",
): Promise<void> {
  const own = await listDevices(deps, account);
  const ended = own.filter((one) =>
    typeof which === "string" ? one.current === (which === "this") : one.uuid === which.uuid.toLowerCase(),
  );
  // The sign-out succeeds even if another call has already ended the session.
  if (typeof which === "object" && ended.length === 0) throw refuse(404, "There is no such session.");
  for (const { uuid } of ended) await deps.db.deleteFrom("account_session").where("uuid", "=", uuid).execute();
}

/** Ends the browser's earlier session when someone signs in. An unknown token ends nothing. */
export async function endFormerSession({ db, environment }: Pick<Deps, "db" | "environment">, token: string) {
  await db
    .deleteFrom("account_session")
    .where("token_hash", "=", wordHash(token))
    .where("environment", "=", environment)
    .execute();
}

/** The operator's command: signs a person out everywhere. Returns how many sessions ended. */
export async function endSessionsOfPerson(
  { db, environment }: Pick<Deps, "db" | "environment">,
  personUuid: string,
): Promise<number> {
  const ended = await db
    .deleteFrom("account_session")
    .where("person_uuid", "=", personUuid)
    .where("environment", "=", environment)
    .executeTakeFirst();
  return Number(ended.numDeletedRows);
}

/** Job: deletes a session after its eight hours. */
export async function eraseAccountSession(deps: Deps, { sessionUuid }: { sessionUuid: string }): Promise<void> {
  await deps.db
    .deleteFrom("account_session")
    .where("uuid", "=", sessionUuid)
    .where("expires_at", "<=", deps.clock.now())
    .execute();
}
