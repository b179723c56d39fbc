import type { Brand, HomeDeps } from "../deps.ts";
import { type Failure, refuse } from "../failure.ts";
import type { DeviceChannel } from "../ports.ts";

type ChannelState = { available: boolean; brandApproved: boolean; deviceIpEligible: boolean };
export type Channels = {
  autofill: ChannelState;
  silent: ChannelState;
  sms: { available: boolean; brandApproved: boolean };
};

/**
 * Whether a brand may use a channel. Device channels need the operator's approval and the brand's setting; texts need
 * only the setting.
 */
export function mayUse(brand: Brand, channel: DeviceChannel | "sms"): boolean {
  const switchedOn = brand.settings.channels[channel];
  return channel === "sms" ? switchedOn : switchedOn && brand.approvals.has(channel);
}

/** The 403 for an environment without an SMS sender. */
export function textsUnavailable(): Failure {
  return refuse(403, "The sms channel is not available: no SMS gateway is configured.");
}

/** Whether a device channel can work. If the carrier fails, returns false, and the person continues by text. */
export async function eligible(deps: HomeDeps, device: { channel: DeviceChannel; deviceIp: string }): Promise<boolean> {
  return await deps.vendors.carrier.eligible(device).catch(() => false);
}

/** The channels that a device can use now. */
export async function channelsFor(deps: HomeDeps, brand: Brand, deviceIp: string | undefined): Promise<Channels> {
  const device = async (channel: DeviceChannel): Promise<ChannelState> => {
    const brandApproved = mayUse(brand, channel);
    const deviceIpEligible = deviceIp !== undefined && (await eligible(deps, { channel, deviceIp }));
    return { available: brandApproved && deviceIpEligible, brandApproved, deviceIpEligible };
  };
  const sms = mayUse(brand, "sms");
  return {
    autofill: await device("autofill"),
    silent: await device("silent"),
    sms: { available: sms && deps.policy.offers.texts, brandApproved: sms },
  };
}
