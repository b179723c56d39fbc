import type { Environment } from "@countersign/contract/brand";
import { useState } from "preact/hooks";
import { Choose } from "../../ui/choose.tsx";
import { Field } from "../../ui/field.tsx";
import { Button } from "../controls/button.tsx";
import { Select, TextArea } from "../controls/controls.tsx";
import { RemoveButton } from "./remove-button.tsx";
import {
  type Condition,
  keyName,
  newCondition,
  operatorName,
  operatorsOf,
  type Problem,
  partsOf,
  saidOf,
} from "./rules.ts";
import { searchPayers } from "./use-payers.ts";
import { ruleWords as say } from "./words-rules.ts";

const conditionsMax = 20;
/** Height of the values, in lines. */
const linesMin = 2;
const linesMax = 6;

type Common = {
  /** Index of the rule. */
  at: number;
  wrong: readonly Problem[];
  payers: ReadonlyMap<string, string>;
  params: { brand: string; environment: Environment };
};
type Props = Common & { conditions: readonly Condition[]; onChange(conditions: Condition[]): void };

/** The conditions of a rule: facts of a plan, operators and values. */
export function Conditions({ conditions, onChange, ...common }: Props) {
  const edit = (place: number, members: Partial<Condition>) =>
    onChange(conditions.map((one, index) => (index === place ? { ...one, ...members } : one)));
  return (
    <fieldset class="group">
      <legend>{say.conditions}</legend>
      <p class="about">{say.conditionsHint}</p>
      <ol class="conditions">
        <li class="condition-titles" aria-hidden="true">
          <span>{say.key}</span> <span>{say.operator}</span> <span>{say.values}</span>
        </li>
        {conditions.map((condition, place) => (
          <ConditionRow
            key={`${place} of ${conditions.length} ${condition.key}`}
            {...common}
            condition={condition}
            place={place}
            onEdit={(members) => edit(place, members)}
            onRemove={conditions.length === 1 ? null : () => onChange(conditions.filter((_, index) => index !== place))}
          />
        ))}
      </ol>
      {conditions.length >= conditionsMax ? null : (
        <Button
          label={say.addCondition}
          look="small"
          onClick={() => onChange([...conditions, newCondition("planName")])}
        />
      )}
    </fieldset>
  );
}

type RowProps = Common & {
  condition: Condition;
  place: number;
  onEdit(members: Partial<Condition>): void;
  onRemove: (() => void) | null;
};

function ConditionRow(props: RowProps) {
  const { at, wrong, condition, place, onEdit, onRemove } = props;
  const { key, operator } = condition;
  const id = `rule-${at}-condition-${place}`;
  const path = `conditions.${place}`;
  return (
    <li>
      <fieldset class="condition">
        <legend class="hidden">{say.condition(place + 1)}</legend>
        <Select
          id={`${id}-key`}
          label={say.key}
          error={saidOf(
            wrong.filter((one) => one.path === path || one.path === `${path}.key`),
            path,
            `${path}.key`,
          )}
          value={key}
          choices={Object.keys(operatorsOf).map((value) => ({ value, label: keyName(value) }))}
          onChange={(value) => onEdit(newCondition(value))}
        />
        <Select
          id={`${id}-operator`}
          label={say.operator}
          error={saidOf(wrong, `${path}.operator`)}
          value={operator}
          choices={(operatorsOf[key] ?? [operator]).map((value) => ({ value, label: operatorName(value) }))}
          onChange={(value) => onEdit({ operator: value })}
        />
        <Values
          {...props}
          id={`${id}-values`}
          error={saidOf(
            wrong.filter((one) => one.path !== path),
            path,
          )}
        />
        {onRemove === null ? null : <RemoveButton subject={say.condition(place + 1)} onClick={onRemove} />}
      </fieldset>
    </li>
  );
}

type ValuesProps = RowProps & { id: string; error: string | undefined };

function Values(props: ValuesProps) {
  const { id, error, condition, onEdit } = props;
  const isList = condition.key === "state" || condition.key === "insuranceTypeCodes";
  const [text, setText] = useState(condition.values.join(isList ? ", " : "\n"));
  const type = (next: string) => {
    setText(next);
    onEdit({ values: partsOf(next, isList ? "," : "\n") });
  };
  if (condition.key === "payerId") return <Payers {...props} />;
  if (!isList)
    return (
      <TextArea
        {...{ id, error }}
        label={say.values}
        hint={say.linesHint}
        rows={Math.min(linesMax, Math.max(linesMin, condition.values.length))}
        maxLength={20_000}
        value={text}
        onInput={type}
      />
    );
  return (
    <Field
      {...{ id, error }}
      label={say.values}
      hint={condition.key === "state" ? say.statesHint : say.codesHint}
      input={{ value: text, maxLength: 2000, onInput: (event) => type(event.currentTarget.value.toUpperCase()) }}
    />
  );
}

/** Payers by name. An id that the directory does not know is shown as the id. */
function Payers({ id, error, condition, payers, params, onEdit }: ValuesProps) {
  const chosen = condition.values.filter((one) => one !== "");
  const [added, setAdded] = useState(0);
  const put = (values: string[]) => onEdit({ values: values.length === 0 ? [""] : values });
  return (
    <div>
      <Choose
        key={added}
        {...{ id, error }}
        label={say.addPayer}
        hint={say.payerHint}
        found={say.found}
        failed={say.searchFailed}
        search={(text) => searchPayers(params, text)}
        onChoose={(option) => {
          if (option === null) return;
          setAdded(added + 1);
          if (!chosen.includes(option.value)) put([...chosen, option.value]);
        }}
      />
      <ul class="chips">
        {chosen.map((value) => (
          <li key={value} class="tag">
            {payers.get(value) ?? value}{" "}
            <button type="button" class="link" onClick={() => put(chosen.filter((one) => one !== value))}>
              {say.removePayer}
              <span class="hidden"> {payers.get(value) ?? value}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
