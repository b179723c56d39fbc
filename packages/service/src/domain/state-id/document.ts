/**
 * Verifies a mobile document: who issued it, that its values are unchanged, that it is valid now, and that the phone to
 * which it was issued signed it for our request.
 */
import { createHash } from "node:crypto";
import { minuteMs } from "@countersign/contract/time";
import { DeviceResponse, type Document, type MdocContext, type SessionTranscript, Verifier } from "@owf/mdoc";
import type { IssuingAuthority } from "../ports.ts";
import { assertSafeCbor, decodingProblem } from "./cbor.ts";
import {
  assertSigner,
  type Certificate,
  certificateSubject,
  placeInSubject,
  readCertificate,
  WrongCertificate,
} from "./certificate.ts";
import { documentType } from "./elements.ts";
import { StateIdRefusal } from "./refusal.ts";
import { isSignedWith, keyOf } from "./signature.ts";

/** How far an authority's clock may differ from ours, in milliseconds. */
const skewMs = minuteMs;

/** Where the authority publishes whether the document was revoked. */
export type StatusReference = { uri: string; index: number };

/** `values`: the disclosed elements by namespace and name, as decoded. `validUntil`: Unix milliseconds. */
export type VerifiedDocument = {
  values: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  authority: IssuingAuthority;
  validUntil: number;
  status: StatusReference | null;
};

type Expected = { transcript: SessionTranscript; authorities: readonly IssuingAuthority[]; at: number };

/** Verifies a `DeviceResponse` at a time (Unix milliseconds). Throws `StateIdRefusal`. */
export async function verifyDocument(bytes: Uint8Array, expected: Expected): Promise<VerifiedDocument> {
  const response = reading(() => {
    assertSafeCbor(bytes);
    return DeviceResponse.decode(bytes);
  });
  const { document, object } = reading(() => soleDocument(response));
  const { signer, root, authority } = signerOf(document, expected);
  const { validFrom, validUntil } = object.validityInfo;
  await verifyAll(response, expected, { signer, root, authority });
  if (expected.at < validFrom.getTime() - skewMs) throw new StateIdRefusal("notYetValid");
  if (expected.at > validUntil.getTime()) throw new StateIdRefusal("expired");
  return {
    values: reading(() => valuesIn(document)),
    authority,
    validUntil: validUntil.getTime(),
    status: statusIn(new Map<string, unknown>(object.decodedStructure.entries()).get("status")),
  };
}

/** Anything that the decoding throws means that the answer is malformed. */
function reading<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof StateIdRefusal) throw error;
    throw new StateIdRefusal("unreadable", decodingProblem(error));
  }
}

/** Later versions only add members. */
const versions = ["1.0", "1.1"];

function soleDocument(response: DeviceResponse) {
  const [document, ...others] = response.documents ?? [];
  if (document === undefined || response.status !== 0) throw new StateIdRefusal("declined");
  if (others.length > 0) throw new StateIdRefusal("unreadable", "several documents");
  if (!versions.includes(response.version)) throw new StateIdRefusal("unreadable", "an unknown version");
  const object = document.issuerSigned.issuerAuth.mobileSecurityObject;
  // The library does not compare the type that the phone names with the one that the authority signed.
  if (document.docType !== documentType || object.docType !== documentType)
    throw new StateIdRefusal("notGenuine", "document type");
  if (document.deviceSigned.deviceAuth.deviceSignature === undefined)
    throw new StateIdRefusal("notGenuine", "no device signature");
  return { document, object };
}

type Signer = { signer: Certificate; root: Certificate; authority: IssuingAuthority };

/** The document signer, and the authority of the trust list that issued it. */
function signerOf(document: Document, { authorities, at }: Expected): Signer {
  const [der] = reading(() => document.issuerSigned.issuerAuth.certificateChain);
  if (!(der instanceof Uint8Array)) throw new StateIdRefusal("notGenuine", "no certificate");
  const signer = reading(() => readCertificate(der));
  // An authority that renews its root certificate has two with one name.
  const named = authorities.filter(({ certificate }) => certificateSubject(certificate) === signer.parsed.issuer);
  if (named.length === 0) throw new StateIdRefusal("unknownAuthority");
  let failure: WrongCertificate | null = null;
  for (const authority of named)
    try {
      const root = readCertificate(authority.certificate);
      assertSigner(signer, root, { kind: "document", at });
      return { signer, root, authority };
    } catch (error) {
      if (!(error instanceof WrongCertificate)) throw error;
      failure = error;
    }
  throw new StateIdRefusal("notGenuine", `certificate: ${failure?.message}`);
}

/** Runs the library's checks. One that fails, or that throws, ends it. */
async function verifyAll(
  response: DeviceResponse,
  { transcript, at }: Expected,
  { signer, root, authority }: Signer,
): Promise<void> {
  const failed: string[] = [];
  const issuer: Record<string, string[]> = {
    C: [placeInSubject(root).country ?? ""],
    // If the ID says which state issued it, it must be the state for which we trust this root.
    ST: [authority.jurisdiction],
  };
  const context: Pick<MdocContext, "cose" | "x509" | "crypto"> = {
    crypto: {
      digest: ({ digestAlgorithm, bytes }) => createHash(digestAlgorithm).update(bytes).digest(),
      random: unused,
      calculateEphemeralMacKey: unused,
    },
    cose: {
      sign1: { verify: ({ sign1, key }) => isSignedWith(sign1, key), sign: unused },
      mac0: { verify: () => false, sign: unused },
    },
    x509: {
      getIssuerNameField: ({ field }) => issuer[field] ?? [],
      getPublicKey: () => keyOf(signer),
      // `signerOf` has verified it.
      verifyCertificateChain: () => {},
      getCertificateData: () => ({
        issuerName: signer.parsed.issuer,
        subjectName: signer.parsed.subject,
        serialNumber: signer.parsed.serialNumber,
        thumbprint: signer.parsed.fingerprint256,
        notBefore: new Date(signer.notBefore),
        notAfter: new Date(signer.notAfter),
        pem: "",
      }),
    },
  };
  try {
    await Verifier.verifyDeviceResponse(
      {
        deviceResponse: response,
        sessionTranscript: transcript,
        trustedCertificates: [authority.certificate],
        now: new Date(at),
        onCheck: ({ status, check }) => {
          // `verifyDocument` says whether it is too early or too late.
          if (status !== "PASSED" && !check.startsWith("The MSO must be valid at the time")) failed.push(check);
        },
      },
      context,
    );
  } catch (error) {
    throw new StateIdRefusal("notGenuine", error instanceof Error ? error.name : "unknown");
  }
  // The check's text can have the values of elements, so only its beginning is kept.
  if (failed.length > 0) throw new StateIdRefusal("notGenuine", failed[0]?.slice(0, 40));
}

function unused(): never {
  throw new Error("reading state IDs does not need this");
}

/** The disclosed values. The digests are verified, but one element could still be there twice. */
function valuesIn(document: Document): VerifiedDocument["values"] {
  return new Map(
    [...document.issuerSigned.issuerNamespaces.issuerNamespaces].map(([namespace, items]) => {
      const values = new Map(items.map(({ elementIdentifier, elementValue }) => [elementIdentifier, elementValue]));
      if (values.size < items.length) throw new StateIdRefusal("notGenuine", "a repeated element");
      return [namespace, values];
    }),
  );
}

/** Null if the authority publishes no status. A kind of status that we cannot check refuses the document. */
function statusIn(status: unknown): StatusReference | null {
  if (status === undefined) return null;
  const list: unknown = status instanceof Map ? status.get("status_list") : undefined;
  const uri: unknown = list instanceof Map ? list.get("uri") : undefined;
  const index: unknown = list instanceof Map ? list.get("idx") : undefined;
  if (typeof uri !== "string" || typeof index !== "number" || !Number.isSafeInteger(index) || index < 0)
    throw new StateIdRefusal("uncheckable", "status");
  return { uri, index };
}
