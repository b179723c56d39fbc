/** Decrypts what a wallet app returned, and says which session transcript the phone must have signed for it. */
import { cborDecode, type SessionTranscript } from "@owf/mdoc";
import { AEAD_AES_128_GCM, CipherSuite, KDF_HKDF_SHA256, KEM_DHKEM_P256_HKDF_SHA256 } from "hpke";
import { calculateJwkThumbprint, compactDecrypt, importJWK, type JWK } from "jose";
import { assertSafeCbor, bytesMax, decodingProblem } from "./cbor.ts";
import { StateIdRefusal } from "./refusal.ts";
import { contentEncryptions, credentialId, encryptionKeyId, keyAgreement } from "./requests.ts";
import { isoTranscript, openidTranscript } from "./transcript.ts";

/** A `DeviceResponse` as CBOR. */
export type Opened = { response: Uint8Array; transcript: SessionTranscript };

/** The most characters of an encrypted answer. Base64url twice makes it almost twice as long. */
const textMax = 2 * bytesMax;

/** The member `response` of the browser's `data`, which may be JSON text. Throws `StateIdRefusal`. */
export function responseIn(data: unknown): string {
  const parsed = typeof data === "string" ? parse(data) : data;
  if (typeof parsed !== "object" || parsed === null) throw new StateIdRefusal("unreadable", "no object");
  const response: unknown = Reflect.get(parsed, "response");
  if (typeof response === "string" && response.length <= textMax) return response;
  // OpenID4VP 1.0, appendix A.4: an error is an object with the member `error`.
  throw "error" in parsed ? new StateIdRefusal("declined") : new StateIdRefusal("unreadable", "no response");
}

function parse(text: string): unknown {
  if (text.length > textMax) throw new StateIdRefusal("unreadable", "too long");
  try {
    return JSON.parse(text);
  } catch {
    throw new StateIdRefusal("unreadable", "not JSON");
  }
}

/** Only the canonical form of base64url, so that an answer has one text. */
function bytesIn(text: unknown): Uint8Array {
  const bytes = typeof text === "string" ? Buffer.from(text, "base64url") : null;
  if (bytes === null || bytes.toString("base64url") !== text) throw new StateIdRefusal("unreadable", "not base64url");
  return new Uint8Array(bytes);
}

type ForOpenid = { origin: string; nonce: string; privateKey: JWK };

/** Opens the JWE of OpenID4VP's response mode `dc_api.jwt`. */
export async function openOpenid(response: string, { origin, nonce, privateKey }: ForOpenid): Promise<Opened> {
  const plain = await decrypted(response, privateKey);
  const answer = parse(plain);
  if (typeof answer !== "object" || answer === null) throw new StateIdRefusal("unreadable", "no object");
  if ("error" in answer) throw new StateIdRefusal("declined");
  const token: unknown = "vp_token" in answer ? answer.vp_token : undefined;
  const presentations: unknown = typeof token === "object" && token !== null && Reflect.get(token, credentialId);
  if (!Array.isArray(presentations) || presentations.length !== 1)
    throw new StateIdRefusal("unreadable", "not one presentation");
  const thumbprint = new Uint8Array(Buffer.from(await calculateJwkThumbprint(privateKey), "base64url"));
  return { response: bytesIn(presentations[0]), transcript: openidTranscript({ origin, nonce, thumbprint }) };
}

async function decrypted(response: string, privateKey: JWK): Promise<string> {
  for (const part of response.split(".")) bytesIn(part);
  try {
    const { plaintext, protectedHeader } = await compactDecrypt(response, await importJWK(privateKey, keyAgreement), {
      keyManagementAlgorithms: [keyAgreement],
      contentEncryptionAlgorithms: contentEncryptions,
    });
    // Compressed content could grow a thousand times.
    if (protectedHeader.zip === undefined && protectedHeader.kid === encryptionKeyId)
      return new TextDecoder("utf-8", { fatal: true }).decode(plaintext);
  } catch {
    // The library throws many kinds of errors. The text of an answer decides which.
  }
  throw new StateIdRefusal("unreadable", "not encrypted for this request");
}

type ForIso = { origin: string; encryptionInfo: string; privateKey: JWK };
const suite = new CipherSuite(KEM_DHKEM_P256_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_128_GCM);

/** Opens the HPKE message of ISO/IEC 18013-7, annex C. Its associated information is the transcript. */
export async function openIso(response: string, { origin, encryptionInfo, privateKey }: ForIso): Promise<Opened> {
  const transcript = isoTranscript({ origin, encryptionInfo });
  const { enc, cipherText } = encryptedIn(bytesIn(response));
  try {
    const opened = await suite.Open(await keyPairOf(privateKey), enc, cipherText, { info: transcript.encode() });
    return { response: new Uint8Array(opened), transcript };
  } catch {
    throw new StateIdRefusal("unreadable", "not encrypted for this request");
  }
}

async function keyPairOf(privateKey: JWK): Promise<CryptoKeyPair> {
  const { d: _, ...publicKey } = privateKey;
  const algorithm = { name: "ECDH", namedCurve: "P-256" };
  return {
    privateKey: await crypto.subtle.importKey("jwk", privateKey, algorithm, false, ["deriveBits"]),
    publicKey: await crypto.subtle.importKey("jwk", publicKey, algorithm, true, []),
  };
}

function encryptedIn(bytes: Uint8Array): { enc: Uint8Array; cipherText: Uint8Array } {
  const decoded = safelyDecoded(bytes);
  const [name, parts]: unknown[] = Array.isArray(decoded) && decoded.length === 2 ? decoded : [];
  const enc: unknown = parts instanceof Map ? parts.get("enc") : undefined;
  const cipherText: unknown = parts instanceof Map ? parts.get("cipherText") : undefined;
  if (name !== "dcapi" || !(enc instanceof Uint8Array) || !(cipherText instanceof Uint8Array))
    throw new StateIdRefusal("unreadable", "not an encrypted response");
  return { enc: Uint8Array.from(enc), cipherText: Uint8Array.from(cipherText) };
}

function safelyDecoded(bytes: Uint8Array): unknown {
  try {
    assertSafeCbor(bytes);
    return cborDecode(bytes);
  } catch (error) {
    throw new StateIdRefusal("unreadable", decodingProblem(error));
  }
}
