/**
 * Sign-in without a passkey. An unknown email address gets the same answer and the same attempts as a known one, but no
 * email is sent and every code is wrong.
 */
import { hourMs, minuteMs } from "@countersign/contract/time";
import type { HomeTrx } from "../../store/database.ts";
import { operatorOn, recordChange } from "../audit/account-audit-rows.ts";
import { readPasskeyPolicy } from "../brand/customer-rows.ts";
import type { AccountDeps } from "../deps.ts";
import { invalid, refuse } from "../failure.ts";
import {
  codeAttemptsMax,
  compareCode,
  consumeMailCode,
  countMailAttempt,
  mailCodeLifeMs,
  makeMailCode,
} from "../one-time-code.ts";
import { randomToken, tokenHash } from "../token.ts";
import { post, write } from "./mail.ts";
import {
  findByEmail,
  findMember,
  lockAddress,
  lockMember,
  type Member,
  memberEmailIndex,
  setJoined,
} from "./member-rows.ts";
import type { SignInMethod } from "./member-session-rows.ts";
import { hasPasskey } from "./passkey-rows.ts";
import { openSession } from "./session.ts";
import {
  countSignIns,
  deleteLinksOf,
  deleteSignInsBefore,
  findLink,
  insertSignIn,
  lockSignInsOf,
  takeLink,
} from "./sign-in-rows.ts";

/** How long an expired code or link is kept for counting, in milliseconds. */
export const signInKeptMs = 24 * hourMs;
/** Maximum sign-ins by code per email address and hour. That allows thirty guesses at a million codes. */
const signInsPerHourMax = 10;
/** Lifetime of a link that the command line or the startup prints, in milliseconds. */
export const linkLifeMs = 15 * minuteMs;
/** Result of a sign-in. `taken`: the email address is already a member of another account. */
export type Entered =
  | { kind: "signedIn"; token: string }
  | { kind: "wrong"; attemptsRemaining: number }
  | { kind: "over" }
  /** The account requires a passkey, and this member has one. */
  | { kind: "passkeyNeeded" }
  | { kind: "taken" };
/** The request's id, and the device name for the list of sessions. */
export type From = { requestId: string; device: string };

/** Begins a sign-in by code. The code is sent only if the email address is a member's. */
export async function beginByEmail(deps: AccountDeps, email: string): Promise<{ uuid: string; expiresAt: number }> {
  const now = deps.clock.now();
  const member = await findByEmail(deps, deps.home, { email, joined: true });
  const uuid = deps.random.uuid();
  const expiresAt = now + mailCodeLifeMs;
  const { code, hash } = makeMailCode(deps, uuid);
  const written = await deps.home.inTransaction(async (trx) => {
    const index = memberEmailIndex(deps, email);
    await assertFewSignIns(trx, index, now);
    await Promise.all([
      deleteSignInsBefore(trx, now - signInKeptMs),
      insertSignIn(trx, { uuid, memberUuid: member?.uuid ?? null, emailIndex: index, keyedHash: hash, now, expiresAt }),
    ]);
    return member === null ? null : await write(deps, trx, member, codeMail(deps, code.forText()));
  });
  // Do not wait for the mail server: its timing and failures would reveal whether the address is a member's. The mail
  // sender logs failures, and the member can ask for another code.
  if (written !== null) post(deps, written).catch(() => {});
  return { uuid, expiresAt };
}

/** Locks the address, so parallel requests are counted one by one. */
async function assertFewSignIns(trx: HomeTrx, index: Buffer, now: number): Promise<void> {
  await lockSignInsOf(trx, index);
  if ((await countSignIns(trx, index, now - hourMs)) < signInsPerHourMax) return;
  throw refuse(429, "Too many codes were requested for this address. Try again in an hour, or use a passkey.", {
    "retry-after": String(hourMs / 1000),
  });
}

function codeMail({ addresses }: AccountDeps, code: string) {
  return {
    subject: "Your code to sign in to Countersign",
    body: `${code} is your code to sign in at ${addresses.dashboardUrl}.\n\nIt expires in 10 minutes. Countersign will never ask you for it. If you did not request it, ignore this email: nobody can sign in without the code.`,
  };
}

export async function enterByCode(
  deps: AccountDeps,
  typed: { uuid: string; code: string },
  from: From,
): Promise<Entered> {
  const now = deps.clock.now();
  const counted = await countMailAttempt(deps.home, typed.uuid, now);
  if (counted === null) return { kind: "over" };
  const wrong = { kind: "wrong" as const, attemptsRemaining: codeAttemptsMax - counted.attemptsUsed };
  const { hash, memberUuid } = counted;
  if (!compareCode(deps, typed.uuid, typed.code, hash) || memberUuid === null) return wrong;
  return await deps.home.inTransaction(async (trx) => {
    const useProof = async () => (await consumeMailCode(trx, typed.uuid, hash, now)) !== null;
    return (await enter(deps, trx, { memberUuid, method: "code", from, useProof })) ?? wrong;
  });
}

/**
 * Makes a link that signs a member in once. The link is used up by a button on its page, so scanners that open links
 * cannot use it up.
 */
export async function makeSignInLink(
  deps: AccountDeps,
  trx: HomeTrx,
  options: { memberUuid: string; lifeMs: number },
): Promise<string> {
  const token = randomToken(deps.random);
  const now = deps.clock.now();
  const { memberUuid, lifeMs } = options;
  const linkHash = tokenHash(token);
  await insertSignIn(trx, { uuid: deps.random.uuid(), memberUuid, linkHash, now, expiresAt: now + lifeMs });
  // Browsers never send the fragment, so the secret reaches no server, proxy or referrer.
  return `${deps.addresses.dashboardUrl}/sign-in#${token}`;
}

/** Makes a link for a member or an invited person. */
export async function linkFor(deps: AccountDeps, email: string): Promise<string> {
  const member =
    (await findByEmail(deps, deps.home, { email, joined: true })) ??
    (await findByEmail(deps, deps.home, { email, joined: false }));
  if (member === null) throw invalid([{ path: "--email", message: "is not a member's email address" }]);
  const { uuid, customerUuid } = member;
  return await deps.home.inTransaction(async (trx) => {
    await recordChange(deps, trx, operatorOn(deps, customerUuid), { action: "link.created", aboutMember: uuid });
    return await makeSignInLink(deps, trx, { memberUuid: uuid, lifeMs: linkLifeMs });
  });
}

/** The member that a link is for, without using the link. */
export async function readSignInLink(deps: AccountDeps, token: string): Promise<Member | null> {
  const memberUuid = await findLink(deps.home, tokenHash(token), deps.clock.now());
  return memberUuid === null ? null : await findMember(deps, deps.home, memberUuid);
}

/** Uses a link. An invitation's link also accepts the invitation, because it proves access to the mailbox. */
export async function enterByLink(deps: AccountDeps, token: string, from: From): Promise<Entered> {
  const known = await readSignInLink(deps, token);
  if (known === null) return { kind: "over" };
  return await deps.home.inTransaction(async (trx): Promise<Entered> => {
    await lockAddress(deps, trx, known.email);
    const holder = await findByEmail(deps, trx, { email: known.email, joined: true });
    if (known.joinedAt === null && holder !== null && holder.uuid !== known.uuid) return { kind: "taken" };
    const useProof = async (member: Member) => {
      if ((await takeLink(trx, tokenHash(token), deps.clock.now())) === null) return false;
      if (member.joinedAt === null) await join(deps, trx, member, from);
      return true;
    };
    return (await enter(deps, trx, { memberUuid: known.uuid, method: "link", from, useProof })) ?? { kind: "over" };
  });
}

async function join(deps: AccountDeps, trx: HomeTrx, member: Member, from: From): Promise<void> {
  await Promise.all([
    setJoined(trx, member.uuid, deps.clock.now()),
    // An earlier link in the mailbox would still sign in, and could add a passkey.
    deleteLinksOf(trx, member.uuid),
    recordChange(deps, trx, { member, sessionUuid: null, requestId: from.requestId }, { action: "member.joined" }),
  ]);
}

/**
 * `useProof` uses up what proves who the person is, and returns false if it no longer works. It runs while the member
 * is locked, because access that ends at the same time must not leave a session.
 */
type Entering = {
  memberUuid: string;
  method: SignInMethod;
  from: From;
  useProof(member: Member): boolean | Promise<boolean>;
};

/** Opens a session for a person who proved to be this member. Null if the member or the proof is gone. */
export async function enter(
  deps: AccountDeps,
  trx: HomeTrx,
  { memberUuid, method, from, useProof }: Entering,
): Promise<Entered | null> {
  await lockMember(trx, memberUuid);
  const member = await findMember(deps, trx, memberUuid);
  if (member === null || !(await useProof(member))) return null;
  // A member who lost their passkeys can still use the operator's link.
  const isWeaker = method === "code" || method === "openid";
  if (isWeaker && (await readPasskeyPolicy(trx, member.customerUuid)) && (await hasPasskey(trx, member.uuid)))
    return { kind: "passkeyNeeded" };
  const token = await openSession(deps, trx, { memberUuid: member.uuid, method, device: from.device });
  await recordChange(
    deps,
    trx,
    { member, sessionUuid: null, requestId: from.requestId },
    { action: "member.signedIn", subject: `${method}, ${from.device}` },
  );
  return { kind: "signedIn", token };
}
