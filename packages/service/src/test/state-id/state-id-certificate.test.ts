/** ISO/IEC 18013-5, annex B: each rule about roots and signers, broken alone. */
import "reflect-metadata";
import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "@countersign/contract/time";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  CRLDistributionPointsExtension,
  ExtendedKeyUsageExtension,
  Extension,
  IssuerAlternativeNameExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { assertRoot, assertSigner, readCertificate, WrongCertificate } from "../../domain/state-id/certificate.ts";

const at = Date.UTC(2026, 0, 1);
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const newKeys = (given: object = algorithm) =>
  crypto.subtle.generateKey({ ...algorithm, ...given }, true, ["sign", "verify"]) as Promise<CryptoKeyPair>;
const [rootKeys, signerKeys, otherKeys] = [await newKeys(), await newKeys(), await newKeys()];
const alternative = new IssuerAlternativeNameExtension([{ type: "url", value: "https://dmv.example" }]);
const lists = new CRLDistributionPointsExtension(["https://dmv.example/crl"]);
const unknownCritical = new Extension("1.2.3.4", true, Uint8Array.of(5, 0));
const rootName = "CN=Test Root, ST=US-CA, C=US";

type Parts = Record<string, Extension>;
type Changed = {
  name?: string;
  from?: number;
  until?: number;
  keys?: CryptoKeyPair;
  hash?: string;
  parts?: Parts;
  without?: string;
};

/** A root. `parts` replaces or adds extensions, and `without` leaves one out. */
async function root(changed: Changed = {}) {
  const keys = changed.keys ?? rootKeys;
  const parts: Parts = {
    constraints: new BasicConstraintsExtension(true, 0, true),
    usage: new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    keyId: await SubjectKeyIdentifierExtension.create(keys.publicKey),
    alternative,
    ...changed.parts,
  };
  const made = await X509CertificateGenerator.createSelfSigned({
    name: changed.name ?? rootName,
    notBefore: new Date(changed.from ?? at - 1_000 * dayMs),
    notAfter: new Date(changed.until ?? at + 1_000 * dayMs),
    signingAlgorithm: { ...algorithm, hash: changed.hash ?? "SHA-256" },
    keys,
    extensions: Object.entries(parts).flatMap(([name, part]) => (name === changed.without ? [] : [part])),
  });
  return readCertificate(new Uint8Array(made.rawData));
}

async function signer(changed: Changed & { issuer?: string; signedBy?: CryptoKeyPair } = {}) {
  const { publicKey } = changed.keys ?? signerKeys;
  const parts: Parts = {
    usage: new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    purpose: new ExtendedKeyUsageExtension(["1.0.18013.5.1.2"], true),
    keyId: await SubjectKeyIdentifierExtension.create(publicKey),
    rootId: await AuthorityKeyIdentifierExtension.create(rootKeys.publicKey),
    alternative,
    lists,
    ...changed.parts,
  };
  const made = await X509CertificateGenerator.create({
    subject: changed.name ?? "CN=Test Signer, ST=US-CA, C=US",
    issuer: changed.issuer ?? rootName,
    notBefore: new Date(changed.from ?? at - dayMs),
    notAfter: new Date(changed.until ?? at + 365 * dayMs),
    signingAlgorithm: { ...algorithm, hash: changed.hash ?? "SHA-256" },
    publicKey,
    signingKey: (changed.signedBy ?? rootKeys).privateKey,
    extensions: Object.entries(parts).flatMap(([name, part]) => (name === changed.without ? [] : [part])),
  });
  return readCertificate(new Uint8Array(made.rawData));
}

const refuses = (check: () => void, why: RegExp) =>
  assert.throws(check, (error) => error instanceof WrongCertificate && why.test(error.message));

test("a root and a signer of annex B pass", async () => {
  const made = await root();
  assertRoot(made);
  assertSigner(await signer(), made, { kind: "document", at });
  const p384 = await newKeys({ namedCurve: "P-384" });
  assertRoot(await root({ keys: p384, hash: "SHA-384" }));
});

test("a root with anything wrong is refused", async () => {
  const cases: [Changed, RegExp][] = [
    [{ parts: { constraints: new BasicConstraintsExtension(false, undefined, true) } }, /not a CA/],
    [{ parts: { constraints: new BasicConstraintsExtension(true, 0, false) } }, /not a CA/],
    [{ without: "constraints" }, /not a CA/],
    [{ parts: { constraints: new BasicConstraintsExtension(true, 1, true) } }, /path length/],
    [{ parts: { constraints: new BasicConstraintsExtension(true, undefined, true) } }, /path length/],
    [
      { parts: { usage: new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, false) } },
      /critical/,
    ],
    [{ parts: { usage: new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true) } }, /not a root's/],
    [{ without: "usage" }, /critical/],
    [{ without: "keyId" }, /subject key identifier/],
    [{ without: "alternative" }, /alternative name/],
    [{ parts: { unknownCritical } }, /unknown critical/],
    [{ name: "CN=Test Root" }, /no country/],
    [{ name: "O=Test Root, C=US" }, /no common name/],
  ];
  for (const [changed, why] of cases) {
    const one = await root(changed);
    refuses(() => assertRoot(one), why);
  }
  const leaf = await signer();
  refuses(() => assertRoot(leaf), /self-signed/);
  const rsa = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: 2_048,
    publicExponent: Uint8Array.of(1, 0, 1),
  };
  const keys = (await crypto.subtle.generateKey(rsa, true, ["sign", "verify"])) as CryptoKeyPair;
  const { rawData } = await X509CertificateGenerator.createSelfSigned({ name: rootName, signingAlgorithm: rsa, keys });
  refuses(() => assertRoot(readCertificate(new Uint8Array(rawData))), /curve/);
  refuses(() => readCertificate(Uint8Array.of(1, 2, 3)), /not a certificate/);
  refuses(() => readCertificate(new Uint8Array(10_000)), /too long/);
});

test("a signer with anything wrong is refused", async () => {
  const trusted = await root();
  const strangerId = await AuthorityKeyIdentifierExtension.create(otherKeys.publicKey);
  const cases: [Parameters<typeof signer>[0], RegExp][] = [
    [{ signedBy: otherKeys }, /root did not sign/],
    [{ issuer: "CN=Another Root, ST=US-CA, C=US" }, /root did not sign/],
    [{ parts: { rootId: strangerId } }, /another key/],
    [{ without: "rootId" }, /another key/],
    [{ parts: { constraints: new BasicConstraintsExtension(true, 0, true) } }, /is a CA/],
    [{ parts: { usage: new KeyUsagesExtension(KeyUsageFlags.digitalSignature, false) } }, /key usage is not critical/],
    [{ parts: { usage: new KeyUsagesExtension(KeyUsageFlags.keyAgreement, true) } }, /key usage is not a signer's/],
    [
      { parts: { purpose: new ExtendedKeyUsageExtension(["1.0.18013.5.1.2"], false) } },
      /extended key usage is not crit/,
    ],
    [{ parts: { purpose: new ExtendedKeyUsageExtension(["1.0.18013.5.1.6"], true) } }, /extended key usage is not a/],
    [{ without: "purpose" }, /extended key usage/],
    [{ without: "lists" }, /revocation list/],
    [{ without: "keyId" }, /subject key identifier/],
    [{ without: "alternative" }, /alternative name/],
    [{ parts: { unknownCritical } }, /unknown critical/],
    [{ until: at + 500 * dayMs }, /too long/],
    [{ from: at + dayMs }, /not valid now/],
    [{ from: at - 100 * dayMs, until: at - dayMs }, /not valid now/],
    [{ name: "CN=Test Signer, ST=US-CA, C=MX" }, /country/],
    [{ name: "CN=Test Signer, ST=US-NV, C=US" }, /state/],
    [{ name: "CN=Test Signer, C=US" }, /state/],
  ];
  for (const [changed, why] of cases) {
    const one = await signer(changed);
    refuses(() => assertSigner(one, trusted, { kind: "document", at }), why);
  }
  const [one, expired] = [await signer(), await root({ until: at - dayMs })];
  refuses(() => assertSigner(one, expired, { kind: "document", at }), /root is not valid now/);
});

test("a signer of status lists signs no documents, and a document signer may sign status lists", async () => {
  const trusted = await root();
  const status = await signer({ parts: { purpose: new ExtendedKeyUsageExtension(["1.3.6.1.5.5.7.3.30"], true) } });
  assertSigner(status, trusted, { kind: "status", at });
  refuses(() => assertSigner(status, trusted, { kind: "document", at }), /extended key usage/);
  assertSigner(await signer(), trusted, { kind: "status", at });
});
