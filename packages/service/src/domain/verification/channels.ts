import type { Brand, Deps } from "../deps.ts";
import { type Failure, fail } from "../failure.ts";
import type { DeviceChannel } from "../ports.ts";

export type ChannelState = { available: boolean; brandApproved: boolean; deviceIpEligible: boolean };
export type Channels = {
  autofill: ChannelState;
  silent: ChannelState;
  sms: { available: boolean; brandApproved: boolean };
};

/** Whether a brand may use a channel: the operator's approval and the brand's own switch. Texts need somebody to send them. */
export function mayUse(deps: Deps, brand: Brand, channel: DeviceChannel | "sms"): boolean {
  const switchedOn = brand.settings.channels[channel];
  return channel === "sms" ? switchedOn && deps.serves.texts : switchedOn && brand.approvals.has(channel);
}

/** Where nobody sends texts, whatever needs one is refused before anything is stored. */
export function noTexts(): Failure {
  return fail("OCV006", {}, "This service has no provider of texts.");
}

/** What can be used for a device now. */
export async function channelsFor(deps: Deps, brand: Brand, deviceIp: string | undefined): Promise<Channels> {
  const device = async (channel: DeviceChannel): Promise<ChannelState> => {
    const brandApproved = mayUse(deps, brand, channel);
    const deviceIpEligible = deviceIp !== undefined && (await deps.carrier.eligible({ channel, deviceIp }));
    return { available: brandApproved && deviceIpEligible, brandApproved, deviceIpEligible };
  };
  const sms = mayUse(deps, brand, "sms");
  return {
    autofill: await device("autofill"),
    silent: await device("silent"),
    sms: { available: sms && deps.serves.texts, brandApproved: sms },
  };
}
