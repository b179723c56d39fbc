import { type HomeDeps, sourceDeadlineMs } from "./deps.ts";
import { orUnavailable } from "./failure.ts";
import type { Phone, SourceAnswer } from "./ports.ts";

/** What the outside source says about a phone alone. Throws 503 if the source is down. */
export async function lookUpPhone(deps: HomeDeps, phone: Phone): Promise<SourceAnswer> {
  return await orUnavailable(
    deps.identity.lookUp({ phone, inputs: {}, compare: [], narrow: [], deadlineMs: sourceDeadlineMs }),
  );
}

/** Whether the source may know the phone's holder. */
export async function isKnownToSource(deps: HomeDeps, phone: Phone): Promise<boolean> {
  return (await lookUpPhone(deps, phone)).kind !== "unknown";
}
