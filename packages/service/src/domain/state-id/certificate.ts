/**
 * Certificates of state IDs: an authority's root certificate, and the document signers that it issues. The checks are
 * those of ISO/IEC 18013-5, annex B.
 */
// The library for certificates needs this import before its own.
import "reflect-metadata";
import { X509Certificate as Parsed } from "node:crypto";
import { dayMs } from "@countersign/contract/time";
import {
  type AuthorityKeyIdentifierExtension,
  type BasicConstraintsExtension,
  type ExtendedKeyUsageExtension,
  KeyUsageFlags,
  type KeyUsagesExtension,
  type SubjectKeyIdentifierExtension,
  X509Certificate,
} from "@peculiar/x509";

/** The curves of keys that sign state IDs, by their names in Node and in JOSE. */
export const curves = { prime256v1: "P-256", secp384r1: "P-384", secp521r1: "P-521" } as const;
export type Curve = (typeof curves)[keyof typeof curves];

const oids = {
  documentSigner: "1.0.18013.5.1.2",
  /** Signs status lists (draft-ietf-oauth-status-list, section 10.1). */
  statusSigner: "1.3.6.1.5.5.7.3.30",
  authorityKey: "2.5.29.35",
  subjectKey: "2.5.29.14",
  keyUsage: "2.5.29.15",
  issuerName: "2.5.29.18",
  basicConstraints: "2.5.29.19",
  revocationLists: "2.5.29.31",
  extendedKeyUsage: "2.5.29.37",
};
/** Extensions that may be critical, because we read them. */
const understood = [oids.keyUsage, oids.basicConstraints, oids.extendedKeyUsage];
/** How long a document signer may be valid. Annex B allows 457 days. */
const signerLifeMaxMs = 457 * dayMs;
const bytesMax = 8 * 1_024;

/** The message names the failed check. */
export class WrongCertificate extends Error {
  override name = "WrongCertificate";
}

export type Certificate = { parsed: Parsed; extended: X509Certificate; notBefore: number; notAfter: number };

/** Parses DER. Throws `WrongCertificate`. */
export function readCertificate(der: Uint8Array): Certificate {
  if (der.length > bytesMax) throw new WrongCertificate("too long");
  try {
    // Both parsers copy, because the bytes may be a part of a larger buffer.
    const parsed = new Parsed(Buffer.from(der));
    const extended = new X509Certificate(Uint8Array.from(der));
    return { parsed, extended, notBefore: extended.notBefore.getTime(), notAfter: extended.notAfter.getTime() };
  } catch {
    throw new WrongCertificate("not a certificate");
  }
}

/** The subject of a certificate that was read before, in the form of `Certificate.parsed`. */
export function certificateSubject(der: Uint8Array): string {
  return new Parsed(Buffer.from(der)).subject;
}

/** The curve of a certificate's key. Throws if a state ID must not use it. */
function curveOf({ parsed }: Certificate): Curve {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = parsed.publicKey;
  const curve = Object.entries(curves).find(([name]) => type === "ec" && name === details?.namedCurve)?.[1];
  return curve ?? wrong("its curve is not P-256, P-384 or P-521");
}

function wrong(why: string): never {
  throw new WrongCertificate(why);
}

/** The parsers read keys and extensions only when asked, and throw many kinds of errors. */
function readable(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof WrongCertificate) throw error;
    throw new WrongCertificate("it cannot be read");
  }
}

function required(holds: boolean, why: string): void {
  if (!holds) wrong(why);
}

/** The country and, if it names one, the state of a certificate's subject. */
export function placeInSubject({ extended }: Certificate): { country: string | null; state: string | null } {
  const [country = null] = extended.subjectName.getField("C");
  const [state = null] = extended.subjectName.getField("ST");
  return { country, state };
}

/** Requires a self-signed root certificate (IACA) of an authority. It may have expired. */
export function assertRoot(certificate: Certificate): void {
  readable(() => checkRoot(certificate));
}

function checkRoot(certificate: Certificate): void {
  const { parsed, extended } = certificate;
  curveOf(certificate);
  assertCommon(certificate);
  required(isSignedBy(certificate, certificate) && parsed.subject === parsed.issuer, "it is not self-signed");
  const constraints = extended.getExtension<BasicConstraintsExtension>(oids.basicConstraints);
  required(constraints?.ca === true && constraints.critical, "it is not a CA");
  required(constraints?.pathLength === 0, "its path length is not 0");
  const usage = extended.getExtension<KeyUsagesExtension>(oids.keyUsage);
  required(usage?.critical === true, "its key usage is not critical");
  required(usage?.usages === (KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign), "its key usage is not a root's");
  required(extended.subjectName.getField("CN").length === 1, "it has no common name");
  required(placeInSubject(certificate).country !== null, "it has no country");
}

/** `document` signs state IDs. `status` signs their status lists, which document signers may do as well. */
export type SignerKind = "document" | "status";

/** Requires a signer that this root issued, and that both are valid at this time (Unix milliseconds). */
export function assertSigner(signer: Certificate, root: Certificate, expected: { kind: SignerKind; at: number }): void {
  readable(() => checkSigner(signer, root, expected));
}

function checkSigner(signer: Certificate, root: Certificate, { kind, at }: { kind: SignerKind; at: number }): void {
  const { parsed, extended } = signer;
  curveOf(signer);
  assertCommon(signer);
  required(at >= root.notBefore && at <= root.notAfter, "its root is not valid now");
  required(at >= signer.notBefore && at <= signer.notAfter, "it is not valid now");
  required(parsed.issuer === root.parsed.subject && isSignedBy(signer, root), "its root did not sign it");
  const keyId = root.extended.getExtension<SubjectKeyIdentifierExtension>(oids.subjectKey)?.keyId;
  const issuerKeyId = extended.getExtension<AuthorityKeyIdentifierExtension>(oids.authorityKey)?.keyId;
  required(keyId !== undefined && keyId === issuerKeyId, "it names another key of its root");
  const constraints = extended.getExtension<BasicConstraintsExtension>(oids.basicConstraints);
  required(constraints?.ca !== true, "it is a CA");
  const usage = extended.getExtension<KeyUsagesExtension>(oids.keyUsage);
  required(usage?.critical === true, "its key usage is not critical");
  required(usage?.usages === KeyUsageFlags.digitalSignature, "its key usage is not a signer's");
  const purposes = extended.getExtension<ExtendedKeyUsageExtension>(oids.extendedKeyUsage);
  const allowed = kind === "document" ? [oids.documentSigner] : [oids.documentSigner, oids.statusSigner];
  required(purposes?.critical === true || kind === "status", "its extended key usage is not critical");
  required(
    purposes?.usages.length === 1 && allowed.some((oid) => oid === purposes.usages[0]),
    "its extended key usage is not a signer's",
  );
  required(extended.getExtension(oids.revocationLists) !== null, "it names no revocation list");
  required(signer.notAfter - signer.notBefore <= signerLifeMaxMs, "it is valid for too long");
  const [own, above] = [placeInSubject(signer), placeInSubject(root)];
  required(own.country !== null && own.country === above.country, "its country is not its root's");
  required(above.state === null || own.state === above.state, "its state is not its root's");
}

/** What annex B requires of both. */
function assertCommon({ extended }: Certificate): void {
  const { name, hash } = extended.signatureAlgorithm;
  const isAllowed = name === "ECDSA" && ["SHA-256", "SHA-384", "SHA-512"].includes(hash.name);
  required(isAllowed, "its signature algorithm is wrong");
  required(extended.getExtension(oids.subjectKey) !== null, "it has no subject key identifier");
  required(extended.getExtension(oids.issuerName) !== null, "it has no issuer alternative name");
  const types = extended.extensions.map(({ type }) => type);
  required(new Set(types).size === types.length, "it repeats an extension");
  const unknown = extended.extensions.find(({ critical, type }) => critical && !understood.includes(type));
  required(unknown === undefined, "it has an unknown critical extension");
}

function isSignedBy(certificate: Certificate, issuer: Certificate): boolean {
  try {
    return certificate.parsed.verify(issuer.parsed.publicKey);
  } catch {
    return false;
  }
}
