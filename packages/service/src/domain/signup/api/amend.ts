import { challengeInputs, givenChallenges } from "@countersign/contract/errors";
import { minuteMs } from "@countersign/contract/time";
import { birthDateProblems } from "../../day.ts";
import type { Caller, Deps } from "../../deps.ts";
import { fail, invalid } from "../../failure.ts";
import { journeys } from "../../journey.ts";
import type { PersonInputs } from "../../ports.ts";
import { identifiersOf } from "../entity.ts";
import { type StoredOneClick, withInputs } from "../one-click.ts";
import { requireReleased, saveOutcome } from "../outcome.ts";
import { isVerified } from "../phone-proof.ts";
import { throwIfRefused } from "../refusal.ts";
import { findIdentity } from "../steps.ts";
import { ownOneClick, read } from "./read.ts";

/** How long after its creation a 1-Click can be amended, milliseconds. */
const amendableMs = 30 * minuteMs;

/** Adds the inputs that OCE011 asked for. Only for brands that relay the person's code. */
export async function amendOneClick(
  deps: Deps,
  caller: Caller,
  input: { uuid: string; inputs: PersonInputs },
): Promise<StoredOneClick> {
  const oneClick = await ownOneClick(deps, caller, input.uuid);
  if (journeys[oneClick.journey].proof !== "brandCode") {
    throw fail(
      "ERR001",
      {},
      `A 1-Click of integration type ${caller.brand.settings.integrationType} cannot be amended: ${
        journeys[oneClick.journey].review === "wallet"
          ? "the wallet asks the person for the input."
          : "repeat the POST with identityUuid and the input."
      }`,
    );
  }
  const problems = birthDateProblems(deps.clock, input.inputs.birthDate);
  if (givenChallenges(input.inputs).length === 0)
    problems.push({ path: "body", message: `Send one of ${challengeInputs.join(", ")}.` });
  if (problems.length > 0) throw invalid(problems);
  if (!(await isVerified(deps, oneClick))) {
    const { identifiers } = identifiersOf(oneClick.facts, oneClick.phoneMethod);
    throw fail("OCE009", { identifiers });
  }
  if (deps.clock.now() >= oneClick.createdAt + amendableMs) throw fail("OCE014", {});
  throwIfRefused(caller, oneClick);

  const isReleased = oneClick.state === "released";
  const asked = isReleased ? { ...oneClick, reusedUntil: oneClick.expiresAt } : oneClick;
  const outcome = await findIdentity.run(deps, caller, withInputs(asked, input.inputs));
  // If the data is already released, correct inputs change nothing; only read the 1-Click again.
  if (isReleased && outcome.kind === "found") return await read(deps, caller, input.uuid);
  return requireReleased(caller, await saveOutcome(deps, caller, outcome));
}
