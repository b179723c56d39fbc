/**
 * The eight groups of an IPv6 address, in lower-case hexadecimal without padding: `::ffff:10.0.0.1` gives `["0", "0",
 * "0", "0", "0", "ffff", "a00", "1"]`. The caller must validate the address first (RFC 4291 section 2.2); a zone
 * (`%eth0`) is not supported.
 */
export function expandIpv6(address: string): string[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const text = dotted === null ? address : `${dotted[1]}${pair(dotted[2], dotted[3])}:${pair(dotted[4], dotted[5])}`;
  const [head = "", tail] = text.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16).toString(16));
}

function pair(high = "0", low = "0"): string {
  return (Number(high) * 256 + Number(low)).toString(16);
}
