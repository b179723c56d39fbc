import { BlockList, isIPv4, isIPv6 } from "node:net";
import { expandIpv6 } from "@countersign/contract/ipv6";
import type { Carrier, CarrierAnswer, DeviceChannel } from "../../domain/ports.ts";
import { isPublicAddress } from "../address-policy.ts";
import { openVendor, type VendorTools } from "../vendor.ts";
import { type CarrierJourney, carrierJourneys } from "./journey.ts";
import { isOnLine, phoneOfLine } from "./number-verification.ts";
import type { CamaraSettings } from "./settings.ts";
import { tokenFor } from "./token.ts";

const scopes: Record<DeviceChannel, string> = {
  silent: "number-verification:verify",
  autofill: "number-verification:device-phone-number:read",
};
/**
 * Maximum time for the carrier's answer, in milliseconds, even if the deadline is later. After that, a text is better
 * for the waiting person.
 */
const finishMsMax = 5_000;
const codeLengthMax = 1_500;
const finishedMax = 10_000;

const failed: CarrierAnswer = { kind: "failed" };

/**
 * The silent and autofill channels through CAMARA's Number Verification. An unclear answer becomes `failed`. `finish`
 * never throws.
 */
export function camaraCarrier(settings: CamaraSettings, tools: VendorTools): Carrier & { close(): Promise<void> } {
  const vendor = openVendor("camara", tools);
  const { clock } = tools;
  const marksOf = carrierJourneys(settings.proof, clock.now);
  const isInNetworks = inNetworks(settings.networks);
  const isEligible = (deviceIp: string) => isIPv6(deviceIp) && isPublicAddress(deviceIp) && isInNetworks(deviceIp);
  const finished = new Set<string>();
  const isFirst = (state: string): boolean => {
    if (finished.has(state)) return false;
    const [oldest] = finished;
    if (finished.size >= finishedMax && oldest !== undefined) finished.delete(oldest);
    finished.add(state);
    return true;
  };
  return {
    deviceIpOf: asDeviceAddress,
    mobileDeviceOf(callerIp) {
      const deviceIp = asDeviceAddress(callerIp);
      return isEligible(deviceIp) ? deviceIp : null;
    },
    eligible: async ({ deviceIp }) => isEligible(deviceIp),
    async begin(journey) {
      const { state, nonce, challenge } = marksOf.begin(journey);
      const query = new URLSearchParams({
        response_type: "code",
        client_id: settings.clientId,
        redirect_uri: settings.redirectUrl,
        scope: `openid ${settings.purpose} ${scopes[journey.channel]}`,
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: "S256",
        // Show no screen. If the network does not recognize the device, it returns an error.
        prompt: "none",
      });
      return { location: `${settings.authorizeUrl}${settings.authorizeUrl.includes("?") ? "&" : "?"}${query}` };
    },
    async finish({ callerIp, answer, deadlineMs, ...journey }) {
      if (!isSameDevice(journey.deviceIp, callerIp)) return failed;
      const returned = readReturn(answer, settings.issuer);
      const marks = returned === null ? null : marksOf.resume(journey, returned.state);
      if (returned === null || marks === null || !isFirst(marks.state)) return failed;
      const endsAt = clock.now() + Math.min(deadlineMs, finishMsMax);
      const remainingMs = () => Math.max(1, endsAt - clock.now());
      const options = { settings, vendor, now: clock.now(), deadlineMs: remainingMs() };
      const token = await tokenFor(options, { code: returned.code, marks });
      if (token === null) return failed;
      const { apiUrl, hashed } = settings;
      return await ask({ vendor, apiUrl, token, deadlineMs: remainingMs() }, { journey, hashed });
    },
    close: vendor.close,
  };
}

async function ask(
  api: Parameters<typeof phoneOfLine>[0],
  { journey, hashed }: { journey: CarrierJourney; hashed: boolean },
): Promise<CarrierAnswer> {
  const { phone } = journey;
  if (journey.channel === "silent") {
    if (phone === undefined) return failed;
    return (await isOnLine(api, { phone, hashed })) ? { kind: "phone", phone } : failed;
  }
  const line = await phoneOfLine(api);
  // If the device uses another line than the named one, do not reveal its number.
  return line === null || (phone !== undefined && phone !== line) ? failed : { kind: "phone", phone: line };
}

/** The code and the state with which the operator sent the device back. Null without a valid code. */
function readReturn(answer: string | undefined, issuer: string): { code: string; state: string } | null {
  const query = new URLSearchParams(answer ?? "");
  const one = (name: string) => (query.getAll(name).length === 1 ? (query.get(name) ?? "") : "");
  const [code, state] = [one("code"), one("state")];
  if (query.has("error") || code === "" || code.length > codeLengthMax || state === "") return null;
  // If the operator names an issuer, it must be the one we asked (RFC 9207).
  return query.has("iss") && one("iss") !== issuer ? null : { code, state };
}

/** An address in the form that names a device: IPv6, with IPv4 mapped. */
function asDeviceAddress(address: string): string {
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
function inNetworks(ranges: readonly string[]): (deviceIp: string) => boolean {
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
