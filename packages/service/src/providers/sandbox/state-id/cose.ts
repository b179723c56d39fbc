/** What authorities and phones sign (COSE_Sign1). Written apart from the code that verifies it, so that both can be wrong. */
import { type KeyObject, sign } from "node:crypto";
import { cborEncode } from "@owf/mdoc";

const es256 = -7;
const edDsa = -8;

/** `detached`: the payload is signed but not sent. The key is P-256, or Ed25519 for an answer that must be refused. */
export function coseSign1(
  key: KeyObject,
  payload: Uint8Array,
  { detached = false, certificate, type }: { detached?: boolean; certificate?: Uint8Array; type?: string } = {},
): unknown[] {
  const isEdwards = key.asymmetricKeyType === "ed25519";
  const headers = new Map<number, unknown>([
    [1, isEdwards ? edDsa : es256],
    ...(type === undefined ? [] : [[16, type] as const]),
  ]);
  const signed = cborEncode(headers);
  const text = cborEncode(["Signature1", signed, new Uint8Array(), payload]);
  const signature = isEdwards ? sign(null, text, key) : sign("sha256", text, { key, dsaEncoding: "ieee-p1363" });
  const unsigned = new Map<number, unknown>(certificate === undefined ? [] : [[33, certificate]]);
  return [signed, unsigned, detached ? null : payload, signature];
}
