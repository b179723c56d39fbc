/** Revocation: the authority's list of statuses (Token Status List), as a CWT that its own signer signed. */
import { inflateSync } from "node:zlib";
import { minuteMs } from "@countersign/contract/time";
import { cborDecode, Sign1 } from "@owf/mdoc";
import type { IssuingAuthority, StateIdTrust } from "../ports.ts";
import { assertSafeCbor } from "./cbor.ts";
import { assertSigner, readCertificate } from "./certificate.ts";
import type { StatusReference } from "./document.ts";
import { StateIdRefusal } from "./refusal.ts";
import { isSignedWith, keyOf } from "./signature.ts";

/** The most bytes of a list: 16 million statuses of one bit, and as a token without any compression. */
const statusListBytesMax = 2 * 1_024 * 1_024;
const deadlineMs = 5_000;
/** How far the authority's clock may be ahead, in milliseconds. */
const skewMs = minuteMs;

/** Numbers of headers and claims (RFC 8392, and the draft of Token Status List). */
const typeHeader = 16;
const listType = "application/statuslist+cwt";
const claim = { subject: 2, expiresAt: 4, issuedAt: 6, list: 65_533 };

/** Throws `StateIdRefusal` if the document was revoked or suspended, or if its status cannot be read. */
export async function assertNotRevoked(
  trust: Pick<StateIdTrust, "statusList">,
  reference: StatusReference,
  issuer: { authority: IssuingAuthority; at: number },
): Promise<void> {
  const token = await trust.statusList(reference.uri, deadlineMs);
  if (token === null) throw new StateIdRefusal("uncheckable", "no status list");
  let status: number;
  try {
    status = statusAt(claimsIn(token, reference.uri, issuer), reference.index);
  } catch (error) {
    throw new StateIdRefusal("uncheckable", error instanceof Error ? error.message.slice(0, 80) : "unknown");
  }
  if (status !== 0) throw new StateIdRefusal("revoked");
}

/** The list in a token that is valid now and whose signer the document's authority issued. */
function claimsIn(token: Uint8Array, uri: string, { authority, at }: { authority: IssuingAuthority; at: number }) {
  assertSafeCbor(token, { bytes: statusListBytesMax });
  const sign1 = Sign1.decode(token);
  const [der] = sign1.certificateChain;
  if (!(der instanceof Uint8Array) || sign1.payload === null) throw new Error("status list without certificate");
  const signer = readCertificate(der);
  assertSigner(signer, readCertificate(authority.certificate), { kind: "status", at });
  const isOurs = sign1.protectedHeaders.headers.get(typeHeader) === listType && isSignedWith(sign1, keyOf(signer));
  if (!isOurs) throw new Error("status list with a wrong signature");
  const claims: unknown = cborDecode(sign1.payload);
  if (!(claims instanceof Map) || claims.get(claim.subject) !== uri) throw new Error("status list of another address");
  const [issuedAt, expiresAt] = [claims.get(claim.issuedAt), claims.get(claim.expiresAt) ?? Infinity];
  const isCurrent =
    typeof issuedAt === "number" &&
    issuedAt * 1_000 <= at + skewMs &&
    typeof expiresAt === "number" &&
    expiresAt * 1_000 > at;
  if (!isCurrent) throw new Error("status list that is not current");
  const list: unknown = claims.get(claim.list);
  if (!(list instanceof Map)) throw new Error("status list without statuses");
  const bits: unknown = list.get("bits");
  const statuses: unknown = list.get("lst");
  return { bits, statuses };
}

function statusAt({ bits, statuses }: { bits: unknown; statuses: unknown }, index: number): number {
  if (typeof bits !== "number" || ![1, 2, 4, 8].includes(bits) || !(statuses instanceof Uint8Array))
    throw new Error("status list of an unknown form");
  const bytes = inflateSync(statuses, { maxOutputLength: statusListBytesMax });
  const byte = bytes[Math.floor((index * bits) / 8)];
  if (byte === undefined) throw new Error("status outside the list");
  return (byte >> ((index * bits) % 8)) & (2 ** bits - 1);
}
