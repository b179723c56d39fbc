import { generateKeyPairSync } from "node:crypto";
import type { CarrierAnswer, DeviceChannel, Phone } from "../../../domain/ports.ts";
import { camaraCarrier } from "../../../providers/camara/carrier.ts";
import type { FakeTime } from "../fake-time.ts";
import { camaraSimulator } from "./camara-simulator.ts";

export const line = "+16502530000" as Phone;
export const otherLine = "+16502530001" as Phone;
export const deviceIp = "2600:380:1:2::9";
const redirectUrl = "https://api.example.com/carrier/return";
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

/** An operator, our adapter for it, and a device that follows the redirects between the two. */
export async function carrierWorld(time: FakeTime, options: { hashed?: boolean; networks?: string[] } = {}) {
  const operator = await camaraSimulator(time, { clientId: "countersign", clientKey: privateKey, redirectUrl });
  const carrier = camaraCarrier(
    {
      authorizeUrl: `${operator.vendor.url}/authorize`,
      tokenUrl: `${operator.vendor.url}/token`,
      apiUrl: operator.apiUrl,
      issuer: operator.issuer,
      clientId: "countersign",
      proof: { kind: "key", key: privateKey, keyId: "k1" },
      redirectUrl,
      purpose: "dpv:FraudPreventionAndDetection",
      networks: options.networks ?? [],
      hashed: options.hashed ?? false,
    },
    time.tools,
  );
  let words = 0;
  const journey = (channel: DeviceChannel, phone?: Phone) => {
    words += 1;
    const returnTo = `https://api.example.com/1-click/verifications/device/w${words}/result`;
    return { channel, deviceIp, returnTo, ...(phone === undefined ? {} : { phone }) };
  };
  /** Opens a URL as the device and returns the query string of the redirect. */
  const visit = async (location: string, from: string | null = line): Promise<string> => {
    const headers: Record<string, string> = from === null ? {} : { "x-line": from };
    const response = await fetch(location, { redirect: "manual", headers });
    return new URL(response.headers.get("location") ?? "about:blank").search.slice(1);
  };
  const finish = (going: ReturnType<typeof journey>, answer: string, callerIp = deviceIp): Promise<CarrierAnswer> =>
    carrier.finish({ ...going, callerIp, answer, deadlineMs: 10_000 });
  return {
    ...operator,
    carrier,
    journey,
    visit,
    finish,
    async run(channel: DeviceChannel, phone?: Phone, from: string | null = line): Promise<CarrierAnswer> {
      const going = journey(channel, phone);
      return await finish(going, await visit((await carrier.begin(going)).location, from));
    },
  };
}
