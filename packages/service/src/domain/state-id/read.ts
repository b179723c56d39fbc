/** Reads and verifies the state ID that a wallet app returned to the browser. */
import type { Deps } from "../deps.ts";
import type { StateIdProtocol } from "./ask.ts";
import type { StateId } from "./elements.ts";

/** `protocol` and `data`: what the browser's `DigitalCredential` has. The rest: as given to `askForStateId`. */
export type StateIdAnswer = {
  requestUuid: string;
  subject: string;
  browser: string;
  origin: string;
  protocol: StateIdProtocol;
  data: unknown;
};

/**
 * Verifies an answer. The request ends, whatever its answer is, but only for its own browser, 1-Click and origin: a call
 * of another one changes nothing. Throws `StateIdRefusal`.
 */
export async function readStateId(_deps: Deps, _answer: StateIdAnswer): Promise<StateId> {
  throw new Error("not implemented");
}
