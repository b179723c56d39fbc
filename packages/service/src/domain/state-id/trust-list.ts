/**
 * Reads files with root certificates of authorities: PEM, DER, or a VICAL, the signed list of ISO/IEC 18013-5, annex C,
 * in which AAMVA publishes the certificates of US states.
 */
import { createHash } from "node:crypto";
import { cborDecode, Sign1 } from "@owf/mdoc";
import { usRegions } from "../credential/us-regions.ts";
import { invalid } from "../failure.ts";
import { hasHidden } from "../hidden-characters.ts";
import type { ListedAuthority } from "./authority-rows.ts";
import { assertSafeCbor } from "./cbor.ts";
import { assertRoot, type Certificate, placeInSubject, readCertificate, WrongCertificate } from "./certificate.ts";
import { isSignedWith, keyOf } from "./signature.ts";

export type ReadAuthority = Omit<ListedAuthority, "source" | "addedAt">;
/** `name`, `jurisdiction`: for a certificate that lacks them. `publisher`: the certificate that signed the VICAL. */
export type TrustFile = {
  bytes: Uint8Array;
  name?: string | undefined;
  jurisdiction?: string | undefined;
  publisher?: Uint8Array | undefined;
  /** Unix milliseconds. */
  at: number;
};

/** A VICAL of all US states has about 200 KB. */
const vicalLimits = { bytes: 4 * 1_024 * 1_024, items: 100_000, tags: [2] };
const jurisdictions = /^[A-Z]{2}(-[A-Z0-9]{1,3})?$/;

/** The authorities of a file. A certificate that is not a valid root of annex B makes the whole file invalid. */
export function readTrustFile(file: TrustFile): ReadAuthority[] {
  try {
    const certificates = certificatesIn(file);
    if (certificates.length === 0) throw new WrongCertificate("it has no certificate");
    return certificates.map((der, index) => authorityOf(der, file, index));
  } catch (error) {
    if (!(error instanceof Error) || "status" in error) throw error;
    const message = error instanceof WrongCertificate ? error.message : "it cannot be read";
    throw invalid([{ path: "file", message }]);
  }
}

/** The first certificate of a file in PEM or DER, such as that of a list's publisher. */
export function readOneCertificate(bytes: Uint8Array): Uint8Array {
  const [first, ...others] = plainCertificates(bytes);
  if (first === undefined || others.length > 0)
    throw invalid([{ path: "file", message: "must have one certificate in PEM or DER" }]);
  return first;
}

function plainCertificates(bytes: Uint8Array): Uint8Array[] {
  // DER starts with a sequence.
  if (bytes[0] === 0x30) return [bytes];
  const text = Buffer.from(bytes).toString("latin1");
  const parts = text.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? [];
  return parts.map((part) => new Uint8Array(Buffer.from(part.replace(/-----[A-Z ]+-----|\s/g, ""), "base64")));
}

function certificatesIn({ bytes, publisher }: TrustFile): Uint8Array[] {
  const isCbor = bytes[0] === 0xd2 || bytes[0] === 0x84;
  if (!isCbor) return plainCertificates(bytes);
  if (publisher === undefined)
    throw new WrongCertificate("a signed list needs the certificate of its publisher (--publisher)");
  return certificatesOfVical(bytes, readCertificate(publisher));
}

function certificatesOfVical(bytes: Uint8Array, publisher: Certificate): Uint8Array[] {
  assertSafeCbor(bytes, vicalLimits);
  const sign1 = Sign1.decode(bytes);
  const [der] = sign1.certificateChain;
  const signer = der === undefined ? publisher : readCertificate(der);
  const isPublishers = signer.parsed.raw.equals(publisher.parsed.raw) || isIssuedBy(signer, publisher);
  if (!isPublishers || !isSignedWith(sign1, keyOf(signer))) throw new WrongCertificate("its publisher did not sign it");
  const list: unknown = sign1.payload === null ? null : cborDecode(sign1.payload);
  const infos: unknown = list instanceof Map ? list.get("certificateInfos") : undefined;
  if (!Array.isArray(infos)) throw new WrongCertificate("it has no certificates");
  return infos.map((info: unknown) => {
    const certificate: unknown = info instanceof Map ? info.get("certificate") : undefined;
    if (!(certificate instanceof Uint8Array)) throw new WrongCertificate("an entry has no certificate");
    return Uint8Array.from(certificate);
  });
}

function isIssuedBy({ parsed }: Certificate, issuer: Certificate): boolean {
  return parsed.checkIssued(issuer.parsed) && parsed.verify(issuer.parsed.publicKey);
}

function authorityOf(der: Uint8Array, file: TrustFile, index: number): ReadAuthority {
  const where = `certificate ${index + 1}`;
  try {
    const certificate = readCertificate(der);
    assertRoot(certificate);
    if (certificate.notAfter <= file.at) throw new WrongCertificate("it has expired");
    const jurisdiction = file.jurisdiction ?? jurisdictionOf(certificate);
    if (jurisdiction === null || !jurisdictions.test(jurisdiction))
      throw new WrongCertificate("it names no state. Give one with --jurisdiction, such as US-CA");
    const [country, region = ""] = jurisdiction.split("-");
    if (country !== placeInSubject(certificate).country) throw new WrongCertificate("its country is another one");
    const name = file.name ?? (country === "US" ? usRegions[region] : undefined) ?? jurisdiction;
    if (hasHidden(name)) throw new WrongCertificate("its name has characters that cannot be seen");
    const fingerprint = createHash("sha256").update(der).digest();
    return { fingerprint, name, jurisdiction, certificate: der, expiresAt: certificate.notAfter };
  } catch (error) {
    if (error instanceof WrongCertificate) throw new WrongCertificate(`${where}: ${error.message}`);
    throw error;
  }
}

/** ISO 3166-2, from a state such as `US-CA`, `CA` or `California`. Null if the certificate names none. */
function jurisdictionOf(certificate: Certificate): string | null {
  const { country, state } = placeInSubject(certificate);
  if (country === null || state === null) return null;
  if (state.startsWith(`${country}-`)) return state;
  const code = Object.entries(usRegions).find(([, name]) => name === state)?.[0] ?? state;
  return `${country}-${code}`;
}
