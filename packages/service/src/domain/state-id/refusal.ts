/** Why an answer with a state ID was refused. A reason says what the person can do next, not which check failed. */
import { Failure } from "../failure.ts";

const refusals = {
  over: [404, "The request for a state ID is over. Ask for it again."],
  unreadable: [400, "The wallet app's answer cannot be read. Try again, or type the details."],
  declined: [400, "The wallet app shared nothing. Try again, or type the details."],
  notGenuine: [400, "This state ID could not be verified. Try again, or type the details."],
  unknownAuthority: [400, "State IDs of this authority are not accepted here. Type the details."],
  expired: [400, "This state ID has expired. Update it in the wallet app, or type the details."],
  notYetValid: [400, "This state ID is not valid yet. Type the details."],
  revoked: [400, "This state ID is no longer valid. Type the details."],
  uncheckable: [503, "This state ID cannot be checked now. Try again, or type the details."],
} as const;

/**
 * `over`: the request is unknown, has expired, was answered, or belongs to another browser or 1-Click.
 * `unreadable`: not an answer to a requested protocol, or malformed, or too large.
 * `declined`: the wallet app returned an error, or no requested element.
 * `notGenuine`: a signature, a digest, a certificate or the binding to our request is wrong.
 * `unknownAuthority`: no root certificate of the trust list issued it.
 * `uncheckable`: the authority's status list cannot be read now.
 */
export type StateIdRefusalReason = keyof typeof refusals;

/** The wire has `data.reason`. `cause` names the failed check for the log, without personal data. */
export class StateIdRefusal extends Failure {
  override name = "StateIdRefusal";
  readonly reason: StateIdRefusalReason;
  constructor(reason: StateIdRefusalReason, cause?: string) {
    const [status, message] = refusals[reason];
    super(status, message, { reason }, {}, cause === undefined ? {} : { cause: new Error(cause) });
    this.reason = reason;
  }
}
