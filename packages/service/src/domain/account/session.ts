/** Sessions of a person's own page. They end after 15 minutes without use, and after eight hours at the latest. */
import { hourMs, minuteMs } from "@countersign/contract/time";
import type { Trx } from "../../store/database.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import type { Person } from "../person.ts";
import type { Phone } from "../ports.ts";
import { randomToken } from "../token.ts";
import {
  deleteAccountSessions,
  deleteAccountSessionsOf,
  deleteByToken,
  findAccountSession,
  insertAccountSession,
  listAccountSessions,
  lockAccountSession,
  type StoredDevice,
  setUsedAt,
} from "./account-session-rows.ts";
import { shownBrands, type VisibleBrands } from "./shown-brands.ts";

const accountIdleMs = 15 * minuteMs;
export const accountSessionMs = 8 * hourMs;
/** How long full values are shown after the person confirmed their birthday. */
export const provenMs = 10 * minuteMs;
/** Minimum time between two updates of the last use. */
const usedAtStepMs = 30_000;

/** The person who is signed in, and what they may see. */
export type Account = {
  sessionUuid: string;
  person: Person;
  phone: Phone;
  fixed: boolean;
  customerUuid: string | null;
  shown: VisibleBrands;
  /** When full values stop being shown. Null: they are masked. */
  provenUntil: number | null;
  /** How often the person had hidden the values when the session was read. */
  hides: number;
  device: string;
  requestId: string;
};
type Opening = { person: Person; phone: Phone; customerUuid: string | null; device: string };

/** Opens a session and returns the token for its cookie. */
export async function openAccountSession(deps: Deps, trx: Trx, input: Opening): Promise<string> {
  const uuid = deps.random.uuid();
  const token = randomToken(deps.random);
  const now = deps.clock.now();
  const expiresAt = now + accountSessionMs;
  await insertAccountSession(deps, trx, { ...input, uuid, token, expiresAt });
  return token;
}

/** The account of a token's session. Refuses with 401 if there is no such session or it has ended. */
export async function findAccount(
  deps: Deps,
  { token, requestId }: { token: string; requestId: string },
): Promise<Account> {
  const now = deps.clock.now();
  const session = await findAccountSession(deps, token, now - accountIdleMs);
  if (session === null) throw refuse(401, "You are not signed in.");
  const { uuid, person, phone, customerUuid, device, provenUntil } = session;
  if (session.usedAt <= now - usedAtStepMs) await setUsedAt(deps, uuid, now);
  return {
    sessionUuid: uuid,
    person,
    phone,
    fixed: deps.phones.isFixed(phone),
    customerUuid,
    shown: await shownBrands(deps, { phone, customerUuid }),
    provenUntil: provenUntil !== null && provenUntil > now ? provenUntil : null,
    hides: session.hides,
    device,
    requestId,
  };
}

/**
 * Refuses if the person has signed this device out since its call began. Until the transaction ends, nobody can sign it
 * out.
 */
export async function requireSignedIn(trx: Trx, sessionUuid: string): Promise<void> {
  if (!(await lockAccountSession(trx, sessionUuid))) throw refuse(401, "You are not signed in.");
}

/** What a page calls the account of a person. It reveals no id. */
export function accountName({ vault, environment }: Pick<Deps, "vault" | "environment">, { person }: Account): string {
  return vault.keyedHash(`account|${environment}`, person.uuid).toString("base64url");
}

/** Refuses a call of a page that shows another person than the one who is signed in. */
export function requireShown(deps: Deps, account: Account, shown: string | null): void {
  if (shown !== accountName(deps, account)) throw refuse(409, "Another person is signed in in this browser.");
}

/** Refuses if the person has not confirmed their birthday. */
export function requireProven({ provenUntil }: Account): void {
  if (provenUntil === null) throw refuse(403, "Confirm the birthday first.");
}

export type AccountDevice = StoredDevice & { current: boolean };

/**
 * The person's open sessions, newest first. Anyone can sign in as a fixed test person, so those see only their own
 * session.
 */
export async function listDevices(deps: Deps, account: Account): Promise<AccountDevice[]> {
  const stored = await listAccountSessions(deps, account.person.uuid, deps.clock.now() - accountIdleMs);
  return stored
    .map((one) => ({ ...one, current: one.uuid === account.sessionUuid }))
    .filter(({ current }) => current || !account.fixed);
}

/** Signs out this device, one other device, or all others. */
export async function signOutDevices(
  deps: Deps,
  account: Account,
  which: { uuid: string } | "this" | "others",
): Promise<void> {
  const own = await listDevices(deps, account);
  const ended = own.filter((one) =>
    typeof which === "string" ? one.current === (which === "this") : one.uuid === which.uuid.toLowerCase(),
  );
  // Only a named session can be unknown. Repeating `this` or `others` succeeds.
  if (typeof which === "object" && ended.length === 0) throw refuse(404, "No such session.");
  await deleteAccountSessions(
    deps,
    ended.map(({ uuid }) => uuid),
  );
}

/** Ends the session that this browser had before a new sign-in. An unknown token ends nothing. */
export async function endFormerSession(deps: Pick<Deps, "db" | "environment">, token: string): Promise<void> {
  await deleteByToken(deps, token);
}

/** Signs a person out of their own page everywhere, for the operator. Returns the number of ended sessions. */
export async function endSessionsOfPerson(
  { db, environment }: Pick<Deps, "db" | "environment">,
  personUuid: string,
): Promise<number> {
  return await deleteAccountSessionsOf(db, { personUuid, environment });
}
