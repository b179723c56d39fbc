/** Passkeys. Signed-in members create them and can then sign in without email. The device always verifies the user. */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { invalid, refuse } from "../failure.ts";
import { type Actor, nameOf, recordChange } from "./audit.ts";
import type { AccountDeps } from "./deps.ts";
import { findMember, type Member } from "./member.ts";
import { type Entered, enter, type From } from "./sign-in.ts";

export const challengeLifeMs = 5 * 60_000;
const passkeysMax = 20;

/** Options for the authenticator, and the uuid that its answer is sent back with. */
type Asked<Options> = { uuid: string; options: Options };

/** The relying party: the dashboard's host name and its exact origin. */
function partyOf({ addresses }: AccountDeps): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(addresses.dashboardUrl);
  return { rpID: hostname, origin };
}

async function keepChallenge(deps: AccountDeps, memberUuid: string | null, challenge: string): Promise<string> {
  const now = deps.clock.now();
  await deps.db.deleteFrom("passkey_challenge").where("expires_at", "<", now).execute();
  const uuid = deps.random.uuid();
  await deps.db
    .insertInto("passkey_challenge")
    .values({ uuid, member_uuid: memberUuid, challenge, expires_at: now + challengeLifeMs })
    .execute();
  return uuid;
}

/** Takes a challenge, so each is answered only once. */
async function takeChallenge(deps: AccountDeps, uuid: string, memberUuid: string | null): Promise<string | null> {
  const row = await deps.db
    .deleteFrom("passkey_challenge")
    .where("uuid", "=", uuid)
    .where("expires_at", ">", deps.clock.now())
    .where("member_uuid", memberUuid === null ? "is" : "=", memberUuid)
    .returning("challenge")
    .executeTakeFirst();
  return row?.challenge ?? null;
}

export async function beginPasskey(
  deps: AccountDeps,
  member: Member,
): Promise<Asked<PublicKeyCredentialCreationOptionsJSON>> {
  const have = await listPasskeys(deps, member.uuid);
  if (have.length >= passkeysMax) throw refuse(409, `A member has ${passkeysMax} passkeys at most.`);
  const options = await generateRegistrationOptions({
    rpName: "Countersign",
    rpID: partyOf(deps).rpID,
    userID: new TextEncoder().encode(member.uuid),
    userName: member.email,
    userDisplayName: nameOf(member),
    attestationType: "none",
    excludeCredentials: have.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { uuid: await keepChallenge(deps, member.uuid, options.challenge), options };
}

export async function finishPasskey(
  deps: AccountDeps,
  by: Actor,
  what: { uuid: string; name: string; credential: RegistrationResponseJSON },
): Promise<void> {
  const { member } = by;
  const expectedChallenge = await takeChallenge(deps, what.uuid, member.uuid);
  const { rpID, origin } = partyOf(deps);
  const verified =
    expectedChallenge === null
      ? null
      : await verifyRegistrationResponse({
          response: what.credential,
          expectedChallenge,
          expectedOrigin: origin,
          expectedRPID: rpID,
          requireUserVerification: true,
        }).catch(() => null);
  const made = verified?.registrationInfo;
  if (made === undefined) throw notUsable();
  const { credential } = made;
  await deps.db.inTransaction(async (trx) => {
    const row = await trx
      .insertInto("passkey")
      .values({
        uuid: deps.random.uuid(),
        member_uuid: member.uuid,
        credential_id: credential.id,
        public_key: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: credential.transports ?? [],
        name: what.name,
        is_synced: made.credentialBackedUp,
        created_at: deps.clock.now(),
        last_used_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("uuid")
      .executeTakeFirst();
    if (row === undefined) throw notUsable();
    await recordChange(deps, trx, by, { action: "passkey.created", subject: what.name });
  });
}

function notUsable(): Error {
  return invalid([{ path: "body.credential", message: "is not what this browser was asked for; try again" }]);
}

export async function beginByPasskey(deps: AccountDeps): Promise<Asked<PublicKeyCredentialRequestOptionsJSON>> {
  const options = await generateAuthenticationOptions({ rpID: partyOf(deps).rpID, userVerification: "required" });
  return { uuid: await keepChallenge(deps, null, options.challenge), options };
}

export async function enterByPasskey(
  deps: AccountDeps,
  what: { uuid: string; credential: AuthenticationResponseJSON },
  from: From,
): Promise<Entered> {
  const over: Entered = { kind: "over" };
  const expectedChallenge = await takeChallenge(deps, what.uuid, null);
  const known = await deps.db
    .selectFrom("passkey")
    .selectAll()
    .where("credential_id", "=", what.credential.id)
    .executeTakeFirst();
  if (expectedChallenge === null || known === undefined) return over;
  const { rpID, origin } = partyOf(deps);
  const { public_key, counter, credential_id, transports } = known;
  const verified = await verifyAuthenticationResponse({
    response: what.credential,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: { id: credential_id, publicKey: new Uint8Array(public_key), counter, transports },
  }).catch(() => null);
  if (verified?.verified !== true) return over;
  const { newCounter } = verified.authenticationInfo;
  return await deps.db.inTransaction(async (trx) => {
    const member = await findMember(deps, trx, known.member_uuid);
    if (member === null || member.joinedAt === null) return over;
    await trx
      .updateTable("passkey")
      .set({ counter: newCounter, last_used_at: deps.clock.now() })
      .where("uuid", "=", known.uuid)
      .execute();
    return await enter(deps, trx, { member, method: "passkey", from });
  });
}

export type PasskeyLine = {
  uuid: string;
  name: string;
  isSynced: boolean;
  createdAt: number;
  lastUsedAt: number | null;
  credentialId: string;
  transports: string[];
};

export async function listPasskeys(deps: AccountDeps, memberUuid: string): Promise<PasskeyLine[]> {
  const rows = await deps.db
    .selectFrom("passkey")
    .selectAll()
    .where("member_uuid", "=", memberUuid)
    .orderBy("created_at")
    .orderBy("uuid")
    .execute();
  return rows.map((row) => ({
    uuid: row.uuid,
    name: row.name,
    isSynced: row.is_synced,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    credentialId: row.credential_id,
    transports: row.transports,
  }));
}

export async function deletePasskey(deps: AccountDeps, by: Actor, uuid: string): Promise<void> {
  await deps.db.inTransaction(async (trx) => {
    const row = await trx
      .deleteFrom("passkey")
      .where("uuid", "=", uuid)
      .where("member_uuid", "=", by.member.uuid)
      .returning("name")
      .executeTakeFirst();
    if (row === undefined) throw refuse(404, "There is no such passkey.");
    await recordChange(deps, trx, by, { action: "passkey.deleted", subject: row.name });
  });
}
