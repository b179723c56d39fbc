import type { Caller, Deps } from "../deps.ts";
import { Failure } from "../failure.ts";
import type { DeviceChannel } from "../ports.ts";
import { type BeginVerification, beginVerification } from "./begin.ts";
import { beginDevice } from "./device.ts";
import type { Verification } from "./verification.ts";

type Channel = DeviceChannel | "sms";
/** A verification by text, or the URL that the device opens. */
type Begun = Verification | { channel: DeviceChannel; uuid: string; location: string };

/**
 * Begins the first channel that can begin. Skips a channel if the brand may not use it, the carrier does not support
 * the device, or the request lacks an input. Throws the last channel's error if none can begin.
 */
export async function beginFirst(
  deps: Deps,
  caller: Caller,
  { channels, ...input }: BeginVerification & { channels: readonly Channel[] },
): Promise<Begun> {
  let failure: Failure | null = null;
  for (const channel of channels) {
    try {
      if (channel === "sms") return await beginVerification(deps, caller, input);
      return { channel, ...(await beginDevice(deps, caller, { ...input, channel })) };
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error;
      failure = error;
    }
  }
  throw failure ?? new Error("no channel was named");
}
