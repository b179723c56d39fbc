/** Passkeys without a browser: they sign challenges as an authenticator does. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { insertPasskey } from "../../domain/member/passkey-rows.ts";
import type { Sandbox } from "./sandbox.ts";

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const bytesOf = (text: string | undefined) => Buffer.from(text ?? "", "base64url");
/** User present and verified. */
const flags = 0x05;
/** The same, and the credential's key follows. */
const newFlags = 0x45;
/** An attestation object up to its last member: `fmt` is `none`, `attStmt` is empty, and `authData` of one length byte. */
const attestationHead = Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex");

/**
 * A passkey for the pages at `origin`. `create` returns the new credential for a challenge, and `sign` the one of a
 * sign-in.
 */
export function madePasskey(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x, y } = publicKey.export({ format: "jwk" });
  // COSE: EC2, ES256, P-256, x and y.
  const head = Buffer.from("a5010203262001215820", "hex");
  const cose = Buffer.concat([head, bytesOf(x), Buffer.from("225820", "hex"), bytesOf(y)]);
  const credentialId = randomBytes(16).toString("base64url");
  const url = new URL(origin);
  let counter = 0;
  const clientDataOf = (type: string, challenge: string) =>
    JSON.stringify({ type, challenge, origin: url.origin, crossOrigin: false });
  const credentialOf = <Response>(response: Response) => {
    const usual = { type: "public-key" as const, clientExtensionResults: {} };
    return { id: credentialId, rawId: credentialId, ...usual, response };
  };
  return {
    credentialId,
    publicKey: cose,
    create(challenge: string) {
      const id = bytesOf(credentialId);
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
      const data = Buffer.concat([sha256(url.hostname), Buffer.from([newFlags]), Buffer.alloc(4), attested]);
      const attestationObject = Buffer.concat([attestationHead, Buffer.from([data.length]), data]);
      return credentialOf({
        clientDataJSON: Buffer.from(clientDataOf("webauthn.create", challenge)).toString("base64url"),
        attestationObject: attestationObject.toString("base64url"),
        transports: [],
      });
    },
    sign(challenge: string) {
      counter += 1;
      const count = Buffer.alloc(4);
      count.writeUInt32BE(counter);
      const authenticatorData = Buffer.concat([sha256(url.hostname), Buffer.from([flags]), count]);
      const clientData = clientDataOf("webauthn.get", challenge);
      const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(clientData)]), privateKey);
      return credentialOf({
        clientDataJSON: Buffer.from(clientData).toString("base64url"),
        authenticatorData: authenticatorData.toString("base64url"),
        signature: signature.toString("base64url"),
      });
    },
  };
}

/** Stores a passkey of an operator. */
export async function consolePasskey(it: Sandbox, operatorUuid: string) {
  const { credentialId, publicKey, sign: signIt } = madePasskey(it.accounts.addresses.operatorUrl ?? "");
  const uuid = it.deps.random.uuid();
  const row = { uuid, operator_uuid: operatorUuid, credential_id: credentialId, public_key: publicKey, counter: 0 };
  await it.store.db
    .insertInto("operator_passkey")
    .values({ ...row, transports: [], created_at: it.accountClock.now(), last_used_at: null })
    .execute();
  return { uuid, sign: signIt };
}

/** Stores a passkey of a member. */
export async function memberPasskey(it: Sandbox, memberUuid: string) {
  const { sign: signIt, ...key } = madePasskey(it.accounts.addresses.dashboardUrl);
  const uuid = it.deps.random.uuid();
  const usual = { counter: 0, name: "Laptop", transports: [], isSynced: false, createdAt: 1, lastUsedAt: null };
  await it.store.home.inTransaction((trx) => insertPasskey(trx, { ...key, ...usual, uuid, memberUuid }));
  return { uuid, sign: signIt };
}
