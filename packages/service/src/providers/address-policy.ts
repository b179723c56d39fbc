import { BlockList, isIP } from "node:net";
import { expandIpv6 } from "@countersign/contract/ipv6";

/** Ranges of IANA's special-purpose registries, which contain no public servers. */
const special4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  // Azure gives its virtual machines their settings at this public address.
  "168.63.129.16/32",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
const special6 = [
  "::/128",
  "::1/128",
  "64:ff9b:1::/48",
  "100::/64",
  "100:0:0:1::/64",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "2620:4f:8000::/48",
  "3fff::/20",
  "5f00::/16",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
];

const blocked4 = listOf(special4, "ipv4");
const blocked6 = listOf(special6, "ipv6");
const global6 = listOf(["2000::/3"], "ipv6");

function listOf(ranges: string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", prefix] = range.split("/");
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}

/** Whether a public server can have this address. An IPv4 address inside an IPv6 address is checked as IPv4. */
export function isPublicAddress(address: string): boolean {
  const plain = address.split("%")[0] ?? "";
  if (address !== plain) return false;
  const family = isIP(plain);
  if (family === 4) return !blocked4.check(plain, "ipv4");
  if (family !== 6) return false;
  const embedded = embeddedIpv4(plain);
  if (embedded !== null) return !blocked4.check(embedded, "ipv4");
  // Reject IPv6 ranges that IANA has not allocated.
  return global6.check(plain, "ipv6") && !blocked6.check(plain, "ipv6");
}

/** Whether an address is loopback: IPv4, IPv6, or IPv4 inside IPv6. */
export function isLoopbackAddress(address: string): boolean {
  const v4 = isIP(address) === 4 ? address : isIP(address) === 6 ? embeddedIpv4(address) : null;
  return v4 === null ? address === "::1" : v4.startsWith("127.");
}

/** The IPv4 address in a mapped (::ffff:0:0/96), compatible (::/96) or translated (64:ff9b::/96) IPv6 address. */
function embeddedIpv4(address: string): string | null {
  const groups = expandIpv6(address);
  const head = groups.slice(0, 6).map((group) => Number.parseInt(group, 16));
  const isMapped = head.slice(0, 5).every((group) => group === 0) && head[5] === 0xffff;
  const isCompatible = head.every((group) => group === 0) && !/^::1?$/.test(address);
  const isTranslated = head[0] === 0x64 && head[1] === 0xff9b && head.slice(2).every((group) => group === 0);
  if (!isMapped && !isCompatible && !isTranslated) return null;
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
