/**
 * Test authorities of state IDs. Their keys are derived from a secret of this installation, so every process of a
 * sandbox has the same ones, and no other installation accepts what they issue.
 */
// The library for certificates needs this import before its own.
import "reflect-metadata";
import { createECDH, createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { deflateSync } from "node:zlib";
import { dayMs, hourMs } from "@countersign/contract/time";
import { cborEncode } from "@owf/mdoc";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  CRLDistributionPointsExtension,
  ExtendedKeyUsageExtension,
  IssuerAlternativeNameExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";
import type { Clock, IssuingAuthority, StateIdReader, StateIdTrust } from "../../../domain/ports.ts";
import { coseSign1 } from "./cose.ts";

export const testStates = { CA: "California", AZ: "Arizona", CO: "Colorado", GA: "Georgia", NY: "New York" } as const;
export type TestState = keyof typeof testStates;
const stateNames: readonly TestState[] = ["CA", "AZ", "CO", "GA", "NY"];

/** Derives 32 bytes that only this installation can derive. */
export type SecretOf = (label: string) => Buffer;

const documentSigner = "1.0.18013.5.1.2";
const readerPurpose = "1.0.18013.5.1.6";
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const rootFrom = new Date("2024-01-01T00:00:00Z");
const rootUntil = new Date("2043-12-31T00:00:00Z");
/** A signer is valid for this long before and after the time of an answer. */
const signerAroundMs = 180 * dayMs;

/** A root's or a signer's key pair. */
export type AuthorityKey = { privateKey: KeyObject; publicKey: KeyObject };

/** A P-256 key pair from a derived secret. */
export function keyFrom(secret: Buffer): AuthorityKey {
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(secret);
  const point = curve.getPublicKey();
  const jwk: JsonWebKey = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
    d: secret.toString("base64url"),
  };
  const privateKey = createPrivateKey({ key: jwk, format: "jwk" });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

async function webKey(key: KeyObject): Promise<CryptoKey> {
  const usages: KeyUsage[] = key.type === "private" ? ["sign"] : ["verify"];
  return await crypto.subtle.importKey("jwk", key.export({ format: "jwk" }), algorithm, true, usages);
}

const nameOf = (state: string, title: string) => `CN=${title}, ST=US-${state}, C=US`;
const addressOf = (state: string) => `https://dmv-${state.toLowerCase()}.example`;
const rootTitle = (name: string) => `${name} Test Root`;

/** The root certificate of an authority (ISO/IEC 18013-5, annex B.1.2). */
export async function makeRoot(
  state: string,
  name: string,
  { privateKey, publicKey }: AuthorityKey,
): Promise<Uint8Array> {
  const keys = { privateKey: await webKey(privateKey), publicKey: await webKey(publicKey) };
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name: nameOf(state, rootTitle(name)),
    notBefore: rootFrom,
    notAfter: rootUntil,
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      new IssuerAlternativeNameExtension([{ type: "url", value: addressOf(state) }]),
    ],
  });
  return new Uint8Array(certificate.rawData);
}

type SignerOf = { state: string; name: string; root: AuthorityKey; signer: AuthorityKey; at: number };

/** The certificate of a document signer (annex B.1.4), which is valid at a time. `purpose`: its extended key usage. */
export async function makeSigner(of: SignerOf, purpose = documentSigner): Promise<Uint8Array> {
  const publicKey = await webKey(of.signer.publicKey);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: "02",
    subject: nameOf(of.state, `${of.name} Test Signer`),
    issuer: nameOf(of.state, rootTitle(of.name)),
    notBefore: new Date(of.at - signerAroundMs),
    notAfter: new Date(of.at + signerAroundMs),
    signingAlgorithm: algorithm,
    publicKey,
    signingKey: await webKey(of.root.privateKey),
    extensions: [
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([purpose], true),
      await SubjectKeyIdentifierExtension.create(publicKey),
      await AuthorityKeyIdentifierExtension.create(await webKey(of.root.publicKey)),
      new IssuerAlternativeNameExtension([{ type: "url", value: addressOf(of.state) }]),
      new CRLDistributionPointsExtension([`${addressOf(of.state)}/signers.crl`]),
    ],
  });
  return new Uint8Array(certificate.rawData);
}

/** A reader certificate for our requests (annex B.1.7). It is self-signed, because only the test wallet reads it. */
async function makeReader({ privateKey, publicKey }: AuthorityKey): Promise<StateIdReader> {
  const keys = { privateKey: await webKey(privateKey), publicKey: await webKey(publicKey) };
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: "03",
    name: "CN=Countersign Sandbox, C=US",
    notBefore: rootFrom,
    notAfter: rootUntil,
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([readerPurpose], true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { chain: [new Uint8Array(certificate.rawData)], key: privateKey };
}

export const rootKey = (secretOf: SecretOf, state: string) => keyFrom(secretOf(`${state} root`));
export const signerKey = (secretOf: SecretOf, state: string) => keyFrom(secretOf(`${state} signer`));

/** The status of an index of a test authority's list. */
export const statuses = { valid: 0, revoked: 1, suspended: 2 } as const;
export type TestStatus = keyof typeof statuses;
export const statusUri = (state: TestState) => `${addressOf(state)}/statuses/1`;

/** Token Status List: two bits per status, from the lowest bits on. */
const published = Uint8Array.of(statuses.revoked * 4 + 2 * 16);
const listLifeMs = hourMs;

/** The status list of a test authority as a CWT. */
async function statusListToken(secretOf: SecretOf, state: TestState, at: number): Promise<Uint8Array> {
  const [root, signer] = [rootKey(secretOf, state), signerKey(secretOf, state)];
  const certificate = await makeSigner({ state, name: testStates[state], root, signer, at });
  const seconds = Math.floor(at / 1_000);
  const claims = new Map<number, unknown>([
    [2, statusUri(state)],
    [6, seconds],
    [4, seconds + listLifeMs / 1_000],
    [
      65_533,
      new Map<string, unknown>([
        ["bits", 2],
        ["lst", new Uint8Array(deflateSync(published))],
      ]),
    ],
  ]);
  const token = coseSign1(signer.privateKey, cborEncode(claims), { certificate, type: "application/statuslist+cwt" });
  // The tag of COSE_Sign1.
  return Uint8Array.of(0xd2, ...cborEncode(token));
}

/** Trusts the test authorities, signs requests as a test reader, and reads their status lists without a network. */
export function sandboxStateIds({ secretOf, clock }: { secretOf: SecretOf; clock: Clock }): StateIdTrust {
  const entries = Object.entries(testStates);
  let made: Promise<IssuingAuthority[]> | null = null;
  let reader: Promise<StateIdReader> | null = null;
  return {
    keptLists: new Map(),
    reader() {
      reader ??= makeReader(keyFrom(secretOf("reader")));
      return reader;
    },
    authorities() {
      made ??= Promise.all(
        entries.map(async ([state, name]) => ({
          name,
          jurisdiction: `US-${state}`,
          certificate: await makeRoot(state, name, rootKey(secretOf, state)),
        })),
      );
      return made;
    },
    async statusList(uri) {
      const state = stateNames.find((one) => statusUri(one) === uri);
      return state === undefined ? null : await statusListToken(secretOf, state, clock.now());
    },
  };
}
