/** The examples of OpenID4VP, and answers that another library made. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash, type KeyObject } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import { dayMs } from "@countersign/contract/time";
import { calculateJwkThumbprint } from "jose";
import { verifyDocument } from "../../domain/state-id/document.ts";
import { isoTranscript, openidTranscript } from "../../domain/state-id/transcript.ts";
import { keyFrom, makeRoot, makeSigner } from "../../providers/sandbox/state-id/authority.ts";
import type { OtherWalletInput } from "../harness/other-wallet.ts";
import { refusalOf } from "../harness/state-id-journey.ts";

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** OpenID4VP 1.0, appendix B.2.6.2. */
const example = {
  key: {
    kty: "EC",
    crv: "P-256",
    x: "DxiH5Q4Yx3UrukE2lWCErq8N8bqC9CHLLrAwLz5BmE0",
    y: "XtLM4-3h5o3HUH0MHVJV0kyq0iBlrBwlh8qEDMZ4-Pc",
  },
  origin: "https://example.com",
  nonce: "exc7gBkxjx1rdc9udRrveKvSsJIq80avlXeLHhGwqtA",
  thumbprint: "4283ec927ae0f208daaa2d026a814f2b22dca52cf85ffa8f3f8626c6bd669047",
  transcript:
    "83f6f682764f70656e4944345650444341504948616e646f7665725820" +
    "fbece366f4212f9762c74cfdbf83b8c69e371d5d68cea09cb4c48ca6daab761a",
};

const at = Date.UTC(2026, 5, 1);
const keyOf = (label: string) => keyFrom(createHash("sha256").update(label).digest());
const [root, signer, phone] = [keyOf("root"), keyOf("signer"), keyOf("phone")];
const california = { state: "CA", name: "California" };
const authorities = [
  { ...california, jurisdiction: "US-CA", certificate: await makeRoot("CA", california.name, root) },
];
const transcript = isoTranscript({ origin: "https://wallet.example", encryptionInfo: "AAAA" });
const values = {
  given_name: "Ava",
  family_name: "Jones",
  birth_date: "1990-03-25",
  issuing_country: "US",
  issuing_jurisdiction: "US-CA",
};
const jwkOf = (key: KeyObject) => ({ ...key.export({ format: "jwk" }), kty: "EC" });

/** What another library makes of this input. */
async function madeElsewhere(changed: Partial<OtherWalletInput> = {}): Promise<Uint8Array> {
  const input: OtherWalletInput = {
    issuerKey: jwkOf(signer.privateKey),
    certificate: hexOf(await makeSigner({ ...california, root, signer, at })),
    phoneKey: jwkOf(phone.privateKey),
    transcript: hexOf(transcript.encode({ asDataItem: true })),
    values,
    signed: at - dayMs,
    validUntil: at + dayMs,
    ...changed,
  };
  const program = join(import.meta.dirname, "../harness/other-wallet.ts");
  const text = execFileSync(process.execPath, [program], { input: JSON.stringify(input), encoding: "utf8" });
  return new Uint8Array(Buffer.from(text, "hex"));
}

test("the session transcript is that of the example of OpenID4VP", async () => {
  const { origin, nonce } = example;
  const thumbprint = Buffer.from(await calculateJwkThumbprint(example.key), "base64url");
  assert.equal(hexOf(thumbprint), example.thumbprint);
  assert.equal(hexOf(openidTranscript({ origin, nonce, thumbprint }).encode()), example.transcript);
});

test("an answer that another library made is read", async () => {
  const {
    values: read,
    authority,
    validUntil,
    status,
  } = await verifyDocument(await madeElsewhere(), {
    transcript,
    authorities,
    at,
  });
  const all = read.get("org.iso.18013.5.1") ?? new Map();
  assert.equal(all.get("given_name"), "Ava");
  assert.equal(String(all.get("birth_date")), "1990-03-25");
  assert.equal(authority.jurisdiction, "US-CA");
  assert.equal(validUntil, at + dayMs);
  assert.equal(status, null);
});

test("an answer that another library made is refused if its parts do not belong together", async () => {
  const stranger = jwkOf(keyOf("a stranger").privateKey);
  const other = isoTranscript({ origin: "https://another.example", encryptionInfo: "AAAA" });
  const cases: [Partial<OtherWalletInput>, string, string][] = [
    [{ transcript: hexOf(other.encode({ asDataItem: true })) }, "notGenuine", "Device signature"],
    [{ issuerKey: stranger }, "notGenuine", "Issuer auth signature"],
    [{ validUntil: at - 1_000 }, "expired", ""],
    [{ signed: at + dayMs }, "notYetValid", ""],
    [{ values: { ...values, issuing_jurisdiction: "US-NV" } }, "notGenuine", "The 'issuing_jurisdiction'"],
    [{ values: { ...values, issuing_country: "MX" } }, "notGenuine", "The 'issuing_country'"],
  ];
  for (const [changed, reason, check] of cases) {
    const refusal = await refusalOf(verifyDocument(await madeElsewhere(changed), { transcript, authorities, at }));
    assert.deepEqual([refusal.reason, refusal.check.slice(0, check.length)], [reason, check]);
  }
});
