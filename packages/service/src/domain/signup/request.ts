import { declaredConsent } from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import type { JourneyName } from "../journey.ts";
import { release } from "./release.ts";
import { settle } from "./settle.ts";
import { type OneClickAsk, startOneClick } from "./start.ts";
import type { OneClick } from "./store.ts";

/** A 1-Click of a journey that answers at once: the brand's word, or our verification, is the proof. */
export async function requestOneClick(
  deps: Deps,
  caller: Caller,
  journey: JourneyName,
  ask: OneClickAsk,
): Promise<OneClick> {
  const subject = await startOneClick(deps, caller, journey, ask);
  const facts = await settle(deps, caller, subject);
  return await release(deps, caller, subject, { facts, consent: declaredConsent(caller.brand) });
}
