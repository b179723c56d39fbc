/** Published examples, and messages that other libraries sealed. `published-examples.json` names sources and licenses. */
import assert from "node:assert/strict";
import { createPrivateKey, sign, verify, X509Certificate } from "node:crypto";
import { test } from "node:test";
import { dayMs } from "@countersign/contract/time";
import { cborDecode, cborEncode, DataItem, DeviceResponse, Sign1 } from "@owf/mdoc";
import { openIso, openOpenid } from "../../domain/state-id/answers.ts";
import { verifyDocument } from "../../domain/state-id/document.ts";
import { signedByReader } from "../../domain/state-id/requests.ts";
import { isSignedWith } from "../../domain/state-id/signature.ts";
import { isoTranscript } from "../../domain/state-id/transcript.ts";
import { readTrustFile } from "../../domain/state-id/trust-list.ts";
import { refusalOf } from "../harness/state-id-journey.ts";
import published from "./published-examples.json" with { type: "json" };

const { annexC, annexD, europe, sealedElsewhere } = published;
const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));
const hexOf = (some: Uint8Array) => Buffer.from(some).toString("hex");
/** The document of annex D is valid for a year from October 2020 on. */
const at = Date.UTC(2021, 0, 1);
const authoritiesOf = (root: string, when = at) =>
  readTrustFile({ bytes: bytes(root), name: "Utopia", jurisdiction: `${countryOf(root)}-UT`, at: when });
const countryOf = (root: string) => /C=([A-Z]{2})/.exec(new X509Certificate(bytes(root)).subject)?.[1];
const authorities = authoritiesOf(annexD.root);
const transcript = isoTranscript({ origin: "https://wallet.example", encryptionInfo: "AAAA" });

/** The document of annex D, signed by its phone for our transcript. Everything that its authority signed is as published. */
function signedByItsPhone(): Uint8Array {
  const key = createPrivateKey({ key: annexD.phoneKey, format: "jwk" });
  const names = DataItem.fromData(new Map());
  const parts = ["DeviceAuthentication", transcript.encodedStructure, "org.iso.18013.5.1.mDL", names];
  const header = cborEncode(new Map([[1, -7]]));
  const text = cborEncode(["Signature1", header, new Uint8Array(), cborEncode(DataItem.fromData(parts))]);
  const signature = sign("sha256", text, { key, dsaEncoding: "ieee-p1363" });
  const signed = new Map<string, unknown>([
    ["nameSpaces", names],
    ["deviceAuth", new Map([["deviceSignature", [header, new Map(), null, signature]]])],
  ]);
  const member = hexOf(cborEncode("deviceSigned"));
  const before = annexD.deviceResponse.slice(0, annexD.deviceResponse.lastIndexOf(member));
  return bytes(`${before}${member}${hexOf(cborEncode(signed))}${hexOf(cborEncode("status"))}00`);
}

const annexDAsRead = new Map<string, string>([
  ["family_name", "Doe"],
  ["document_number", "123456789"],
  ["issue_date", "2019-10-20"],
  ["expiry_date", "2024-10-20"],
]);

function assertIsAnnexD({ values }: Awaited<ReturnType<typeof verifyDocument>>): void {
  const read = values.get("org.iso.18013.5.1") ?? new Map();
  for (const [name, value] of annexDAsRead) assert.equal(String(read.get(name)), value);
  assert.deepEqual([...read.keys()].sort(), [...annexDAsRead.keys(), "driving_privileges", "portrait"].sort());
}

test("the document of ISO/IEC 18013-5, annex D, is read once its phone has signed it for our request", async () => {
  const document = await verifyDocument(signedByItsPhone(), { transcript, authorities, at });
  assertIsAnnexD(document);
  assert.equal(document.authority.name, "Utopia");
  assert.equal(document.validUntil, Date.UTC(2021, 9, 1, 13, 30, 2));
});

test("the answer of annex D as published is refused, because it has a MAC of a session that browsers do not have", async () => {
  const reading = verifyDocument(bytes(annexD.deviceResponse), { transcript, authorities, at });
  assert.deepEqual(await refusalOf(reading), { reason: "notGenuine", check: "no device signature" });
});

test("each part of annex D is refused once it is changed, and outside its year", async () => {
  const genuine = hexOf(signedByItsPhone());
  const changed = (from: string, to: string) => {
    assert.equal(genuine.split(from).length, 2, from);
    return verifyDocument(bytes(genuine.replace(from, to)), { transcript, authorities, at });
  };
  // Another name, another digest, another end, and another signature.
  assert.match((await refusalOf(changed("63446f65", "63466f65"))).check, /^The calculated digest/);
  assert.match((await refusalOf(changed("75167333b47b", "76167333b47b"))).check, /^Issuer auth signature/);
  assert.match(
    (await refusalOf(changed("323032312d31302d30315431", "323032322d31302d30315431"))).check,
    /^Issuer auth/,
  );
  assert.match((await refusalOf(changed("59e64205df1e", "5ae64205df1e"))).check, /^Issuer auth signature/);
  const later = verifyDocument(signedByItsPhone(), { transcript, authorities, at: at + 365 * dayMs });
  assert.equal((await refusalOf(later)).reason, "notGenuine");
});

test("the reader's signature of annex D is over what our requests sign", () => {
  const request: unknown = cborDecode(bytes(annexD.deviceRequest));
  const [asked]: unknown[] = request instanceof Map ? request.get("docRequests") : [];
  const items: unknown = asked instanceof Map ? asked.get("itemsRequest") : undefined;
  const [header, headers, , signature] = asked instanceof Map ? asked.get("readerAuth") : [];
  assert.ok(items instanceof DataItem && headers instanceof Map);
  assert.equal(hexOf(header), "a10126");
  const session: unknown = cborDecode(bytes(annexD.sessionTranscript));
  const key = new X509Certificate(headers.get(33)).publicKey;
  assert.ok(verify("sha256", signedByReader(session, items), { key, dsaEncoding: "ieee-p1363" }, signature));
});

test("the session transcript is that of an example of ISO/IEC 18013-7, annex C", () => {
  const { origin, encryptionInfo, handover } = annexC;
  assert.equal(hexOf(isoTranscript({ origin, encryptionInfo }).encode()), `83f6f6826564636170695820${handover}`);
});

test("messages that other libraries sealed for HPKE and JWE are opened, and their document is read", async () => {
  const { origin, nonce, encryptionInfo, isoKey, openidKey, iso, openid } = sealedElsewhere;
  for (const opened of [
    await openIso(iso, { origin, encryptionInfo, privateKey: isoKey }),
    await openOpenid(openid, { origin, nonce, privateKey: openidKey }),
  ])
    assertIsAnnexD(await verifyDocument(opened.response, { transcript: opened.transcript, authorities, at }));
});

test("a message has one text: another spelling of its last bits is refused", async () => {
  const { origin, nonce, openidKey, openid } = sealedElsewhere;
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const parts = openid.split(".");
  // A tag of 16 bytes leaves four bits of its last character unused.
  const tag = parts[4] ?? assert.fail();
  const other = `${tag.slice(0, -1)}${alphabet[alphabet.indexOf(tag.slice(-1)) + 1]}`;
  assert.deepEqual(Buffer.from(other, "base64url"), Buffer.from(tag, "base64url"));
  const changed = [...parts.slice(0, 4), other].join(".");
  assert.equal((await refusalOf(openOpenid(changed, { origin, nonce, privateKey: openidKey }))).reason, "unreadable");
});

test("a license of the European test issuer is signed as we read it, and refused for its signer's purpose", async () => {
  const response = bytes(`a36776657273696f6e63312e3069646f63756d656e747381${europe.document}6673746174757300`);
  const [document = assert.fail("no document")] = DeviceResponse.decode(response).documents ?? [];
  const { deviceAuth } = document.deviceSigned;
  const session: unknown = cborDecode(bytes(europe.transcript));
  const parts = ["DeviceAuthentication", session, document.docType, DataItem.fromData(new Map())];
  const [header, headers, , signature] = deviceAuth.deviceSignature?.encodedStructure ?? [];
  const signed = [header, headers, cborEncode(DataItem.fromData(parts)), signature];
  const { deviceKey } = document.issuerSigned.issuerAuth.mobileSecurityObject.deviceKeyInfo;
  assert.ok(isSignedWith(Sign1.decode(cborEncode(signed)), deviceKey));
  // A European signer does not have the purpose of ISO/IEC 18013-5, annex B.
  const when = Date.UTC(2026, 5, 1);
  const reading = verifyDocument(response, { transcript, authorities: authoritiesOf(europe.root, when), at: when });
  const { reason, check } = await refusalOf(reading);
  assert.deepEqual([reason, check], ["notGenuine", "certificate: its extended key usage is not a signer's"]);
});
