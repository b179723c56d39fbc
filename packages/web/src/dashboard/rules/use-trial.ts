import type { Environment } from "@countersign/contract/brand";
import { type RuleMatch, trialPlansMax, trialRulesMax } from "@countersign/contract/dashboard-rules";
import { useEffect, useRef, useState } from "preact/hooks";
import { api, type Trouble } from "../api.ts";
import { type Problem, problemsBelow, type Rule } from "./rules.ts";
import type { trialWords as say } from "./words-rules.ts";

/** Wait for a pause in typing, so that the service judges finished words, in milliseconds. */
const pauseMs = 300;

export type Plan = (typeof say.samples)[number];
export type TriedPlan = { plan: Plan; status: Rule["status"]; rules: ReadonlyMap<number, RuleMatch> };
/** What the service answered. `problemsAt` has the problems of a rule that cannot be saved yet. */
export type Trial = { plans: TriedPlan[]; places: number[]; day: string; problemsAt(place: number): Problem[] };
export type Trying = { trial: Trial | null; trouble: Trouble | null };

type Input = {
  params: { brand: string; environment: Environment };
  /** Null while the settings load. */
  rules: readonly Rule[] | null;
  plans: readonly Plan[];
  /** Empty: today. */
  day: string;
  /** A rule to explain even if it is far down in the list. */
  open: number | null;
};

/** Asks the service to apply the rules, including unsaved edits, to the plans: again after each edit. */
export function useTrial({ params, rules, plans, day, open }: Input): Trying {
  const [tried, setTried] = useState<Trying>({ trial: null, trouble: null });
  const isFirst = useRef(true);
  const explain = [...(open === null ? [] : [open]), ...(rules ?? []).keys()].slice(0, trialRulesMax);
  const asked = JSON.stringify({
    rules,
    plans: plans.slice(0, trialPlansMax).map(bodyOf),
    explain: [...new Set(explain)],
    ...(day === "" ? {} : { day }),
  });
  useEffect(() => {
    if (rules === null || rules.length === 0) return;
    let isHere = true;
    const ask = async () => {
      const outcome = await api.tryNetworkRules({ params, body: JSON.parse(asked) });
      if (!isHere) return;
      // While an answer is missing, the picture keeps the last one.
      if (outcome.kind !== "ok") return setTried(({ trial }) => ({ trial, trouble: outcome.trouble }));
      const { decisions, problems, day: on } = outcome.value;
      const triedPlans = plans.flatMap((plan, at): TriedPlan[] => {
        const decision = decisions[at];
        if (decision === undefined) return [];
        return [{ plan, status: decision.status, rules: new Map(decision.rules.map((one) => [one.place, one])) }];
      });
      const places = [...new Set(triedPlans.flatMap((one) => [...one.rules.keys()]))].sort((a, b) => a - b);
      // Remove the code in front of a problem. It is for programs.
      const plain = problems.map(({ path, message }) => ({ path, message: message.replace(/^[A-Z_]+: /, "") }));
      const problemsAt = (place: number) => problemsBelow(plain, `rules.${place}`);
      setTried({ trial: { plans: triedPlans, places, day: on, problemsAt }, trouble: null });
    };
    const timer = setTimeout(() => void ask(), isFirst.current ? 0 : pauseMs);
    isFirst.current = false;
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [asked, params.brand, params.environment]);
  return tried;
}

function bodyOf({ payer, planName, groupNumber, groupName, state, codes, entities }: Plan) {
  const parts = (text: string, separator: string) =>
    text
      .split(separator)
      .map((one) => one.trim())
      .filter((one) => one !== "");
  return {
    payerId: payer.vendorId,
    planName,
    groupNumber,
    groupName,
    ...(state.trim() === "" ? {} : { state: state.trim() }),
    insuranceTypeCodes: parts(codes, ","),
    relatedEntities: parts(entities, "\n"),
  };
}
