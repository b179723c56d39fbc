/** Passkeys. Signed-in members create them and can then sign in without email. The device always verifies the user. */
import { minuteMs } from "@countersign/contract/time";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { HomeTrx } from "../../store/database.ts";
import { type MemberActor, operatorOn, recordChange } from "../audit/account-audit-rows.ts";
import { lockCustomer } from "../brand/customer-rows.ts";
import type { AccountDeps } from "../deps.ts";
import { invalid, refuse } from "../failure.ts";
import {
  checkSignature,
  type NewPasskeyRequest,
  newPasskeyOptions,
  type PasskeySignInRequest,
  passkeySignInOptions,
  readNewPasskey,
} from "../webauthn.ts";
import { post, type Written, write } from "./mail.ts";
import { memberName } from "./member.ts";
import { findMember, lockMember, type Member } from "./member-rows.ts";
import { setSessionPasskey } from "./member-session-rows.ts";
import {
  deletePasskeyRow,
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  notePasskeyUse,
  takeChallenge,
} from "./passkey-rows.ts";
import { type Entered, enter, type From } from "./sign-in.ts";

export const challengeLifeMs = 5 * minuteMs;
const passkeysMax = 20;

async function keepChallenge(deps: AccountDeps, memberUuid: string | null, challenge: string): Promise<string> {
  const now = deps.clock.now();
  const uuid = deps.random.uuid();
  await insertChallenge(deps.home, { uuid, memberUuid, challenge, expiresAt: now + challengeLifeMs, now });
  return uuid;
}

function assertRoom(existing: readonly unknown[]): void {
  if (existing.length >= passkeysMax) throw refuse(409, `A member can have at most ${passkeysMax} passkeys.`);
}

export async function beginPasskey(deps: AccountDeps, member: Member): Promise<NewPasskeyRequest> {
  const existing = await listPasskeys(deps.home, member.uuid);
  assertRoom(existing);
  const owner = { uuid: member.uuid, email: member.email, name: memberName(member) };
  const options = await newPasskeyOptions(deps.addresses.dashboardUrl, owner, existing);
  return { uuid: await keepChallenge(deps, member.uuid, options.challenge), options };
}

export async function finishPasskey(
  deps: AccountDeps,
  by: MemberActor & { sessionUuid: string; member: Member },
  input: { uuid: string; name: string; credential: RegistrationResponseJSON },
): Promise<void> {
  const { member } = by;
  const expectedChallenge = await takeChallenge(deps.home, {
    uuid: input.uuid,
    memberUuid: member.uuid,
    now: deps.clock.now(),
  });
  const made = await readNewPasskey(deps.addresses.dashboardUrl, input.credential, expectedChallenge);
  if (made === null) throw notUsable();
  const written = await deps.home.inTransaction(async (trx) => {
    // Several additions may have begun below the limit, so count again under a lock.
    await lockCustomer(trx, member.customerUuid);
    assertRoom(await listPasskeys(trx, member.uuid));
    const isNew = await insertPasskey(trx, {
      uuid: deps.random.uuid(),
      memberUuid: member.uuid,
      ...made,
      name: input.name,
      createdAt: deps.clock.now(),
      lastUsedAt: null,
    });
    if (!isNew) throw notUsable();
    // The log outlives the member, so it does not get the name. It also locks the member, who is locked before sessions.
    await recordChange(deps, trx, by, { action: "passkey.created" });
    await setSessionPasskey(trx, by.sessionUuid);
    return await write(deps, trx, member, mailAbout(deps, "A passkey was added to your Countersign account"));
  });
  notify(deps, written);
}

/** Tells a member about a change of passkeys. Does not wait for the mail server, which logs a failure. */
function notify(deps: AccountDeps, written: Written): void {
  post(deps, written).catch(() => {});
}

function mailAbout({ addresses }: AccountDeps, subject: string) {
  return {
    subject,
    body: `${subject}, at ${addresses.dashboardUrl}.\n\nIf this was not you, somebody else can use your account. Sign in, end your other sessions and delete passkeys that you do not know, under Account security. Then tell an owner of your account.`,
  };
}

/** The email about passkeys that were removed. */
export async function writeRemoved(deps: AccountDeps, trx: HomeTrx, member: Member): Promise<Written> {
  return await write(deps, trx, member, mailAbout(deps, "A passkey was removed from your Countersign account"));
}

function notUsable(): Error {
  return invalid([{ path: "body.credential", message: "It does not match the request. Try again." }]);
}

export async function beginByPasskey(deps: AccountDeps): Promise<PasskeySignInRequest> {
  const options = await passkeySignInOptions(deps.addresses.dashboardUrl);
  return { uuid: await keepChallenge(deps, null, options.challenge), options };
}

export async function enterByPasskey(
  deps: AccountDeps,
  input: { uuid: string; credential: AuthenticationResponseJSON },
  from: From,
): Promise<Entered> {
  const over: Entered = { kind: "over" };
  const expectedChallenge = await takeChallenge(deps.home, {
    uuid: input.uuid,
    memberUuid: null,
    now: deps.clock.now(),
  });
  const known = await findPasskey(deps.home, input.credential.id);
  if (expectedChallenge === null || known === null) return over;
  const { dashboardUrl } = deps.addresses;
  const newCounter = await checkSignature(dashboardUrl, input.credential, { expectedChallenge, known });
  if (newCounter === null) return over;
  return await deps.home.inTransaction(async (trx) => {
    const use = { counter: newCounter, now: deps.clock.now() };
    const useProof = ({ joinedAt }: Member) => joinedAt !== null && notePasskeyUse(trx, known.uuid, use);
    return (await enter(deps, trx, { memberUuid: known.memberUuid, method: "passkey", from, useProof })) ?? over;
  });
}

export async function deletePasskey(
  deps: AccountDeps,
  by: MemberActor & { member: Member },
  uuid: string,
): Promise<void> {
  notify(
    deps,
    await deps.home.inTransaction(async (trx) => {
      await lockMember(trx, by.member.uuid);
      if (!(await deletePasskeyRow(trx, { uuid, memberUuid: by.member.uuid }))) throw refuse(404, "No such passkey.");
      await recordChange(deps, trx, by, { action: "passkey.deleted" });
      return await writeRemoved(deps, trx, by.member);
    }),
  );
}

/** Removes a member's passkey for the operator. */
export async function removePasskeyByOperator(
  deps: AccountDeps,
  { memberUuid, uuid }: { memberUuid: string; uuid: string },
): Promise<void> {
  const member = await findMember(deps, deps.home, memberUuid);
  if (member === null) throw refuse(404, "No such member. `countersign members list` lists them.");
  const written = await deps.home.inTransaction(async (trx) => {
    await lockMember(trx, memberUuid);
    if (!(await deletePasskeyRow(trx, { uuid, memberUuid })))
      throw refuse(404, "No such passkey. `countersign passkeys list` lists them.");
    const by = operatorOn(deps, member.customerUuid);
    await recordChange(deps, trx, by, { action: "passkey.deleted", aboutMember: memberUuid });
    return await writeRemoved(deps, trx, member);
  });
  await post(deps, written).catch(() => {});
}
