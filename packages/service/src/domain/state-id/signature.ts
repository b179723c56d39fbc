/** Signatures of state IDs (COSE_Sign1). Only ECDSA counts, with the hash that belongs to the key's curve. */
import { createPublicKey, type JsonWebKey, verify } from "node:crypto";
import { CoseKey, Curve, Header, KeyType, type Sign1 } from "@owf/mdoc";
import type { Certificate } from "./certificate.ts";

/** By the number of the algorithm (ES256, ES384, ES512). `bytes`: length of a coordinate. */
const algorithms: ReadonlyMap<unknown, { hash: string; curve: Curve; crv: string; bytes: number }> = new Map([
  [-7, { hash: "sha256", curve: Curve["P-256"], crv: "P-256", bytes: 32 }],
  [-35, { hash: "sha384", curve: Curve["P-384"], crv: "P-384", bytes: 48 }],
  [-36, { hash: "sha512", curve: Curve["P-521"], crv: "P-521", bytes: 66 }],
]);

/** The accepted algorithms, as requests list them. */
export const acceptedAlgorithms: number[] = [...algorithms.keys()].map(Number);

/** The algorithm must be in the signed part. A critical header would change what the signature means. */
export function isSignedWith(sign1: Sign1, key: CoseKey): boolean {
  const signed = sign1.protectedHeaders.headers;
  const unsigned = sign1.unprotectedHeaders.headers;
  const algorithm = algorithms.get(signed.get(Header.Algorithm));
  if (algorithm === undefined || unsigned.has(Header.Algorithm)) return false;
  if (signed.has(Header.Critical) || unsigned.has(Header.Critical)) return false;
  const { keyType, curve, x, y } = key;
  const fits = keyType === KeyType.Ec && curve === algorithm.curve;
  if (!fits || x?.length !== algorithm.bytes || y?.length !== algorithm.bytes) return false;
  if (sign1.signature.length !== 2 * algorithm.bytes) return false;
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  const jwk: JsonWebKey = { kty: "EC", crv: algorithm.crv, x: text(x), y: text(y) };
  try {
    // Node refuses a point that is not on the curve.
    const publicKey = createPublicKey({ key: jwk, format: "jwk" });
    return verify(algorithm.hash, sign1.toBeSigned, { key: publicKey, dsaEncoding: "ieee-p1363" }, sign1.signature);
  } catch {
    return false;
  }
}

/** A certificate's key in the form of the library. */
export function keyOf({ parsed }: Certificate): CoseKey {
  const { crv, x = "", y = "" } = parsed.publicKey.export({ format: "jwk" });
  const curve = [...algorithms.values()].find((one) => one.crv === crv)?.curve ?? Curve["P-256"];
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));
  return CoseKey.create({ keyType: KeyType.Ec, curve, x: bytes(x), y: bytes(y) });
}
