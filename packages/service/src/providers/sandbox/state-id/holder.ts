/**
 * A wallet app of the sandbox: it answers requests for state IDs with IDs of test people, and on request with one
 * mistake. It shares no code with what reads the answers, except the encoding of CBOR.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { dayMs } from "@countersign/contract/time";
import { cborDecode, cborEncode, DataItem, DateOnly } from "@owf/mdoc";
import { AEAD_AES_128_GCM, CipherSuite, KDF_HKDF_SHA256, KEM_DHKEM_P256_HKDF_SHA256 } from "hpke";
import { CompactEncrypt, calculateJwkThumbprint, decodeJwt, importJWK } from "jose";
import {
  keyFrom,
  makeSigner,
  rootKey,
  type SecretOf,
  signerKey,
  statuses,
  statusUri,
  type TestStatus,
  testStates,
} from "./authority.ts";
import { coseSign1 } from "./cose.ts";
import type { TestStateId } from "./test-ids.ts";

/** One thing that is wrong with an answer, with what a person reads about it. */
export const holderMistakes = {
  declined: "The wallet app declines",
  expired: "The ID expired yesterday",
  licenseExpired: "The license expired, but its proof did not",
  notYetValid: "The ID is valid from tomorrow on",
  revoked: "The authority revoked the ID",
  suspended: "The authority suspended the ID",
  unknownIssuer: "An authority that is not on the trust list",
  forgedSigner: "A signer that claims to be the authority’s",
  wrongPurpose: "A certificate of the authority that may not sign IDs",
  otherState: "The root of one state signs for another state",
  changedValue: "A name was changed after the authority signed it",
  changedProof: "The authority’s signature was changed",
  otherPhone: "A copy of the ID on another phone",
  deviceMac: "A MAC instead of the phone’s signature",
  otherNonce: "The answer belongs to an earlier request",
  otherOrigin: "The answer was made for another site",
  oldTranscript: "The session transcript of a draft of OpenID4VP",
  unsigned: "The answer claims an unsigned request",
  notEncrypted: "The answer is not encrypted",
  otherKey: "The answer is encrypted for another key",
  wrongCurve: "The phone’s key is on a curve that is not accepted",
  truncated: "The answer is cut off",
  deepNesting: "The answer is nested 10,000 levels deep",
  hugePortrait: "The answer has a portrait of 4 MB",
  repeatedElement: "The answer has two names",
  twoDocuments: "The answer has two IDs",
} as const;
export type HolderMistake = keyof typeof holderMistakes;

/** `request`: one of `digital.requests`. `now`: Unix milliseconds of the sandbox. */
export type HolderInput = {
  secretOf: SecretOf;
  stateId: TestStateId;
  mistake?: HolderMistake | undefined;
  origin: string;
  now: number;
  request: { protocol: string; data: unknown };
};
/** What a browser's `DigitalCredential` has. */
export type HolderAnswer = { protocol: string; data: Record<string, unknown> };

const namespace = "org.iso.18013.5.1";
const license = "org.iso.18013.5.1.mDL";

type Asked = {
  elements: string[];
  transcript: unknown[];
  seal(response: Uint8Array): Promise<Record<string, unknown>>;
};

/** A request that no wallet app can read. */
export class UnreadableRequest extends Error {
  override name = "UnreadableRequest";
}

/** Reads or seals with what the request contains. Whatever fails there is the request's fault. */
async function withRequest<Result>(use: () => Promise<Result>): Promise<Result> {
  return await use().catch((cause: unknown) => {
    throw new UnreadableRequest("this is not a request for a state ID", { cause });
  });
}

/** Answers a request as a wallet app does that has this ID. Throws `UnreadableRequest` for a request that it cannot read. */
export async function answerAsHolder(input: HolderInput): Promise<HolderAnswer> {
  const { request, mistake } = input;
  const protocol = mistake === "unsigned" ? "openid4vp-v1-unsigned" : request.protocol;
  if (mistake === "declined") return { protocol, data: { error: "access_denied" } };
  const readRequest = request.protocol === "org-iso-mdoc" ? askedByIso : askedByOpenid;
  const asked = await withRequest(() => readRequest(input));
  const response = await makeResponse(input, asked);
  return { protocol, data: await withRequest(() => asked.seal(response)) };
}

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
const handover = (name: string, info: unknown) => [null, null, [name, digest(cborEncode(info))]];
const changedOrigin = "https://another.example";

/** A member of JSON or CBOR. Undefined if there is none on the way. */
function memberOf(value: unknown, ...path: (string | number)[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (value instanceof DataItem) return memberOf(value.data, ...path);
  if (value instanceof Map) return memberOf(value.get(name), ...rest);
  return typeof value === "object" && value !== null ? memberOf(Reflect.get(value, name), ...rest) : undefined;
}
const textIn = (value: unknown, ...path: (string | number)[]) => String(memberOf(value, ...path) ?? "");

async function askedByOpenid({ request, origin, mistake }: HolderInput): Promise<Asked> {
  const signed = memberOf(request.data, "request");
  const parameters: unknown = typeof signed === "string" ? decodeJwt(signed) : request.data;
  const credential = memberOf(parameters, "dcql_query", "credentials", 0);
  const claims = memberOf(credential, "claims");
  const key = memberOf(parameters, "client_metadata", "jwks", "keys", 0);
  const publicKey = { kty: textIn(key, "kty"), crv: textIn(key, "crv"), x: textIn(key, "x"), y: textIn(key, "y") };
  const nonce = mistake === "otherNonce" ? randomBytes(16).toString("base64url") : textIn(parameters, "nonce");
  const to = mistake === "otherOrigin" ? changedOrigin : origin;
  const thumbprint = Buffer.from(await calculateJwkThumbprint(publicKey), "base64url");
  const recipient = mistake === "otherKey" ? strangerKey() : publicKey;
  return {
    elements: Array.isArray(claims) ? claims.map((claim: unknown) => textIn(claim, "path", 1)) : [],
    transcript: handover(
      "OpenID4VPDCAPIHandover",
      mistake === "oldTranscript" ? [to, `web-origin:${to}`, nonce] : [to, nonce, thumbprint],
    ),
    async seal(response) {
      const answer = { vp_token: { [textIn(credential, "id")]: [Buffer.from(response).toString("base64url")] } };
      if (mistake === "notEncrypted") return answer;
      const encrypted = await new CompactEncrypt(Buffer.from(JSON.stringify(answer)))
        .setProtectedHeader({ alg: "ECDH-ES", enc: "A256GCM", kid: textIn(key, "kid") })
        .encrypt(await importJWK(recipient, "ECDH-ES"));
      return { response: encrypted };
    },
  };
}

function strangerKey() {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { kty = "", crv = "", x = "", y = "" } = publicKey.export({ format: "jwk" });
  return { kty, crv, x, y };
}

/** An uncompressed point of P-256. */
const pointOf = (x: Uint8Array, y: Uint8Array) => new Uint8Array(Buffer.concat([Buffer.of(4), x, y]));

const suite = new CipherSuite(KEM_DHKEM_P256_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_128_GCM);
const decoded = (text: string): unknown => cborDecode(new Uint8Array(Buffer.from(text, "base64url")));

async function askedByIso({ request, origin, mistake }: HolderInput): Promise<Asked> {
  const encryptionInfo = textIn(request.data, "encryptionInfo");
  const key = memberOf(decoded(encryptionInfo), 1, "recipientPublicKey");
  const bytesIn = (name: number) => {
    const bytes = memberOf(key, name);
    return bytes instanceof Uint8Array ? bytes : new Uint8Array();
  };
  const stranger = strangerKey();
  const device = decoded(textIn(request.data, "deviceRequest"));
  const wanted = memberOf(device, "docRequests", 0, "itemsRequest", "nameSpaces", namespace);
  const to = mistake === "otherOrigin" ? changedOrigin : origin;
  const info = mistake === "otherNonce" ? randomBytes(64).toString("base64url") : encryptionInfo;
  const transcript =
    mistake === "oldTranscript"
      ? [null, null, ["BrowserHandoverv1", digest(cborEncode([to]))]]
      : handover("dcapi", [info, to]);
  return {
    elements: wanted instanceof Map ? [...wanted.keys()] : [],
    transcript,
    async seal(response) {
      if (mistake === "notEncrypted") return { response: Buffer.from(response).toString("base64url") };
      const recipient = await suite.DeserializePublicKey(
        mistake === "otherKey"
          ? pointOf(Buffer.from(stranger.x, "base64url"), Buffer.from(stranger.y, "base64url"))
          : pointOf(bytesIn(-2), bytesIn(-3)),
      );
      // The reader can only decrypt what was made for it, so a wrong transcript is in the phone's signature alone.
      const { encapsulatedSecret: enc, ciphertext: cipherText } = await suite.Seal(recipient, response, {
        info: cborEncode(handover("dcapi", [encryptionInfo, origin])),
      });
      const sealed = new Map([
        ["enc", new Uint8Array(enc)],
        ["cipherText", new Uint8Array(cipherText)],
      ]);
      return { response: Buffer.from(cborEncode(["dcapi", sealed])).toString("base64url") };
    },
  };
}

/** The `DeviceResponse` (ISO/IEC 18013-5, 8.3.2.1.2.2). */
async function makeResponse(input: HolderInput, { elements, transcript }: Asked): Promise<Uint8Array> {
  const { mistake } = input;
  const document = await makeDocument(input, elements, transcript);
  const response = new Map<string, unknown>([
    ["version", "1.0"],
    ["documents", mistake === "twoDocuments" ? [document, document] : [document]],
    ["status", 0],
  ]);
  const bytes = cborEncode(response);
  if (mistake === "truncated") return bytes.subarray(0, bytes.length - 100);
  if (mistake !== "deepNesting") return bytes;
  const deep = Buffer.concat([Buffer.alloc(10_000, 0x81), Buffer.of(0)]);
  // A map with one more entry, whose value is nested.
  return new Uint8Array(Buffer.concat([Buffer.of((bytes[0] ?? 0) + 1), bytes.subarray(1), cborEncode("extra"), deep]));
}

type Dates = { from: number; until: number; expiry: number };

function datesOf({ now, mistake }: HolderInput): Dates {
  const dates = { from: now - 7 * dayMs, until: now + 14 * dayMs, expiry: now + 700 * dayMs };
  if (mistake === "expired") return { ...dates, until: now - dayMs };
  if (mistake === "notYetValid") return { ...dates, from: now + dayMs };
  return mistake === "licenseExpired" ? { ...dates, expiry: now - 3 * dayMs } : dates;
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const secondOf = (at: number) => new Date(Math.floor(at / 1_000) * 1_000);

function valuesOf({ stateId, now, mistake }: HolderInput, { expiry }: Dates): Record<string, unknown> {
  const { state, address } = stateId;
  return {
    given_name: stateId.firstName,
    family_name: stateId.lastName,
    birth_date: new DateOnly(stateId.birthDate),
    resident_address: address.line1,
    resident_city: address.city,
    resident_state: address.state,
    resident_postal_code: address.zipCode,
    resident_country: address.country,
    document_number: `T${createHash("sha256").update(stateId.id).digest("hex").replace(/\D/g, "").slice(0, 7)}`,
    issue_date: new DateOnly(dayOf(now - 365 * dayMs)),
    expiry_date: new DateOnly(dayOf(expiry)),
    sex: stateId.sex,
    issuing_country: "US",
    issuing_jurisdiction: mistake === "otherState" ? "US-TX" : `US-${state}`,
    issuing_authority: `${testStates[state]} Test DMV`,
  };
}

/** What an answer with a mistake needs, even if nothing asked for it. */
const alwaysShared: Partial<Record<HolderMistake, string[]>> = {
  otherState: ["issuing_jurisdiction"],
  licenseExpired: ["expiry_date"],
  repeatedElement: ["given_name"],
};

async function makeDocument(
  input: HolderInput,
  elements: string[],
  transcript: unknown[],
): Promise<Map<string, unknown>> {
  const { secretOf, stateId, mistake } = input;
  const dates = datesOf(input);
  const values = valuesOf(input, dates);
  const always = mistake === undefined ? [] : (alwaysShared[mistake] ?? []);
  const shared = [...new Set([...elements.filter((name) => name in values), ...always])];
  const all = Object.entries(values).map(([name, value]) => ({ name, value }));
  if (mistake === "hugePortrait") all.push({ name: "portrait", value: randomBytes(4 * 1_024 * 1_024) });
  if (mistake === "repeatedElement") all.push({ name: "given_name", value: "Someone" });
  const items = all.map(({ name, value }, at) => ({ name, at, item: itemOf(at, name, value) }));
  const phone = phoneKey(secretOf, stateId, mistake);
  const issued = await issueProof(input, { items, dates, phone: phone.publicKey });
  const sent = items
    .filter(({ name }) => shared.includes(name) || name === "portrait")
    .map(({ name, at, item }) =>
      mistake === "changedValue" && name === shared[0] ? itemOf(at, name, "Changed") : item,
    );
  const devices = DataItem.fromData(new Map());
  const authentication = cborEncode(DataItem.fromData(["DeviceAuthentication", transcript, license, devices]));
  const signer = mistake === "otherPhone" ? keyFrom(secretOf("another phone")).privateKey : phone.privateKey;
  const proof = coseSign1(signer, authentication, { detached: true });
  const deviceAuth =
    mistake === "deviceMac"
      ? new Map([["deviceMac", [cborEncode(new Map([[1, 5]])), new Map(), null, randomBytes(32)]]])
      : new Map([["deviceSignature", proof]]);
  return new Map<string, unknown>([
    ["docType", license],
    [
      "issuerSigned",
      new Map<string, unknown>([
        ["nameSpaces", new Map([[namespace, sent]])],
        ["issuerAuth", issued],
      ]),
    ],
    [
      "deviceSigned",
      new Map<string, unknown>([
        ["nameSpaces", devices],
        ["deviceAuth", deviceAuth],
      ]),
    ],
  ]);
}

function itemOf(digestID: number, name: string, value: unknown): DataItem {
  return DataItem.fromData(
    new Map<string, unknown>([
      ["digestID", digestID],
      ["random", randomBytes(32)],
      ["elementIdentifier", name],
      ["elementValue", value],
    ]),
  );
}

type PhoneKey = { publicKey: KeyObject; privateKey: KeyObject };

function phoneKey(secretOf: SecretOf, { id }: TestStateId, mistake: HolderMistake | undefined): PhoneKey {
  return mistake === "wrongCurve" ? generateKeyPairSync("ed25519") : keyFrom(secretOf(`phone of ${id}`));
}

/** A COSE_Key. */
function coseKeyOf(key: KeyObject): Map<number, unknown> {
  const { x = "", y } = key.export({ format: "jwk" });
  const part = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));
  return y === undefined
    ? new Map<number, unknown>([
        [1, 1],
        [-1, 6],
        [-2, part(x)],
      ])
    : new Map<number, unknown>([
        [1, 2],
        [-1, 1],
        [-2, part(x)],
        [-3, part(y)],
      ]);
}

type ToIssue = { items: { at: number; item: DataItem }[]; dates: Dates; phone: KeyObject };

/** The authority's signature over the digests, the dates and the phone's key: its mobile security object. */
async function issueProof(input: HolderInput, { items, dates, phone }: ToIssue): Promise<unknown[]> {
  const { secretOf, stateId, mistake, now } = input;
  const { state } = stateId;
  const status: TestStatus = mistake === "revoked" || mistake === "suspended" ? mistake : "valid";
  const object = new Map<string, unknown>([
    ["version", "1.0"],
    ["digestAlgorithm", "SHA-256"],
    ["valueDigests", new Map([[namespace, new Map(items.map(({ at, item }) => [at, digest(cborEncode(item))]))]])],
    ["deviceKeyInfo", new Map([["deviceKey", coseKeyOf(phone)]])],
    ["docType", license],
    [
      "validityInfo",
      new Map([
        ["signed", secondOf(now - 7 * dayMs)],
        ["validFrom", secondOf(dates.from)],
        ["validUntil", secondOf(dates.until)],
      ]),
    ],
    [
      "status",
      new Map([
        [
          "status_list",
          new Map<string, unknown>([
            ["idx", statuses[status]],
            ["uri", statusUri(state)],
          ]),
        ],
      ]),
    ],
  ]);
  const isUnknown = mistake === "unknownIssuer";
  const root =
    isUnknown || mistake === "forgedSigner" ? keyFrom(secretOf("a stranger's root")) : rootKey(secretOf, state);
  const signer = signerKey(secretOf, state);
  const name = isUnknown ? "Freedonia" : testStates[state];
  const issuer = { state, name, root, signer, at: now };
  const certificate = await (mistake === "wrongPurpose" ? makeSigner(issuer, "1.0.18013.5.1.6") : makeSigner(issuer));
  const proof = coseSign1(signer.privateKey, cborEncode(DataItem.fromData(object)), { certificate });
  return mistake === "changedProof" ? [...proof.slice(0, 3), randomBytes(64)] : proof;
}
