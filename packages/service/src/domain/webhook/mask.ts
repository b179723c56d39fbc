/** Which parts of a webhook body can be read without an audit entry. */

/** Paths of members without personal data. `*` is any list index, `**` is everything below. Other values are masked. */
const open = [
  "event",
  "type",
  "test",
  "healthDataUuid",
  "sentAt",
  "timestamp",
  "status",
  "errors.*.message",
  "data.uuid",
  "results.*.payer.name",
  "results.*.payer.vendorId",
  "results.*.payer.ids.*",
  "results.*.payer.logoUrl",
  "results.*.payer.operatingStates.*",
  "results.*.payer.eligibilitySupport",
  "results.*.verificationMethod",
  "results.*.coverageTypes.*",
  "results.*.eligibility.coverageStatus",
  "results.*.network.status",
  // Text that the brand itself wrote.
  "results.*.network.rules.**",
].map((path) => path.split("."));
const mask = "•••";

/** A copy with the same structure. Masks every value that may be personal data. */
export function masked(body: unknown, at: readonly string[] = []): unknown {
  if (Array.isArray(body)) return body.map((one) => masked(one, [...at, "*"]));
  if (typeof body === "object" && body !== null)
    return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, masked(value, [...at, key])]));
  return open.some((path) => covers(path, at)) ? body : mask;
}

function covers(path: readonly string[], at: readonly string[]): boolean {
  const end = path.indexOf("**");
  if (end >= 0) return at.length > end && path.slice(0, end).every((part, index) => part === at[index]);
  return path.length === at.length && path.every((part, index) => part === at[index]);
}
