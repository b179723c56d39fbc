import type { Environment } from "@countersign/contract/brand";
import { Plus, X } from "lucide";
import { Choose } from "../../ui/choose.tsx";
import { Field } from "../../ui/field.tsx";
import { Button } from "../controls/button.tsx";
import { TextArea, TroubleNotice } from "../controls/controls.tsx";
import { TableBox } from "../controls/table.tsx";
import { isPreventedIn, Match } from "./rule-match.tsx";
import { nameOf, type Rule } from "./rules.ts";
import { searchPayers } from "./use-payers.ts";
import type { Plan, Trial, TriedPlan, Trying } from "./use-trial.ts";
import { ruleWords, trialWords as say } from "./words-rules.ts";
import "./rule-trial.css";

type Params = { brand: string; environment: Environment };
type Props = {
  params: Params;
  rules: readonly Rule[];
  trying: Trying;
  mayEdit: boolean;
  day: string;
  onDay(day: string): void;
  /** The member's own plan. Null: only the samples are shown. */
  own: Plan | null;
  onOwn(plan: Plan | null): void;
  /** Opens a rule at its first problem. */
  onFix(place: number): void;
};

/** Shows what each rule makes of each sample plan, and which rules decide. The service judges; this only draws. */
export function RuleTrial({ params, rules, trying, mayEdit, day, onDay, own, onOwn, onFix }: Props) {
  const { trial, trouble } = trying;
  return (
    <section class="trial" aria-labelledby="trial-title">
      <h2 id="trial-title">{say.title}</h2>
      <p class="quiet">{say.lead(mayEdit)}</p>
      <div class="trial-bar">
        <Field
          id="trial-day"
          label={say.day}
          input={{ type: "date", value: day, onChange: (event) => onDay(event.currentTarget.value) }}
        />
        <Button
          icon={own === null ? Plus : X}
          label={own === null ? say.addOwn : say.removeOwn}
          aria-expanded={own !== null}
          onClick={() => onOwn(own === null ? say.own : null)}
        />
      </div>
      {own === null ? null : (
        <PlanFields params={params} plan={own} onEdit={(members) => onOwn({ ...own, ...members })} />
      )}
      <TroubleNotice trouble={trouble} />
      {trial === null ? null : (
        <Matrix {...{ trial, rules, onFix }} isFixable={mayEdit} isOutdated={trouble !== null} />
      )}
    </section>
  );
}

type MatrixProps = {
  trial: Trial;
  rules: readonly Rule[];
  onFix(place: number): void;
  isFixable: boolean;
  isOutdated: boolean;
};

function Matrix({ trial, rules, onFix, isFixable, isOutdated }: MatrixProps) {
  const { plans, places, day } = trial;
  const shown = places.filter((place) => place < rules.length);
  return (
    <>
      <TableBox class={isOutdated ? "matrix outdated" : "matrix"}>
        <table aria-label={say.table}>
          <thead>
            <tr>
              <th scope="col">{say.rule}</th>
              {plans.map(({ plan }) => (
                <th key={plan.name} scope="col">
                  {plan.name}
                  <span class="quiet">{factsOf(plan)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr class="decisions">
              <th scope="row">
                {say.result} <span class="quiet">{say.on(day)}</span>
              </th>
              {plans.map((one) => (
                <td key={one.plan.name}>
                  <span class="block-label">{one.plan.name} </span>
                  <Decision of={one} rules={rules} />
                </td>
              ))}
            </tr>
            {shown.map((place) => {
              const rule = rules[place];
              if (rule === undefined) return null;
              const name = nameOf(rule, place);
              return (
                <tr key={rule.uuid ?? `new ${place}`}>
                  <th scope="row">
                    {name} <span class="quiet">{ruleWords.statuses[rule.status]}</span>
                    {isFixable && trial.problemsAt(place).length > 0 ? (
                      <Button label={say.fix} subject={name} look="small" onClick={() => onFix(place)} />
                    ) : null}
                  </th>
                  {plans.map(({ plan, rules: matches }) => {
                    const match = matches.get(place);
                    return (
                      <td key={plan.name}>
                        <span class="block-label">{plan.name} </span>
                        {match === undefined ? null : (
                          <Match of={match} isPrevented={isPreventedIn({ rules: matches })} />
                        )}
                      </td>
                    );
                  })}
                </tr>
              );
            })}
          </tbody>
        </table>
      </TableBox>
      <p class="hidden" role="status">
        {plans.map(({ plan, status }) => `${plan.name}: ${ruleWords.statuses[status]}.`).join(" ")}
      </p>
      {shown.length < rules.length ? <p class="quiet">{say.someRules(shown.length, rules.length)}</p> : null}
      <ul class="matrix-key" aria-hidden="true">
        {(["matches", "differs", "unknown"] as const).map((one) => (
          <li key={one}>
            <span class="marks">
              <span class={`mark-${one}`} />
            </span>
            {say.marks[one]}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The decision about a plan and, if it is indeterminate, why. */
function Decision({ of: { status, rules }, rules: all }: { of: TriedPlan; rules: readonly Rule[] }) {
  const kind = { IN_NETWORK: "good", OUT_OF_NETWORK: "bad", INDETERMINATE: "" }[status];
  const parts = [...rules.values()].map(({ part }) => part);
  // The rules may be far below their decision.
  const deciding = [...rules].flatMap(([place, { part }]) => {
    const rule = all[place];
    return part === "decides" && rule !== undefined ? [nameOf(rule, place)] : [];
  });
  const why = parts.includes("prevents") ? "mayMatch" : parts.includes("decides") ? "disagree" : "noRule";
  return (
    <span class="decision">
      <span class={`tag ${kind}`}>{ruleWords.statuses[status]}</span>
      {deciding.length === 0 || isPreventedIn({ rules }) ? null : <span class="quiet">{say.by(deciding)}</span>}
      {status === "INDETERMINATE" && !isDecided(parts, rules) ? <span class="quiet">{say.why[why]}</span> : null}
    </span>
  );
}

/** Whether rules whose own status is indeterminate decided, so that nothing is left to explain. */
function isDecided(parts: readonly unknown[], rules: TriedPlan["rules"]): boolean {
  return (
    parts.filter((one) => one === "decides").length === 1 &&
    [...rules.values()].every(({ part }) => part !== "prevents")
  );
}

/** The known facts of a plan, in one line. */
function factsOf({ payer, planName, groupName, state, codes }: Plan): string {
  return [payer.name, planName, groupName, state, codes].filter((one) => one !== "").join(" · ");
}

type FieldsProps = { params: Params; plan: Plan; onEdit(members: Partial<Plan>): void };

/** The member's own plan. Its fields have the width of the page. */
function PlanFields({ params, plan, onEdit }: FieldsProps) {
  const box = (key: "planName" | "groupNumber" | "groupName", label: string) => (
    <Field
      id={`trial-${key}`}
      label={label}
      input={{ value: plan[key], maxLength: 200, onInput: (event) => onEdit({ [key]: event.currentTarget.value }) }}
    />
  );
  return (
    <fieldset class="own-plan">
      <legend>{say.ownTitle}</legend>
      <p class="about">{say.unknownHint}</p>
      <Choose
        key={plan.payer.vendorId}
        id="trial-payer"
        label={say.payer(plan.payer.name)}
        hint={say.payerHint}
        found={ruleWords.found}
        failed={ruleWords.searchFailed}
        search={(text) => searchPayers(params, text)}
        onChoose={(option) => {
          if (option !== null) onEdit({ payer: { vendorId: option.value, name: option.label } });
        }}
      />
      <div class="own-fields">
        {box("planName", say.planName)}
        {box("groupNumber", say.groupNumber)}
        {box("groupName", say.groupName)}
        <Field
          id="trial-state"
          label={say.state}
          input={{
            value: plan.state,
            maxLength: 2,
            onInput: (event) => onEdit({ state: event.currentTarget.value.toUpperCase() }),
          }}
        />
        <Field
          id="trial-codes"
          label={say.codes}
          hint={say.codesHint}
          input={{
            value: plan.codes,
            maxLength: 100,
            onInput: (event) => onEdit({ codes: event.currentTarget.value.toUpperCase() }),
          }}
        />
        <TextArea
          id="trial-entities"
          label={say.entities}
          hint={say.entitiesHint}
          rows={2}
          maxLength={2000}
          value={plan.entities}
          onInput={(entities) => onEdit({ entities })}
        />
      </div>
    </fieldset>
  );
}
