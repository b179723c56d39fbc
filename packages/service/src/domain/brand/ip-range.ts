import { isIP } from "node:net";
import type { Problem } from "../failure.ts";

/** An IP address or a CIDR range: 203.0.113.7, 203.0.113.0/24, 2001:db8::/32. */
function isRange(text: string): boolean {
  const [, address = "", prefix] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const family = isIP(address);
  // A prefix of 0 would allow every address. An empty list means that already.
  return family !== 0 && (prefix === undefined || (Number(prefix) > 0 && Number(prefix) <= (family === 4 ? 32 : 128)));
}

/** Validates the IP addresses that a key may be used from. */
export function ipRangeProblems(ranges: readonly string[]): Problem[] {
  return ranges.flatMap((text, index) =>
    isRange(text)
      ? []
      : [{ path: `body.ipRanges.${index}`, message: "must be an IP address or a range such as 203.0.113.0/24" }],
  );
}
