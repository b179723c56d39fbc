import { isIPv6 } from "node:net";
import type { Carrier, CarrierAnswer, DeviceChannel } from "../../domain/ports.ts";
import { isPublicAddress } from "../address-policy.ts";
import { openVendor, type VendorTools } from "../vendor.ts";
import { asDeviceAddress, inNetworks, isSameDevice } from "./device-address.ts";
import { type Journey, journeys } from "./journey.ts";
import { isOnLine, lineOf } from "./number-verification.ts";
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
  const marksOf = journeys(settings.proof, clock.now);
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
  api: Parameters<typeof lineOf>[0],
  { journey, hashed }: { journey: Journey; hashed: boolean },
): Promise<CarrierAnswer> {
  const { phone } = journey;
  if (journey.channel === "silent") {
    if (phone === undefined) return failed;
    return (await isOnLine(api, { phone, hashed })) ? { kind: "phone", phone } : failed;
  }
  const line = await lineOf(api);
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
