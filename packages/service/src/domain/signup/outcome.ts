/** How the steps of a 1-Click end, and what is stored then. */
import type { Trx } from "../../store/database.ts";
import { declaredConsent } from "../audit/consent.ts";
import { recordAudit } from "../audit/record.ts";
import type { CredentialFact } from "../credential/assemble.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import { type Journey, journeys } from "../journey.ts";
import { ensurePerson, type Person } from "../person.ts";
import { End } from "../steps.ts";
import { listVerified } from "../verification/verification-rows.ts";
import {
  isOfFormerHolder,
  type OneClick,
  type OneClickFacts,
  type RepeatedRefusal,
  type ScoredOneClick,
  type StoredOneClick,
} from "./one-click.ts";
import { findErasure, saveOneClick } from "./one-click-rows.ts";
import { refusalOf } from "./refusal.ts";
import { release } from "./release.ts";

export type Outcome =
  /** The facts have the credentials to release or to review. */
  { kind: "found"; oneClick: OneClick } | Unfound;

/**
 * `refused`: later reads repeat the error. `waiting`: the next call or page adds inputs. `retry`: another value can be
 * tried, so nothing is stored. The facts have the `refusedInputs` or the `missing` types, if the code is about them.
 */
export type Unfound = { kind: "refused" | "waiting" | "retry"; code: RepeatedRefusal; oneClick: OneClick };

/** Ends the steps with these credentials. */
export function found(oneClick: OneClick, credentials: CredentialFact[]): End<Outcome> {
  return new End({ kind: "found", oneClick: { ...oneClick, facts: { ...oneClick.facts, credentials } } });
}

/** Ends the steps with an error. */
export function unfound(
  code: RepeatedRefusal,
  { oneClick, inputs, isBirthDateTyped }: ScoredOneClick,
  why: Pick<OneClickFacts, "refusedInputs" | "missing" | "mayUseId"> = {},
): End<Outcome> {
  const { heldId, ...lasting } = oneClick.facts;
  const facts = { ...lasting, ...why };
  if (isFinal(code, journeys[oneClick.journey]))
    return new End({ kind: "refused", code, oneClick: { ...oneClick, state: "refused", refusal: code, facts } });
  if (code !== "OCE011") return new End({ kind: "retry", code, oneClick: { ...oneClick, facts } });
  // Keep the inputs given so far; the next call adds the missing ones. A call that adds none gets this error again.
  return new End({
    kind: "waiting",
    code,
    oneClick: {
      ...oneClick,
      state: "awaitingInputs",
      facts: {
        ...facts,
        inputs,
        ...(isBirthDateTyped ? { isBirthDateTyped } : {}),
        ...(heldId === undefined ? {} : { heldId }),
      },
    },
  });
}

/** Whether later reads repeat the error. Otherwise, the same 1-Click can be tried again. */
function isFinal(code: RepeatedRefusal, { review, comesBackAs }: Journey): boolean {
  // In redirect flows, the brand reads the refusal after the person returns.
  if (code === "OCE007") return comesBackAs !== null;
  // On the brand's own screens, we cannot ask for other inputs before the person returns.
  if (code === "OCE011" || code === "OCE012") return review === "brand" && comesBackAs !== null;
  return true;
}

/** What is stored after the steps. `released`: the state says whether another call declined it meanwhile. */
export type Saved = { kind: "released"; oneClick: StoredOneClick } | { kind: "review"; oneClick: OneClick } | Unfound;

/**
 * Stores an outcome, unless the brand may try again. What was found is released if the brand reviews it, because the brand declares
 * the consent. Otherwise it waits for the person's decision.
 */
export async function saveOutcome(deps: Deps, caller: Caller, outcome: Outcome): Promise<Saved> {
  if (outcome.kind === "retry") return outcome;
  if (outcome.kind === "found") {
    const { oneClick } = outcome;
    if (journeys[oneClick.journey].review === "brand")
      return { kind: "released", oneClick: await release(deps, caller, oneClick, declaredConsent(caller.brand)) };
    const reviewed: OneClick = { ...oneClick, state: "awaitingDecision" };
    await deps.db.inTransaction((trx) => saveReview(deps, trx, caller, reviewed));
    return { kind: "review", oneClick: reviewed };
  }
  const { kind, code, oneClick } = outcome;
  await deps.db.inTransaction(async (trx) => {
    const person = await saveOpen(deps, trx, caller, oneClick);
    if (kind === "refused")
      await recordAudit(deps, trx, caller, {
        action: "oneClick.refused",
        personUuid: person.uuid,
        oneClickUuid: oneClick.uuid,
        detail: { code },
      });
  });
  return outcome;
}

/** The released 1-Click. Throws the error for the brand if nothing was found. */
export function requireReleased({ brand }: Caller, saved: Saved): StoredOneClick {
  if (saved.kind === "released") return saved.oneClick;
  // Only the person's page leads to a review.
  if (saved.kind === "review") throw fail("OCE015", {});
  const refusal = refusalOf(brand, saved.code, saved.oneClick);
  // Nothing is stored about a 1-Click that can be tried again.
  if (saved.kind !== "retry") refusal.subject = saved.oneClick.uuid;
  throw refusal;
}

/**
 * Saves a 1-Click whose values the page now shows, and records that. A brand that holds the code or the session can open
 * the page before the person decides.
 */
export async function saveReview(deps: Deps, trx: Trx, caller: Caller, oneClick: OneClick): Promise<void> {
  const person = await saveOpen(deps, trx, caller, oneClick);
  const types = oneClick.facts.credentials.map((one) => one.request.type);
  if (types.length === 0) return;
  await recordAudit(deps, trx, caller, {
    action: "oneClick.shown",
    personUuid: person.uuid,
    oneClickUuid: oneClick.uuid,
    detail: { types },
  });
}

/**
 * Saves a 1-Click that is not released after its sources were asked. Throws OCE015 if the person has ended it or its
 * proof meanwhile, because nothing would erase what is stored now. Returns the person.
 */
export async function saveOpen(deps: Deps, trx: Trx, { brand }: Caller, oneClick: OneClick): Promise<Person> {
  // This locks the person, so a withdrawal or a deletion runs before the next statement or after this transaction.
  const person = await ensurePerson(deps, trx, oneClick.facts.phone);
  const { uuid, verificationUuid: proof } = oneClick;
  const isProven = proof === null || (await listVerified(trx, [proof])).has(proof);
  const isErased = (await findErasure(trx, uuid))?.isErased === true;
  if (!isProven || isErased || isOfFormerHolder(oneClick, person)) throw fail("OCE015", {});
  await saveOneClick(deps, trx, { brand, oneClick, person });
  return person;
}
