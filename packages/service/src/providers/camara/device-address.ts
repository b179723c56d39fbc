import { BlockList, isIPv4, isIPv6 } from "node:net";
import { expandIpv6 } from "@countersign/contract/ipv6";

/** An address in the form that names a device: IPv6, with IPv4 mapped. */
export function asDeviceAddress(address: string): string {
  return isIPv4(address) ? `::ffff:${address}` : address;
}

/**
 * Whether the caller is the named device: the same IPv6 /64, within which a phone may change its address, or exactly
 * the same mapped IPv4 address.
 */
export function isSameDevice(named: string, caller: string): boolean {
  if (!isIPv6(named) || !isIPv6(asDeviceAddress(caller))) return false;
  const [a, b] = [named, asDeviceAddress(caller)].map(expandIpv6);
  if (a === undefined || b === undefined) return false;
  const isMapped = (groups: string[]) => groups.slice(0, 6).join(":") === "0:0:0:0:0:ffff";
  const compared = isMapped(a) || isMapped(b) ? 8 : 4;
  return a.slice(0, compared).join(":") === b.slice(0, compared).join(":");
}

/** A test for ranges such as `100.64.0.0/10`. Without ranges, every address passes. */
export function inNetworks(ranges: readonly string[]): (deviceIp: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", prefix] = range.split("/");
    const family = isIPv4(network) ? "ipv4" : "ipv6";
    list.addSubnet(network, Number(prefix ?? (family === "ipv4" ? 32 : 128)), family);
  }
  return (deviceIp) => {
    if (ranges.length === 0) return true;
    const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(deviceIp)?.[1];
    return mapped === undefined ? list.check(deviceIp, "ipv6") : list.check(mapped, "ipv4");
  };
}
