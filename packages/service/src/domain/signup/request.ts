import { declaredConsent } from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import type { JourneyName } from "../journey.ts";
import { release } from "./release.ts";
import { settle } from "./settle.ts";
import { type OneClickAsk, startOneClick } from "./start.ts";
import type { OneClick } from "./store.ts";

/** Runs a 1-Click that is answered at once. The phone is proven by our verification, or by the brand's word. */
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
