import { isIPv4, isIPv6 } from "node:net";
import type { Carrier, CarrierAnswer } from "../../domain/ports.ts";

/** The primary person's device. */
const primaryDevice = "::121:2555:0010";
const primaryPhone = "+12125550010";

/** Devices with a fate of their own, by their address written in full. */
const fates: Record<string, { eligible: boolean; autofill: boolean; silent: boolean }> = {
  [expand("::8")]: { eligible: true, autofill: false, silent: true },
  [expand("::10")]: { eligible: true, autofill: true, silent: false },
  [expand("::11")]: { eligible: false, autofill: false, silent: false },
  // Stands for an address that another device than the named one opened.
  [expand("::12")]: { eligible: true, autofill: false, silent: false },
};
const ordinary = { eligible: true, autofill: true, silent: true };

/** Where the simulated carrier stands on the environment's own API address. */
export const carrierPath = "/carrier";

/** A carrier that knows a device by its address: `::1NN:NNNN:NNNN` is the line of that number. */
export function sandboxCarrier(apiUrl: () => string): Carrier {
  return {
    deviceIpOf: (callerIp) =>
      isPrivate(callerIp) ? primaryDevice : isIPv4(callerIp) ? `::ffff:${callerIp}` : callerIp,
    eligible: async ({ deviceIp }) => (fates[expand(deviceIp)] ?? ordinary).eligible,
    // The device visits the carrier, which sends it back: a path of ours only, so that this is no open redirect.
    begin: async ({ returnTo }) => ({ location: `${apiUrl()}${carrierPath}${new URL(returnTo).pathname}` }),
    finish: async ({ channel, deviceIp, phone }): Promise<CarrierAnswer> => {
      const fate = fates[expand(deviceIp)] ?? ordinary;
      if (!fate.eligible || !fate[channel]) return { kind: "failed" };
      const line = lineOf(deviceIp);
      // A device whose address carries no number is the primary person's, or, asked silently, whoever's was named.
      if (channel === "silent")
        return phone !== undefined && (line === null || line === phone) ? { kind: "phone", phone } : { kind: "failed" };
      return { kind: "phone", phone: line ?? primaryPhone };
    },
  };
}

/** The number that an address of the form `::1NN:NNNN:NNNN` carries. */
function lineOf(deviceIp: string): string | null {
  const groups = expand(deviceIp).split(":");
  const digits = groups
    .slice(5)
    .map((group, index) => (index === 0 ? group.replace(/^0/, "") : group))
    .join("");
  return groups.slice(0, 5).every((group) => group === "0000") && /^1\d{10}$/.test(digits) ? `+${digits}` : null;
}

/** All eight groups of four digits. */
function expand(address: string): string {
  const mapped = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const text = mapped === null ? address : `${mapped[1]}${hex(mapped[2], mapped[3])}:${hex(mapped[4], mapped[5])}`;
  const [head = "", tail] = text.toLowerCase().split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  return [...left, ...zeros, ...right].map((group) => group.padStart(4, "0")).join(":");
}

function hex(high = "0", low = "0"): string {
  return (Number(high) * 256 + Number(low)).toString(16);
}

function isPrivate(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, "");
  if (isIPv4(plain))
    return /^(127|10|0)\.|^192\.168\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(
      plain,
    );
  return isIPv6(plain) && /^(::1?$|f[cd]|fe[89ab])/i.test(plain);
}
