/** Why an answer with a state ID was refused. A reason says what the person can do next, not which check failed. */
import { catalog, type StateIdReason } from "@countersign/contract/errors";
import { Failure } from "../failure.ts";

const messages = {
  over: "The request for a state ID is over. Ask for it again.",
  unreadable: "The wallet app's answer cannot be read. Try again, or type the details.",
  declined: "The wallet app shared nothing. Try again, or type the details.",
  notGenuine: "This state ID could not be verified. Try again, or type the details.",
  unknownAuthority: "State IDs of this authority are not accepted here. Type the details.",
  expired: "This state ID has expired. Update it in the wallet app, or type the details.",
  notYetValid: "This state ID is not valid yet. Type the details.",
  revoked: "This state ID is no longer valid. Type the details.",
  uncheckable: "This state ID cannot be checked now. Try again, or type the details.",
  otherPerson: "This state ID is another person's. Use your own, or type the details.",
  contradicts: "This state ID differs from the records. Update it in the wallet app, or type the details.",
} satisfies Record<StateIdReason, string>;

/** Why a state ID was refused. */
export type StateIdRefusalReason = StateIdReason;

/** OCE022. `cause` names the failed check for the log, without personal data. */
export class StateIdRefusal extends Failure {
  override name = "StateIdRefusal";
  readonly reason: StateIdReason;
  constructor(reason: StateIdReason, cause?: string) {
    const more = cause === undefined ? {} : { cause: new Error(cause) };
    super(catalog.OCE022.status, messages[reason], { errorCode: "OCE022", reason }, {}, more);
    this.reason = reason;
  }
}
