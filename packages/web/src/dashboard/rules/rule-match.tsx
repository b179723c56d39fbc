import type { RuleMatch } from "@countersign/contract/dashboard-rules";
import { CalendarOff, Check, CircleDashed, CircleQuestionMark, Minus, PowerOff } from "lucide";
import { Icon, type IconNode } from "../../ui/icon.tsx";
import type { TriedPlan } from "./use-trial.ts";
import { trialWords as say } from "./words-rules.ts";

const icons: Readonly<Record<RuleMatch["match"], IconNode>> = {
  matches: Check,
  differs: Minus,
  unknown: CircleQuestionMark,
  notInForce: CalendarOff,
  off: PowerOff,
  incomplete: CircleDashed,
};

/** `isPrevented`: another rule might decide, so that this one does not decide for certain. */
type MatchProps = { of: RuleMatch; isPrevented?: boolean };

/** Whether a rule with more conditions might match, so that nothing decides. */
export function isPreventedIn({ rules }: Pick<TriedPlan, "rules">): boolean {
  return [...rules.values()].some(({ part }) => part === "prevents");
}

/** How one rule compares with one plan: a word, and a mark for each condition. A rule that decides has an outline. */
export function Match({ of: { match, part, conditions }, isPrevented = false }: MatchProps) {
  const met = conditions.filter((one) => one === "matches").length;
  const unknown = conditions.filter((one) => one === "unknown").length;
  return (
    <span class={`match ${match} ${part ?? ""}`}>
      <span class="match-word">
        <Icon node={icons[match]} />{" "}
        {part === undefined ? say.matches[match] : say.parts[part === "decides" && isPrevented ? "would" : part]}
      </span>
      {conditions.length === 0 ? null : (
        <>
          <span class="marks" aria-hidden="true">
            {conditions.map((one, place) => (
              <span key={place} class={`mark-${one}`} />
            ))}
          </span>
          <span class="hidden">. {say.conditionsMet(met, conditions.length, unknown)}</span>
        </>
      )}
    </span>
  );
}

/** What the sample plans make of the rule that is being edited. */
export function RuleStrip({ place, plans }: { place: number; plans: readonly TriedPlan[] }) {
  const [first] = plans.flatMap(({ rules }) => rules.get(place) ?? []);
  if (first === undefined) return null;
  // The same for every plan.
  if (first.match === "incomplete" || first.match === "off") return <p class="quiet">{say.takesNoPart[first.match]}</p>;
  return (
    <ul class="rule-strip" aria-label={say.strip}>
      {plans.map(({ plan, rules }) => {
        const one = rules.get(place);
        return one === undefined ? null : (
          <li key={plan.name}>
            <span class="quiet">{plan.name}</span> <Match of={one} isPrevented={isPreventedIn({ rules })} />
          </li>
        );
      })}
    </ul>
  );
}
