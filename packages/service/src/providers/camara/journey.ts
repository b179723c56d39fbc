import { createHash, createHmac, hkdfSync } from "node:crypto";
import { minuteMs } from "@countersign/contract/time";
import type { DeviceChannel } from "../../domain/ports.ts";
import { sameText } from "../signature.ts";
import type { ClientProof } from "./settings.ts";

/** How long a device may take from here to the operator and back, milliseconds. */
const journeyMs = minuteMs;

/** The data of a device's journey. The return must match it. */
export type CarrierJourney = { returnTo: string; channel: DeviceChannel; deviceIp: string; phone?: string };
/** The values in an authorization request that identify a journey. */
export type Marks = { state: string; nonce: string; verifier: string; challenge: string };

/**
 * Derives a journey's marks from our key and the journey's data, so no process stores them. A code for another person,
 * device or verification does not match.
 */
export function carrierJourneys(proof: ClientProof, now: () => number) {
  const key = keyOf(proof);
  const mac = (use: string, text: string) => createHmac("sha256", key).update(`${use}\n${text}`).digest("base64url");
  const bind = ({ returnTo, channel, deviceIp, phone }: CarrierJourney, at: string) =>
    mac("state", [at, returnTo, channel, deviceIp, phone ?? ""].join("\n"));
  const marks = (state: string): Marks => {
    const verifier = mac("verifier", state);
    return {
      state,
      nonce: mac("nonce", state),
      verifier,
      challenge: createHash("sha256").update(verifier).digest("base64url"),
    };
  };
  return {
    /**
     * The state starts with the token in `returnTo`. The handler of the registered redirect URL needs it to send the
     * device on.
     */
    begin(journey: CarrierJourney): Marks {
      const at = now().toString(36);
      return marks([tokenIn(journey.returnTo), at, bind(journey, at)].join("."));
    },
    /** Null if the state belongs to another journey or is too old. */
    resume(journey: CarrierJourney, state: string): Marks | null {
      const [token = "", at = "", seal = ""] = state.split(".");
      if (!/^[0-9a-z]{1,11}$/.test(at) || token !== tokenIn(journey.returnTo)) return null;
      const age = now() - Number.parseInt(at, 36);
      if (age < 0 || age > journeyMs || !sameText(seal, bind(journey, at))) return null;
      return marks(state);
    },
  };
}

/** The token in `…/device/<token>/result`. */
function tokenIn(returnTo: string): string {
  return new URL(returnTo).pathname.split("/").at(-2) ?? "";
}

function keyOf(proof: ClientProof): Buffer {
  const secret = proof.kind === "secret" ? proof.secret : proof.key.export({ type: "pkcs8", format: "der" });
  return Buffer.from(hkdfSync("sha256", secret, "", "countersign carrier journeys", 32));
}
