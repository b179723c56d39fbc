/** Lists and deletes the passkeys of the console's people. A passkey of the caller signs for each deletion. */
import type { ConsoleColleague, ConsolePasskey } from "@countersign/contract/console-operators";
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { operatorOn, recordChange, requireActing } from "../audit/account-audit-rows.ts";
import { refuse } from "../failure.ts";
import { checkSignature, type PasskeySignInRequest, passkeySignInOptions } from "../webauthn.ts";
import {
  type ConsoleOperator,
  deleteOperatorPasskey,
  endOtherOperatorSessions,
  findOperatorPasskey,
  hasOtherOperatorPasskey,
  listAllPasskeys,
  listOperatorPasskeys,
  listOperatorRows,
  lockOperators,
  noteOperatorPasskeyUse,
} from "./operator-rows.ts";
import { consoleUrlOf, keepChallenge, type OperatorSession, usedChallenge } from "./operator-sign-in.ts";
import type { OperatorDeps } from "./operators.ts";

/** The signed challenge of `beginPasskeyDeletion`. */
type Proof = { uuid: string; credential: AuthenticationResponseJSON };

const deletionBy = (operator: Pick<ConsoleOperator, "uuid">, passkeyUuid: string) =>
  `${operator.uuid} deletes ${passkeyUuid.toLowerCase()}`;

export async function listOwnPasskeys(deps: OperatorDeps, { uuid }: ConsoleOperator): Promise<ConsolePasskey[]> {
  const rows = await listOperatorPasskeys(deps.home, uuid);
  return rows.map(({ uuid: passkey, createdAt, lastUsedAt }) => ({ uuid: passkey, createdAt, lastUsedAt }));
}

export async function listColleagues(deps: OperatorDeps): Promise<ConsoleColleague[]> {
  const [rows, passkeys] = await Promise.all([listOperatorRows(deps, deps.home), listAllPasskeys(deps.home)]);
  return rows.map(({ uuid, name, email, role, linkUntil }) => ({
    ...{ uuid, name, email, role, invitedUntil: linkUntil },
    passkeys: passkeys
      .filter(({ operatorUuid }) => operatorUuid === uuid)
      .map(({ operatorUuid: _, ...passkey }) => passkey),
  }));
}

/** A challenge for this person and this passkey only. */
export async function beginPasskeyDeletion(
  deps: OperatorDeps,
  operator: ConsoleOperator,
  passkeyUuid: string,
): Promise<PasskeySignInRequest> {
  const own = await listOperatorPasskeys(deps.home, operator.uuid);
  if (own.length === 0) throw refuse(403, "You have no passkey to sign with. Ask for a new invitation.");
  const options = await passkeySignInOptions(consoleUrlOf(deps), own);
  return { uuid: await keepChallenge(deps, deletionBy(operator, passkeyUuid), options.challenge), options };
}

/**
 * Deletes a passkey, and ends its owner's sessions except the caller's. Operators keep at least one passkey, because
 * otherwise nobody could answer brands or remove a colleague. `isOwn`: whose passkey it must be.
 */
export async function deleteConsolePasskey(
  deps: OperatorDeps,
  by: Pick<OperatorSession, "uuid" | "operator">,
  { passkeyUuid, proof, isOwn }: { passkeyUuid: string; proof: Proof; isOwn: boolean },
): Promise<void> {
  const { operator } = by;
  const signed = await signedWith(deps, operator, { passkeyUuid, proof });
  await deps.home.inTransaction(async (trx) => {
    // Two people who delete each other's passkeys must not both succeed.
    await lockOperators(trx);
    await requireActing(trx, operatorOn(deps, null));
    const isNoted = await noteOperatorPasskeyUse(trx, signed.uuid, { counter: signed.counter, now: deps.clock.now() });
    if (!isNoted) throw notSigned();
    const passkey = (await listAllPasskeys(trx)).find(({ uuid }) => uuid === passkeyUuid.toLowerCase());
    if (passkey === undefined || (passkey.operatorUuid === operator.uuid) !== isOwn)
      throw refuse(404, isOwn ? "You have no such passkey." : "No colleague has this passkey.");
    const subject = isOwn ? undefined : passkey.operatorUuid;
    await recordChange(deps, trx, operatorOn(deps, null), { action: "passkey.deleted", subject });
    if (!(await hasOtherOperatorPasskey(trx, passkey.uuid)))
      throw refuse(409, "This is the last passkey of an operator. Invite another operator first.");
    await deleteOperatorPasskey(trx, passkey.uuid);
    await endOtherOperatorSessions(trx, { operatorUuid: passkey.operatorUuid, except: by.uuid });
  });
}

/** The caller's passkey that signed, and its new counter. Uses the challenge up. */
async function signedWith(
  deps: OperatorDeps,
  operator: ConsoleOperator,
  { passkeyUuid, proof }: { passkeyUuid: string; proof: Proof },
): Promise<{ uuid: string; counter: number }> {
  const expectedChallenge = await usedChallenge(deps, proof.uuid, deletionBy(operator, passkeyUuid));
  const known = await findOperatorPasskey(deps.home, proof.credential.id);
  const isOwn = known !== null && known.operatorUuid === operator.uuid;
  const counter =
    expectedChallenge === null || !isOwn
      ? null
      : await checkSignature(consoleUrlOf(deps), proof.credential, { expectedChallenge, known });
  if (known === null || counter === null) throw notSigned();
  return { uuid: known.uuid, counter };
}

const notSigned = () => refuse(403, "Confirm with one of your own passkeys again.");
