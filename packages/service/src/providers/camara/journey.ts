import { createHash, createHmac, hkdfSync } from "node:crypto";
import type { DeviceChannel } from "../../domain/ports.ts";
import { sameText } from "../signature.ts";
import type { ClientProof } from "./settings.ts";

/** How long a device may take from here to the operator and back. */
export const journeyMs = 60_000;

/** What a device set out with, and must come back with. */
export type Journey = { returnTo: string; channel: DeviceChannel; deviceIp: string; phone?: string };
/** What an authorization request carries of a journey. */
export type Marks = { state: string; nonce: string; verifier: string; challenge: string };

/**
 * Marks of journeys that no process has to remember: all of them follow from our key and from what the journey is about,
 * so that a code that was meant for another person, device or verification opens nothing.
 */
export function journeys(proof: ClientProof, now: () => number) {
  const key = keyOf(proof);
  const mac = (use: string, text: string) => createHmac("sha256", key).update(`${use}\n${text}`).digest("base64url");
  const bind = ({ returnTo, channel, deviceIp, phone }: Journey, at: string) =>
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
    /** The word that `returnTo` holds comes first: by it the registered address finds the way back. */
    begin(journey: Journey): Marks {
      const at = now().toString(36);
      return marks([wordOf(journey.returnTo), at, bind(journey, at)].join("."));
    },
    /** Null for a state that is not of this journey, or that is late. */
    resume(journey: Journey, state: string): Marks | null {
      const [word = "", at = "", seal = ""] = state.split(".");
      if (!/^[0-9a-z]{1,11}$/.test(at) || word !== wordOf(journey.returnTo)) return null;
      const age = now() - Number.parseInt(at, 36);
      if (age < 0 || age > journeyMs || !sameText(seal, bind(journey, at))) return null;
      return marks(state);
    },
  };
}

/** `…/device/<word>/result`. */
function wordOf(returnTo: string): string {
  return new URL(returnTo).pathname.split("/").at(-2) ?? "";
}

function keyOf(proof: ClientProof): Buffer {
  const secret = proof.kind === "secret" ? proof.secret : proof.key.export({ type: "pkcs8", format: "der" });
  return Buffer.from(hkdfSync("sha256", secret, "", "countersign carrier journeys", 32));
}
