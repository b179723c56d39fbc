/** The SDK's frame of a brand with 1-Click Health, from the session key to the insurance step. */
import { agreed } from "./consent-shown.ts";
import type { Sandbox } from "./sandbox.ts";
import { sessionFrames } from "./session-frames.ts";

export function insuranceFrames(it: Sandbox) {
  const { frame, opened } = sessionFrames(it);
  /** A person at the review of their details. */
  async function reviewing(api: Sandbox["api"], phone: string) {
    const { session } = await opened(api, { phone });
    const consent = agreed("proveKnownHealth");
    const { sessionToken } = (await session.continueSession({ body: { consent } })).body;
    const page = frame(sessionToken);
    return { page, view: (await page.viewPage()).body };
  }
  return {
    frame,
    reviewing,
    /** A person who has shared their details and is asked about their insurance. */
    async shared(api: Sandbox["api"], phone: string) {
      const { page } = await reviewing(api, phone);
      const { body } = await page.decidePage({ body: { share: true, consent: agreed("share") } });
      return { page, view: body };
    },
  };
}
