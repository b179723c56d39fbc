/** Sign-in to the console: by passkey, by the OpenID provider, or by an invitation's link. */
import { hourMs, minuteMs } from "@countersign/contract/time";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { HomeTrx } from "../../store/database.ts";
import { operatorOn, recordChange } from "../audit/account-audit-rows.ts";
import type { AccountDeps } from "../deps.ts";
import { invalid, refuse } from "../failure.ts";
import { beginAtProvider, finishAtProvider, type OpenIdRefusal } from "../member/openid.ts";
import { insertChallenge, takeChallenge } from "../member/passkey-rows.ts";
import { randomToken, tokenHash, tokenLength } from "../token.ts";
import {
  checkSignature,
  type NewPasskeyRequest,
  newPasskeyOptions,
  type PasskeySignInRequest,
  passkeySignInOptions,
  readNewPasskey,
} from "../webauthn.ts";
import {
  type ConsoleOperator,
  deleteOperatorSession,
  findOperator,
  findOperatorByEmail,
  findOperatorPasskey,
  findOperatorSessionRow,
  insertOperatorPasskey,
  insertOperatorSession,
  listOperatorPasskeys,
  lockOperator,
  noteOperatorPasskeyUse,
  noteOperatorUse,
  type OperatorSignInMethod,
  setOperatorSessionPasskey,
  takeOperatorLink,
} from "./operator-rows.ts";
import type { OperatorDeps } from "./operators.ts";

/** A session ends after this long without a request, and in any case after `operatorSessionMs`. */
export const operatorIdleMs = 30 * minuteMs;
export const operatorSessionMs = 8 * hourMs;
/** Minimum time between two updates of the last use. */
const exactMs = minuteMs;
const challengeMs = 5 * minuteMs;
const passkeysMax = 10;
const deviceMax = 80;

/** Who is signed in, and how. `isInvited`: by an invitation's link, which only adds a passkey. */
export type OperatorSession = { uuid: string; operator: ConsoleOperator; isInvited: boolean };
type FromDevice = { requestId: string; call: string; device: string };
export type OperatorEntered = { kind: "signedIn"; token: string } | { kind: "over" | OpenIdRefusal };
const over = { kind: "over" } as const;

/** Marks a challenge as the console's, so that no answer to a challenge of the dashboard is accepted. */
export async function keepChallenge(deps: OperatorDeps, whose: string, challenge: string): Promise<string> {
  const now = deps.clock.now();
  const uuid = deps.random.uuid();
  const stored = ["operator", whose, challenge].join(":");
  await insertChallenge(deps.home, { uuid, memberUuid: null, challenge: stored, expiresAt: now + challengeMs, now });
  return uuid;
}

export async function usedChallenge(deps: OperatorDeps, uuid: string, whose: string): Promise<string | null> {
  const stored = await takeChallenge(deps.home, { uuid, memberUuid: null, now: deps.clock.now() });
  const [kind, owner, challenge = null] = stored?.split(":") ?? [];
  return kind === "operator" && owner === whose ? challenge : null;
}

const anybody = "";

/** The URL of the console, whose host is the passkeys' relying party. */
export function consoleUrlOf({ addresses }: OperatorDeps): string {
  if (addresses.operatorUrl === null) throw new Error("the console has no URL");
  return addresses.operatorUrl;
}

export async function beginOperatorSignIn(deps: OperatorDeps): Promise<PasskeySignInRequest> {
  const options = await passkeySignInOptions(consoleUrlOf(deps));
  return { uuid: await keepChallenge(deps, anybody, options.challenge), options };
}

export async function enterConsoleByPasskey(
  deps: OperatorDeps,
  input: { uuid: string; credential: AuthenticationResponseJSON },
  from: FromDevice,
): Promise<OperatorEntered> {
  const expectedChallenge = await usedChallenge(deps, input.uuid, anybody);
  const known = await findOperatorPasskey(deps.home, input.credential.id);
  if (expectedChallenge === null || known === null) return over;
  const counter = await checkSignature(consoleUrlOf(deps), input.credential, { expectedChallenge, known });
  if (counter === null) return over;
  return await deps.home.inTransaction(async (trx) => {
    await lockOperator(trx, known.operatorUuid);
    const operator = await findOperator(deps, trx, known.operatorUuid);
    // The passkey or the operator may be gone since it was read.
    if (operator === null || !(await noteOperatorPasskeyUse(trx, known.uuid, { counter, now: deps.clock.now() })))
      return over;
    return await enterConsole(deps, trx, { operator, method: "passkey", from });
  });
}

export async function beginOperatorOpenId(deps: OperatorDeps & Pick<AccountDeps, "openId">) {
  return await beginAtProvider(deps, consoleUrlOf(deps));
}

export async function enterConsoleByOpenId(
  deps: OperatorDeps & Pick<AccountDeps, "openId">,
  input: { uuid: string; query: string },
  from: FromDevice,
): Promise<OperatorEntered> {
  const answer = await finishAtProvider(deps, input, consoleUrlOf(deps));
  if (answer.kind !== "known") return answer;
  return await deps.home.inTransaction(async (trx): Promise<OperatorEntered> => {
    const known = await findOperatorByEmail(deps, trx, answer.email);
    if (known === null) return { kind: "notMember" };
    await lockOperator(trx, known.uuid);
    const operator = await findOperator(deps, trx, known.uuid);
    if (operator === null) return { kind: "notMember" };
    return await enterConsole(deps, trx, { operator, method: "openid", from });
  });
}

/** Uses an invitation's link up. */
export async function enterConsoleByLink(deps: OperatorDeps, link: string, from: FromDevice): Promise<OperatorEntered> {
  return await deps.home.inTransaction(async (trx) => {
    const uuid = await takeOperatorLink(trx, tokenHash(link), deps.clock.now());
    const operator = uuid === null ? null : await findOperator(deps, trx, uuid);
    return operator === null ? over : await enterConsole(deps, trx, { operator, method: "link", from });
  });
}

/** Always opens a new session, so a token that someone planted in the browser is never signed in. */
async function enterConsole(
  deps: OperatorDeps,
  trx: HomeTrx,
  { operator, method, from }: { operator: ConsoleOperator; method: OperatorSignInMethod; from: FromDevice },
): Promise<OperatorEntered> {
  const token = randomToken(deps.random);
  const now = deps.clock.now();
  await insertOperatorSession(trx, {
    uuid: deps.random.uuid(),
    operatorUuid: operator.uuid,
    tokenHash: tokenHash(token),
    method,
    device: from.device.slice(0, deviceMax),
    now,
    expiresAt: now + operatorSessionMs,
  });
  const by = operatorOn({ operator: { ...from, person: { ...operator, sessionUuid: null } } }, null);
  await recordChange(deps, trx, by, { action: "operator.signedIn", subject: `${method}, ${from.device}` });
  return { kind: "signedIn", token };
}

/** The session of a token. Null if it has ended or the operator was removed. */
export async function findOperatorSession(deps: OperatorDeps, token: string): Promise<OperatorSession | null> {
  if (token.length !== tokenLength) return null;
  const now = deps.clock.now();
  const row = await findOperatorSessionRow(deps.home, tokenHash(token), { now, idleSince: now - operatorIdleMs });
  const operator = row === null ? null : await findOperator(deps, deps.home, row.operatorUuid);
  if (row === null || operator === null) return null;
  if (now - row.lastUsedAt >= exactMs) await noteOperatorUse(deps.home, row.uuid, now);
  return { uuid: row.uuid, operator, isInvited: row.method === "link" };
}

/** Ends the session that this browser had before a new sign-in. An unknown token ends nothing. */
export async function endFormerConsoleSession(deps: OperatorDeps, token: string): Promise<void> {
  const former = await findOperatorSession(deps, token);
  if (former !== null) await deleteOperatorSession(deps.home, former.uuid);
}

export async function leaveConsole(
  deps: OperatorDeps,
  { uuid, operator }: Pick<OperatorSession, "uuid" | "operator">,
): Promise<void> {
  await deps.home.inTransaction(async (trx) => {
    await lockOperator(trx, operator.uuid);
    // Record it first, because that requires the session that ends.
    await recordChange(deps, trx, operatorOn(deps, null), { action: "session.ended" });
    await deleteOperatorSession(trx, uuid);
  });
}

export async function beginConsolePasskey(deps: OperatorDeps, operator: ConsoleOperator): Promise<NewPasskeyRequest> {
  const existing = await listOperatorPasskeys(deps.home, operator.uuid);
  if (existing.length >= passkeysMax) throw refuse(409, `An operator can have at most ${passkeysMax} passkeys.`);
  const options = await newPasskeyOptions(consoleUrlOf(deps), operator, existing);
  return { uuid: await keepChallenge(deps, operator.uuid, options.challenge), options };
}

/** Saves a passkey. The session then counts as signed in by it. */
export async function finishConsolePasskey(
  deps: OperatorDeps,
  session: OperatorSession,
  input: { uuid: string; credential: RegistrationResponseJSON },
): Promise<void> {
  const { operator } = session;
  const notUsable = () => invalid([{ path: "body.credential", message: "It does not match the request. Try again." }]);
  const challenge = await usedChallenge(deps, input.uuid, operator.uuid);
  const made = await readNewPasskey(consoleUrlOf(deps), input.credential, challenge);
  if (made === null) throw notUsable();
  const { isSynced: _, ...key } = made;
  await deps.home.inTransaction(async (trx) => {
    const stored = { ...key, uuid: deps.random.uuid(), operatorUuid: operator.uuid, now: deps.clock.now() };
    await lockOperator(trx, operator.uuid);
    await recordChange(deps, trx, operatorOn(deps, null), { action: "passkey.created" });
    if (!(await insertOperatorPasskey(trx, stored))) throw notUsable();
    // The session may have ended, or may have added a passkey, since the call began.
    if (!(await setOperatorSessionPasskey(trx, session))) throw refuse(401, "Sign in first.");
  });
}
