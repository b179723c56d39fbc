import type { Environment } from "@countersign/contract/brand";
import { Ellipsis } from "lucide";
import { Field } from "../../ui/field.tsx";
import { Button } from "../controls/button.tsx";
import { Check, Select, TextArea } from "../controls/controls.tsx";
import { Menu } from "../controls/menu.tsx";
import { Conditions } from "./rule-conditions.tsx";
import { RuleStrip } from "./rule-match.tsx";
import { MetadataEditor } from "./rule-metadata.tsx";
import { keyName, nameOf, operatorName, type Problem, type Rule, ruleStatuses, saidOf } from "./rules.ts";
import type { TriedPlan } from "./use-trial.ts";
import { ruleWords as say } from "./words-rules.ts";

type Common = { rule: Rule; at: number; wrong: readonly Problem[]; payers: ReadonlyMap<string, string> };
type SummaryProps = Common & {
  isOpen: boolean;
  mayEdit: boolean;
  onOpen(): void;
  onDuplicate(): void;
  onRemove(): void;
};

/** A readable summary of a rule, with its actions. */
export function RuleSummary(props: SummaryProps) {
  const { rule, at, wrong, payers, isOpen, mayEdit, onOpen, onDuplicate, onRemove } = props;
  const name = nameOf(rule, at);
  const days = say.days(rule.startDate, rule.endDate);
  const kind = { IN_NETWORK: "good", OUT_OF_NETWORK: "bad", INDETERMINATE: "" }[rule.status];
  return (
    <>
      <div class="grow">
        <p>
          <strong>{name}</strong> <span class={`tag ${kind}`}>{say.statuses[rule.status]}</span>{" "}
          {rule.enabled === false ? <span class="tag">{say.isOff}</span> : null}{" "}
          {wrong.length === 0 ? null : <span class="tag bad">{say.problems(wrong.length)}</span>}
        </p>
        {isOpen || days === "" ? null : <p class="quiet">{days}</p>}
        {isOpen ? null : (
          <ul class="chips">
            {rule.conditions.map((condition, place) => (
              <li key={`${place} ${condition.key}`}>
                {place === 0 ? null : <span class="quiet">{say.and}</span>}
                <ConditionChip condition={condition} payers={payers} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {mayEdit ? (
        <div class="row-actions">
          <Button
            label={isOpen ? say.close : say.edit}
            subject={name}
            look="small"
            aria-expanded={isOpen}
            onClick={onOpen}
          />
          <Menu
            icon={Ellipsis}
            label={say.moreActions(name)}
            items={[
              { label: say.duplicate, subject: name, onClick: onDuplicate },
              { label: say.remove, subject: name, onClick: onRemove },
            ]}
          />
        </div>
      ) : null}
    </>
  );
}

type ChipProps = { condition: Rule["conditions"][number]; payers: ReadonlyMap<string, string> };

function ConditionChip({ condition: { key, operator, values }, payers }: ChipProps) {
  const shown = values.map((value) => (key === "payerId" ? (payers.get(value) ?? value) : value));
  return (
    <span class="chip">
      <span class="quiet">
        {keyName(key)} {operatorName(operator)}
      </span>{" "}
      {shown.map((one) => (one === "" ? "…" : one)).join(` ${say.or} `)}
    </span>
  );
}

type EditorProps = Common & {
  plans: readonly TriedPlan[];
  params: { brand: string; environment: Environment };
  onChange(members: Partial<Rule>): void;
};

export function RuleEditor({ rule, at, wrong, payers, params, plans, onChange }: EditorProps) {
  const id = (name: string) => `rule-${at}-${name}`;
  const day = (key: "startDate" | "endDate", label: string, hint: string) => (
    <Field
      id={id(key)}
      label={label}
      hint={hint}
      error={saidOf(wrong, key)}
      input={{
        type: "date",
        value: rule[key] ?? "",
        onChange: (event) => onChange({ [key]: event.currentTarget.value === "" ? null : event.currentTarget.value }),
      }}
    />
  );
  return (
    <fieldset class="bare rule">
      <legend class="hidden">{nameOf(rule, at)}</legend>
      <div class="two">
        <Field
          id={id("name")}
          label={say.name}
          error={saidOf(wrong, "name")}
          input={{
            value: rule.name ?? "",
            maxLength: 200,
            onInput: (event) => onChange({ name: event.currentTarget.value }),
          }}
        />
        <Select
          id={id("status")}
          label={say.status}
          value={rule.status}
          choices={ruleStatuses.map((value) => ({ value, label: say.statuses[value] }))}
          onChange={(value) => onChange({ status: ruleStatuses.find((one) => one === value) ?? "INDETERMINATE" })}
        />
      </div>
      <Conditions
        {...{ at, wrong, payers, params }}
        conditions={rule.conditions}
        onChange={(conditions) => onChange({ conditions })}
      />
      <RuleStrip place={at} plans={plans} />
      <div class="two">
        {day("startDate", say.startDate, say.startHint)}
        {day("endDate", say.endDate, say.endHint)}
      </div>
      <TextArea
        id={id("notes")}
        label={say.notes}
        hint={say.notesHint}
        error={saidOf(wrong, "notes")}
        rows={2}
        maxLength={2000}
        value={rule.notes ?? ""}
        onInput={(notes) => onChange({ notes: notes === "" ? null : notes })}
      />
      <MetadataEditor
        id={id("metadata")}
        value={rule.metadata ?? {}}
        error={saidOf(wrong, "metadata")}
        onChange={(metadata) => onChange({ metadata })}
      />
      <Check
        id={id("enabled")}
        label={say.enabled}
        checked={rule.enabled !== false}
        onChange={(enabled) => onChange({ enabled })}
      />
    </fieldset>
  );
}
