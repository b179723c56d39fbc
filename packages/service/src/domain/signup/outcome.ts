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
  type OneClickState,
  type RepeatedRefusal,
  type ScoredOneClick,
  type StoredOneClick,
} from "./one-click.ts";
import { findErasure, findOneClick, saveOneClick } from "./one-click-rows.ts";
import { refusalOf, throwIfRefused } from "./refusal.ts";
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

/** What is stored after the steps. `released`: the state says whether another call declined or refused it meanwhile. */
export type Saved =
  | { kind: "released"; oneClick: StoredOneClick }
  | { kind: "review"; oneClick: OneClick }
  | Unfound
  | Overtaken;

/** Another call ended the 1-Click or found its identity meanwhile, so nothing was stored. `oneClick`: what is stored. */
type Overtaken = { kind: "overtaken"; oneClick: StoredOneClick; outcome: Outcome };

/** The states in which sources are asked. A late answer changes no review and no end that another call got. */
const searched: readonly OneClickState[] = ["awaitingProof", "awaitingInputs"];

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
    const save = await deps.db.inTransaction((trx) =>
      saveReview(deps, trx, caller, { oneClick: reviewed, before: searched }),
    );
    return save.isSaved ? { kind: "review", oneClick: reviewed } : { kind: "overtaken", oneClick: save.now, outcome };
  }
  const { kind, code, oneClick } = outcome;
  const save = await deps.db.inTransaction(async (trx) => {
    const tried = await saveOpen(deps, trx, caller, { oneClick, before: searched });
    if (tried.isSaved && kind === "refused")
      await recordAudit(deps, trx, caller, {
        action: "oneClick.refused",
        personUuid: tried.person.uuid,
        oneClickUuid: oneClick.uuid,
        detail: { code },
      });
    return tried;
  });
  return save.isSaved ? outcome : { kind: "overtaken", oneClick: save.now, outcome };
}

/** The released 1-Click. Throws the error for the brand if nothing was found. */
export function requireReleased(caller: Caller, saved: Saved): StoredOneClick {
  if (saved.kind === "released" || saved.kind === "overtaken") throwIfRefused(caller, saved.oneClick);
  if (saved.kind === "released") return saved.oneClick;
  // A call whose inputs are refused gets that error, also about a 1-Click whose data was released before it.
  const outcome = saved.kind === "overtaken" ? saved.outcome : saved;
  // Only the person's page leads to a review.
  if (outcome.kind === "review" || outcome.kind === "found") throw fail("OCE015", {});
  const refusal = refusalOf(caller.brand, outcome.code, outcome.oneClick);
  // Nothing is stored about a 1-Click that can be tried again.
  if (outcome.kind !== "retry") refusal.subject = outcome.oneClick.uuid;
  throw refusal;
}

/** A 1-Click in its new state. `before`: the states that it may follow, if not all that allow the new one. */
type Changed = { oneClick: OneClick; before?: readonly OneClickState[] };

/** Whether a 1-Click was saved. `now`: what another call stored, if its state no longer changes to the new one. */
type Save = { isSaved: true; person: Person } | { isSaved: false; now: StoredOneClick };

/**
 * Saves a 1-Click whose values the page now shows, and records that. A brand that holds the code or the session can open
 * the page before the person decides.
 */
export async function saveReview(deps: Deps, trx: Trx, caller: Caller, changed: Changed): Promise<Save> {
  const save = await saveOpen(deps, trx, caller, changed);
  const { oneClick } = changed;
  const types = oneClick.facts.credentials.map((one) => one.request.type);
  if (!save.isSaved || types.length === 0) return save;
  await recordAudit(deps, trx, caller, {
    action: "oneClick.shown",
    personUuid: save.person.uuid,
    oneClickUuid: oneClick.uuid,
    detail: { types },
  });
  return save;
}

/**
 * Saves a 1-Click that is not released after its sources were asked. Throws OCE015 if the person has ended it or its
 * proof meanwhile, because nothing would erase what is stored now.
 */
export async function saveOpen(deps: Deps, trx: Trx, caller: Caller, { oneClick, before }: Changed): Promise<Save> {
  // This locks the person, so a withdrawal or a deletion runs before the next statement or after this transaction.
  const person = await ensurePerson(deps, trx, oneClick.facts.phone);
  const { uuid, verificationUuid: proof } = oneClick;
  const isProven = proof === null || (await listVerified(trx, [proof])).has(proof);
  const isErased = (await findErasure(trx, uuid))?.isErased === true;
  if (!isProven || isErased || isOfFormerHolder(oneClick, person)) throw fail("OCE015", {});
  if (await saveOneClick(deps, trx, { brand: caller.brand, oneClick, person, before }))
    return { isSaved: true, person };
  const now = await findOneClick(deps, trx, caller, uuid);
  if (now === null) throw fail("OCE015", {});
  return { isSaved: false, now };
}
