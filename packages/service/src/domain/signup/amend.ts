import { declaredConsent } from "../audit/record.ts";
import { birthDateProblems } from "../day.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail, invalid } from "../failure.ts";
import { journeys } from "../journey.ts";
import type { PersonInputs } from "../ports.ts";
import { findVerificationUnbound } from "../verification/store.ts";
import { identifiersOf } from "./entity.ts";
import { ownOneClick, read } from "./read.ts";
import { throwRefusal } from "./refusal.ts";
import { release } from "./release.ts";
import { settle } from "./settle.ts";
import type { OneClick } from "./store.ts";
import { subjectOf } from "./subject.ts";

/** How long after its beginning a 1-Click may still be completed. */
export const amendableMs = 30 * 60_000;

/** A brand that relays codes passes what the source asked for. */
export async function amendOneClick(
  deps: Deps,
  caller: Caller,
  what: { uuid: string; inputs: Pick<PersonInputs, "birthDate" | "ssn4"> },
): Promise<OneClick> {
  const { birthDate, ssn4 } = what.inputs;
  const oneClick = await ownOneClick(deps, caller, what.uuid);
  if (journeys[oneClick.journey].proof !== "brandCode") {
    throw fail(
      "ERR001",
      {},
      `A 1-Click of integration type ${caller.brand.settings.integrationType} cannot be amended.`,
    );
  }
  const problems = birthDateProblems(deps.clock, birthDate);
  if (birthDate === undefined && ssn4 === undefined)
    problems.push({ path: "body", message: "must have birthDate or ssn4" });
  if (problems.length > 0) throw invalid(problems);
  if (!(await isProven(deps, oneClick))) throw fail("OCE009", identifiersOf(oneClick.facts, oneClick.phoneMethod));
  if (deps.clock.now() >= oneClick.createdAt + amendableMs) throw fail("OCE014", {});
  throwRefusal(caller, oneClick);

  const given = { ...(birthDate === undefined ? {} : { birthDate }), ...(ssn4 === undefined ? {} : { ssn4 }) };
  const subject = subjectOf(oneClick, given);
  const facts = await settle(deps, caller, subject);
  // Given again after success, right values change nothing.
  if (oneClick.state === "released") return await read(deps, caller, what.uuid);
  return await release(deps, caller, subject, { facts, consent: declaredConsent(caller.brand) });
}

async function isProven(deps: Deps, { verificationUuid }: OneClick): Promise<boolean> {
  if (verificationUuid === null) return false;
  const { row } = await findVerificationUnbound(deps, verificationUuid);
  return row.status === "verified";
}
