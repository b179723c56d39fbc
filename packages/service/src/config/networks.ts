/** Ranges of IP addresses in variables. */
import { BlockList, isIP } from "node:net";
import { expandIpv6 } from "@countersign/contract/ipv6";

/** Networks whose addresses strangers on the internet do not have. */
const privateNetworks = [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["fc00::", 7],
  ["fe80::", 10],
] as const;

/**
 * The shortest prefixes of public ranges that a proxy may have: the widest that a content delivery network publishes
 * for its proxies (Cloudflare). A wider range has addresses that anybody can rent.
 */
const publicPrefixMin = { 4: 13, 6: 29 } as const;

/** IPv6 ranges in which each IPv4 address has one of its own: the form of sockets, and NAT64. */
const wrappers = ["::ffff:0:0", "64:ff9b::"];
const wrapperPrefix = 96;

/** `10.0.0.0/8` or one address. */
export function isRange(text: string): boolean {
  const [, address = "", prefix = "1"] = /^([0-9a-f.:]+)(?:\/([1-9]\d{0,2}))?$/i.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(prefix) <= (family === 4 ? 32 : 128);
}

/** Whether a range is so wide that strangers have some of its addresses. Judges the IPv4 addresses in IPv6, too. */
export function hasStrangers(range: string): boolean {
  const { address, family, prefix } = unwrapped(range);
  const kind = family === 6 ? "ipv6" : "ipv4";
  const isPrivate = privateNetworks.some(
    ([network, width]) => isIP(network) === family && width <= prefix && listOf(network, width).check(address, kind),
  );
  if (isPrivate) return false;
  if (prefix < publicPrefixMin[family]) return true;
  return (
    family === 6 && prefix < wrapperPrefix && wrappers.some((first) => listOf(address, prefix).check(first, "ipv6"))
  );
}

type Range = { address: string; family: 4 | 6; prefix: number };

/** A range of IPv4 addresses that is written in IPv6, as IPv4. */
function unwrapped(range: string): Range {
  const [address = "", given] = range.split("/");
  if (isIP(address) === 4) return { address, family: 4, prefix: Number(given ?? 32) };
  const prefix = Number(given ?? 128);
  const isWrapped =
    prefix >= wrapperPrefix && wrappers.some((first) => listOf(first, wrapperPrefix).check(address, "ipv6"));
  if (!isWrapped) return { address, family: 6, prefix };
  return { address: lastFourBytes(address), family: 4, prefix: prefix - wrapperPrefix };
}

function lastFourBytes(address: string): string {
  const [high = 0, low = 0] = expandIpv6(address)
    .slice(-2)
    .map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function listOf(network: string, prefix: number): BlockList {
  const list = new BlockList();
  list.addSubnet(network, prefix, isIP(network) === 6 ? "ipv6" : "ipv4");
  return list;
}
