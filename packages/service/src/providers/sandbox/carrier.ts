import { isIPv4, isIPv6 } from "node:net";
import { expandIpv6 } from "@countersign/contract/ipv6";
import type { Carrier, CarrierAnswer } from "../../domain/ports.ts";

/** The address of the primary person's device. */
const primaryDevice = "::121:2555:0010";
const primaryPhone = "+12125550010";

/** Devices with fixed results. `::12` simulates that another device than the named one opened the URL. */
export const sandboxDevices = [
  { address: "::8", eligible: true, autofill: false, silent: true },
  { address: "::10", eligible: true, autofill: true, silent: false },
  { address: "::11", eligible: false, autofill: false, silent: false },
  { address: "::12", eligible: true, autofill: false, silent: false },
];
const resultsByDevice = new Map(sandboxDevices.map((device) => [expandIpv6(device.address).join(":"), device]));
const usualResults = { eligible: true, autofill: true, silent: true };

/** The path of the simulated carrier on the environment's own API address. */
export const carrierPath = "/carrier";

/** A simulated carrier that knows a device by its address: `::1NN:NNNN:NNNN` uses the line of that number. */
export function sandboxCarrier(apiUrl: () => string): Carrier {
  return {
    deviceIpOf: (callerIp) => (isPrivate(callerIp) ? primaryDevice : asIpv6(callerIp)),
    mobileDeviceOf: (callerIp) => (isPrivate(callerIp) ? null : asIpv6(callerIp)),
    eligible: async ({ deviceIp }) => resultsOf(deviceIp).eligible,
    // The device visits the carrier, which sends it back. Use only paths on our own host, to avoid an open redirect.
    begin: async ({ returnTo }) => ({ location: `${apiUrl()}${carrierPath}${new URL(returnTo).pathname}` }),
    finish: async ({ channel, deviceIp, phone }): Promise<CarrierAnswer> => {
      const results = resultsOf(deviceIp);
      if (!results.eligible || !results[channel]) return { kind: "failed" };
      const line = lineOf(deviceIp);
      // A device address without a number belongs to the primary person. Its silent channel accepts any named phone.
      if (channel === "silent")
        return phone !== undefined && (line === null || line === phone) ? { kind: "phone", phone } : { kind: "failed" };
      return { kind: "phone", phone: line ?? primaryPhone };
    },
  };
}

function asIpv6(address: string): string {
  return isIPv4(address) ? `::ffff:${address}` : address;
}

function resultsOf(deviceIp: string) {
  return resultsByDevice.get(expandIpv6(deviceIp).join(":")) ?? usualResults;
}

/** The phone number in a device address `::1NN:NNNN:NNNN`; null for other addresses. */
function lineOf(deviceIp: string): string | null {
  const groups = expandIpv6(deviceIp);
  const [area = "", ...rest] = groups.slice(5);
  const digits = area + rest.map((group) => group.padStart(4, "0")).join("");
  return groups.slice(0, 5).every((group) => group === "0") && /^1\d{10}$/.test(digits) ? `+${digits}` : null;
}

function isPrivate(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, "");
  if (isIPv4(plain))
    return /^(127|10|0)\.|^192\.168\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(
      plain,
    );
  return isIPv6(plain) && /^(::1?$|f[cd]|fe[89ab])/i.test(plain);
}
