/** Revocation: the authority's list of statuses (Token Status List), as a CWT that its own signer signed. */
import { createHash } from "node:crypto";
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
const claim = { subject: 2, expiresAt: 4, issuedAt: 6, list: 65_533, lifetime: 65_534 };

/**
 * The longest time for which a verified list is used again, in milliseconds. A list may allow a day, but a person whose
 * phone was stolen expects that its ID ends when the authority revokes it.
 */
export const listKeptMaxMs = 5 * minuteMs;
const keptListsMax = 32;
const keptBytesMax = 8 * 1_024 * 1_024;

/** Throws `StateIdRefusal` if the document was revoked or suspended, or if its status cannot be read. */
export async function assertNotRevoked(
  trust: Pick<StateIdTrust, "statusList" | "keptLists">,
  reference: StatusReference,
  issuer: Issuer,
): Promise<void> {
  let status: number;
  try {
    status = statusAt(await listOf(trust, reference.uri, issuer), reference.index);
  } catch (error) {
    throw new StateIdRefusal("uncheckable", error instanceof Error ? error.message.slice(0, 80) : "unknown");
  }
  if (status !== 0) throw new StateIdRefusal("revoked");
}

/** `at`: Unix milliseconds. */
type Issuer = { authority: IssuingAuthority; at: number };
/** A list that was verified for an authority. `until`: when it must be read again, in Unix milliseconds. */
type List = { bits: unknown; statuses: unknown; until: number };

/** A kept list, or the one at this address, which is then kept as long as it allows. */
async function listOf(
  { statusList, keptLists }: Pick<StateIdTrust, "statusList" | "keptLists">,
  uri: string,
  issuer: Issuer,
): Promise<List> {
  // An authority that renews its root certificate signs its list again.
  const key = createHash("sha256").update(issuer.authority.certificate).update(uri).digest("hex");
  const kept = keptLists.get(key);
  if (kept !== undefined && kept.until > issuer.at) return kept;
  keptLists.delete(key);
  const token = await statusList(uri, deadlineMs);
  if (token === null) throw new Error("no status list");
  const list = claimsIn(token, uri, issuer);
  if (list.until > issuer.at) keptLists.set(key, list);
  // A map lists its oldest entry first.
  for (const oldest of keptLists.keys()) {
    if (keptLists.size <= keptListsMax && bytesOf(keptLists) <= keptBytesMax) break;
    keptLists.delete(oldest);
  }
  return list;
}

function bytesOf(lists: ReadonlyMap<string, List>): number {
  return [...lists.values()].reduce(
    (sum, { statuses }) => sum + (statuses instanceof Uint8Array ? statuses.length : 0),
    0,
  );
}

/** The list in a token that is valid now and whose signer the document's authority issued. */
function claimsIn(token: Uint8Array, uri: string, { authority, at }: Issuer): List {
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
  const part: unknown = list.get("lst");
  // A part of the token would keep the whole token in memory.
  const statuses = part instanceof Uint8Array ? Uint8Array.from(part) : part;
  return { bits, statuses, until: keptUntil(claims, at) };
}

/** Not at all if the list says neither when it ends nor how long it can be kept. */
function keptUntil(claims: ReadonlyMap<unknown, unknown>, at: number): number {
  const [expiresAt, lifetime] = [claims.get(claim.expiresAt), claims.get(claim.lifetime)];
  const ends = [
    ...(typeof expiresAt === "number" ? [expiresAt * 1_000] : []),
    ...(typeof lifetime === "number" ? [at + lifetime * 1_000] : []),
  ];
  return ends.length === 0 ? at : Math.min(...ends, at + listKeptMaxMs);
}

function statusAt({ bits, statuses }: List, index: number): number {
  if (typeof bits !== "number" || ![1, 2, 4, 8].includes(bits) || !(statuses instanceof Uint8Array))
    throw new Error("status list of an unknown form");
  const bytes = inflateSync(statuses, { maxOutputLength: statusListBytesMax });
  const byte = bytes[Math.floor((index * bits) / 8)];
  if (byte === undefined) throw new Error("status outside the list");
  return (byte >> ((index * bits) % 8)) & (2 ** bits - 1);
}
