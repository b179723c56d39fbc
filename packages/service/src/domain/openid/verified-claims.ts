/** `verified_claims` of OpenID Connect for Identity Assurance 1.0, computed from the sources of the shared values. */
import { idDocument, trustFramework, verifiableClaims } from "@countersign/contract/openid-claims";
import type { Authority } from "../ports.ts";
import type { SourcedClaim, SourcedClaims } from "./claims.ts";
import { isObject } from "./requests.ts";

/**
 * The values that the person shared. Times are Unix milliseconds of the machine's clock. `provenAt`: when the phone was
 * proven.
 */
type SharedClaims = {
  claims: SourcedClaims;
  provenAt: number;
  timeOf(issuanceDate: number): number;
  now: number;
  /** Whether the brand reads which values come from a state ID. If not, they count as typed. */
  reportsIds: boolean;
};

type Verification = Record<string, unknown>;
export type VerifiedClaims = { verification: Verification; claims: Record<string, unknown> };

const methods = {
  otp: { record: "phone_number", check: "auth" },
  phone_carrier: { record: "phone_carrier", check: "auth" },
  data_bureau: { record: "data_bureau", check: "data" },
  credit_bureau: { record: "credit_bureau", check: "data" },
} as const;

/**
 * The verified claims that a request asks for: one element for each source. Undefined if there are none, or if the
 * request requires something else, such as another trust framework. Values that the person typed are never verified.
 */
export function verifiedClaims(
  requested: unknown,
  shared: SharedClaims,
): VerifiedClaims[] | VerifiedClaims | undefined {
  if (!isObject(requested) || !isObject(requested.verification) || !isObject(requested.claims)) return undefined;
  const { verification, claims: wanted } = requested;
  if (!accepts(verification.trust_framework, trustFramework)) return undefined;
  const groups = new Map<string, VerifiedClaims>();
  for (const name of verifiableClaims) {
    const claim = Object.hasOwn(wanted, name) ? shared.claims[name] : undefined;
    const source = claim === undefined ? null : sourceOf(claim, shared);
    if (claim === undefined || source === null || !isRecent(verification.time, source.at, shared.now)) continue;
    const key = `${source.method} ${source.issuerUuid} ${source.at}`;
    const group = groups.get(key) ?? { verification: verificationOf(verification, source), claims: {} };
    group.claims[name] = claim.value;
    groups.set(key, group);
  }
  const found = [...groups.values()];
  return found.length > 1 ? found : found[0];
}

type Source =
  | { method: keyof typeof methods; issuerUuid: string; at: number }
  | { method: "government_id"; issuerUuid: string; at: number; authority: Authority };

/** The source of a claim. Null if its parts have different sources, or if the person typed one. */
function sourceOf({ from }: SourcedClaim, { provenAt, timeOf, reportsIds }: SharedClaims): Source | null {
  const [first] = from;
  const isOne = from.every(
    ({ verificationMethod, issuerUuid }) =>
      verificationMethod === first?.verificationMethod && issuerUuid === first?.issuerUuid,
  );
  const method = first?.verificationMethod;
  if (first === undefined || !isOne || method === null || method === undefined) return null;
  if (method === "customer_otp" || method === "self_attested") return null;
  if (method === "government_id") {
    const { authority, issuerUuid, issuanceDate } = first;
    if (!reportsIds || authority === undefined) return null;
    return { method, issuerUuid, authority, at: timeOf(issuanceDate) };
  }
  const isPhone = method === "otp" || method === "phone_carrier";
  const at = isPhone ? provenAt : timeOf(Math.min(...from.map(({ issuanceDate }) => issuanceDate)));
  return { method, issuerUuid: first.issuerUuid, at };
}

/** Keeps only the requested members, for data minimization, and always `trust_framework`. */
function verificationOf(requested: Verification, source: Source): Verification {
  const time = new Date(source.at).toISOString();
  const evidence = source.method === "government_id" ? documentOf(source, time) : recordOf(source, time);
  return {
    trust_framework: trustFramework,
    ...(Object.hasOwn(requested, "time") ? { time } : {}),
    ...(Object.hasOwn(requested, "evidence") ? { evidence: [evidence] } : {}),
  };
}

/** Whether a request for a member (null, `value` or `values`) accepts this value. */
function accepts(requested: unknown, value: string): boolean {
  if (!isObject(requested)) return true;
  if (requested.value !== undefined) return requested.value === value;
  return !Array.isArray(requested.values) || requested.values.includes(value);
}

/** Whether a time satisfies the request's `max_age`, in seconds. */
function isRecent(requested: unknown, at: number, now: number): boolean {
  if (!isObject(requested) || typeof requested.max_age !== "number") return true;
  return now - at <= requested.max_age * 1_000;
}

function recordOf({ method, issuerUuid }: Exclude<Source, { method: "government_id" }>, time: string) {
  const { record, check } = methods[method];
  return {
    type: "electronic_record",
    check_details: [{ check_method: check, organization: issuerUuid, time }],
    record: { type: record, source: { name: issuerUuid }, created_at: time },
  };
}

/** A state ID, whose signatures were checked (`vcrypt`). */
function documentOf({ authority: { name, jurisdiction } }: { authority: Authority }, time: string) {
  const [country = "US"] = jurisdiction.split("-");
  return {
    type: "document",
    check_details: [{ check_method: "vcrypt", organization: name, time }],
    document_details: { type: idDocument, issuer: { name, country_code: country, jurisdiction } },
  };
}
