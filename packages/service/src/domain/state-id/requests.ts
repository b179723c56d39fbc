/** What the browser's Digital Credentials API is asked, in the two protocols of wallet apps. */
import { createHash, sign } from "node:crypto";
import { CoseKey, cborEncode, DataItem, type SessionTranscript } from "@owf/mdoc";
import type { JWK } from "jose";
import type { StateIdReader } from "../ports.ts";
import { documentType, isoNamespace, type StateIdElement } from "./elements.ts";
import { acceptedAlgorithms } from "./signature.ts";
import { isoTranscript } from "./transcript.ts";

/** The only credential of a request of OpenID4VP. */
export const credentialId = "state_id";
/** How an answer of OpenID4VP may be encrypted. */
export const contentEncryptions = ["A128GCM", "A256GCM"];
export const keyAgreement = "ECDH-ES";
/** The key that an answer is encrypted to. A request has one. */
export const encryptionKeyId = "1";

/** `publicKey`: P-256. */
type Asking = { elements: readonly StateIdElement[]; publicKey: JWK; reader: StateIdReader | null };

/** OpenID4VP 1.0, appendix A: the parameters, or with a reader certificate a signed object that has them. */
export function openidRequest(asking: Asking & { origin: string; nonce: string }): Record<string, unknown> {
  const { elements, publicKey, reader, origin, nonce } = asking;
  const algorithms = { issuerauth_alg_values: acceptedAlgorithms, deviceauth_alg_values: acceptedAlgorithms };
  const parameters = {
    response_type: "vp_token",
    response_mode: "dc_api.jwt",
    nonce,
    dcql_query: {
      credentials: [
        {
          id: credentialId,
          format: "mso_mdoc",
          meta: { doctype_value: documentType },
          claims: elements.map((element) => ({ path: [isoNamespace, element], intent_to_retain: true })),
        },
      ],
    },
    client_metadata: {
      jwks: { keys: [{ ...publicKey, kid: encryptionKeyId, use: "enc", alg: keyAgreement }] },
      encrypted_response_enc_values_supported: contentEncryptions,
      vp_formats_supported: { mso_mdoc: algorithms },
    },
  };
  return reader === null ? parameters : { request: signedRequest(parameters, reader, origin) };
}

function signedRequest(parameters: Record<string, unknown>, { chain, key }: StateIdReader, origin: string): string {
  const [leaf = new Uint8Array()] = chain;
  const header = {
    alg: "ES256",
    typ: "oauth-authz-req+jwt",
    x5c: chain.map((certificate) => Buffer.from(certificate).toString("base64")),
  };
  const payload = {
    client_id: `x509_hash:${createHash("sha256").update(leaf).digest("base64url")}`,
    expected_origins: [origin],
    aud: "https://self-issued.me/v2",
    ...parameters,
  };
  const text = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${text}.${sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

/** The nonce and the key of a request of ISO/IEC 18013-7, annex C, base64url. */
export function encryptionInfoOf({ nonce, publicKey }: { nonce: Uint8Array; publicKey: JWK }): string {
  const { kty, crv, x, y } = publicKey;
  const recipient = CoseKey.fromJwk({ kty, crv, x, y }).encodedStructure;
  const parameters = new Map<string, unknown>([
    ["nonce", nonce],
    ["recipientPublicKey", recipient],
  ]);
  return Buffer.from(cborEncode(["dcapi", parameters])).toString("base64url");
}

type IsoAsking = Omit<Asking, "publicKey"> & { origin: string; encryptionInfo: string };

/** ISO/IEC 18013-7, annex C. With a reader certificate, the request is signed for this origin and key. */
export function isoRequest({ elements, reader, origin, encryptionInfo }: IsoAsking): Record<string, unknown> {
  const wanted = new Map(elements.map((element): [string, boolean] => [element, true]));
  const items = DataItem.fromData(
    new Map<string, unknown>([
      ["docType", documentType],
      ["nameSpaces", new Map([[isoNamespace, wanted]])],
    ]),
  );
  const transcript = isoTranscript({ origin, encryptionInfo });
  const request = new Map<string, unknown>([
    ["itemsRequest", items],
    ...(reader === null ? [] : [["readerAuth", readerAuth(reader, transcript, items)] as const]),
  ]);
  const device = new Map<string, unknown>([
    ["version", "1.0"],
    ["docRequests", [request]],
  ]);
  return { deviceRequest: Buffer.from(cborEncode(device)).toString("base64url"), encryptionInfo };
}

/** ISO/IEC 18013-5, 9.1.4: a COSE_Sign1 whose payload is not sent. */
function readerAuth({ chain, key }: StateIdReader, transcript: SessionTranscript, items: DataItem): unknown[] {
  const signed = signedByReader(transcript.encodedStructure, items);
  const certificates = new Map([[33, chain.length === 1 ? chain[0] : chain]]);
  return [readerHeader, certificates, null, sign("sha256", signed, { key, dsaEncoding: "ieee-p1363" })];
}

const readerHeader = cborEncode(new Map([[1, -7]]));

/** The text that a reader signs. `transcript`, `items`: as CBOR encodes them. */
export function signedByReader(transcript: unknown, items: DataItem): Uint8Array {
  const payload = cborEncode(DataItem.fromData(["ReaderAuthentication", transcript, items]));
  return cborEncode(["Signature1", readerHeader, new Uint8Array(), payload]);
}
