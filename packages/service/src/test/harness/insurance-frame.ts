/** The SDK's frame of a brand with 1-Click Health, from the session key to the insurance step. */
import { client } from "@countersign/contract/client";
import { continueSession, openSession } from "@countersign/contract/session";
import { chooseInsurance, decidePage, findInsurance, searchInsurers, viewPage } from "@countersign/contract/wallet";
import { agreed } from "./consent-shown.ts";
import { frameOfKey, type Sandbox } from "./sandbox.ts";
import { scriptCalls } from "./script-calls.ts";

export function insuranceFrames(it: Sandbox) {
  const frame = (session?: string) =>
    client(
      { openSession, continueSession, viewPage, decidePage, findInsurance, chooseInsurance, searchInsurers },
      { send: scriptCalls(it.wallet, session) },
    );
  /** A person at the review of their details. */
  async function reviewing(api: Sandbox["api"], phone: string) {
    const { sessionKey } = (await api.createSession({ body: { phone } })).body;
    const opened = (await frame().openSession({ body: { sessionKey, frame: frameOfKey(sessionKey) } })).body;
    const { sessionToken } = (
      await frame(opened.sessionToken).continueSession({ body: { consent: agreed("proveKnownHealth") } })
    ).body;
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
