/** A passkey of the console's people without a browser: it signs challenges as an authenticator does. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { Sandbox } from "./sandbox.ts";

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const bytesOf = (text: string | undefined) => Buffer.from(text ?? "", "base64url");
/** User present and verified. */
const flags = 0x05;

/** Stores a passkey of an operator. `sign` returns the credential for a challenge. */
export async function consolePasskey(it: Sandbox, operatorUuid: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x, y } = publicKey.export({ format: "jwk" });
  // COSE: EC2, ES256, P-256, x and y.
  const head = Buffer.from("a5010203262001215820", "hex");
  const cose = Buffer.concat([head, bytesOf(x), Buffer.from("225820", "hex"), bytesOf(y)]);
  const [uuid, credentialId] = [it.deps.random.uuid(), randomBytes(16).toString("base64url")];
  const row = { uuid, operator_uuid: operatorUuid, credential_id: credentialId, public_key: cose, counter: 0 };
  await it.store.db
    .insertInto("operator_passkey")
    .values({ ...row, transports: [], created_at: it.accountClock.now(), last_used_at: null })
    .execute();
  const url = new URL(it.accounts.addresses.operatorUrl ?? "");
  let counter = 0;
  return {
    uuid,
    sign(challenge: string) {
      counter += 1;
      const count = Buffer.alloc(4);
      count.writeUInt32BE(counter);
      const authenticatorData = Buffer.concat([sha256(url.hostname), Buffer.from([flags]), count]);
      const clientData = JSON.stringify({ type: "webauthn.get", challenge, origin: url.origin, crossOrigin: false });
      const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(clientData)]), privateKey);
      return {
        id: credentialId,
        rawId: credentialId,
        type: "public-key" as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: Buffer.from(clientData).toString("base64url"),
          authenticatorData: authenticatorData.toString("base64url"),
          signature: signature.toString("base64url"),
        },
      };
    },
  };
}
