import type { Environment } from "@countersign/contract/brand";
import { useState } from "preact/hooks";
import { Choose } from "../../ui/choose.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { api, type Trouble } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Select, TextArea, TroubleNotice } from "../controls/controls.tsx";
import { Fold } from "../controls/fold.tsx";
import { useAction } from "../frame/page.tsx";
import { nameOf, type Rule } from "./rules.ts";
import { searchPayers } from "./use-payers.ts";
import { ruleWords, trialWords as say } from "./words-rules.ts";

type Params = { brand: string; environment: Environment };
type Plan = Omit<(typeof say.samples)[number], "name"> & { day: string };
type Decided = { status: Rule["status"]; names: string[]; day: string };

function planOf(at: number): Plan {
  const { name: _name, ...plan } = say.samples[at] ?? { ...emptyPlan, name: "" };
  return { ...plan, day: "" };
}
const emptyPlan = {
  payer: { vendorId: "", name: "" },
  planName: "",
  groupNumber: "",
  groupName: "",
  state: "",
  codes: "",
  entities: "",
};

/** Tests the rules on the page, including unsaved edits, against a plan. */
export function RuleTrial({ params, rules, mayEdit }: { params: Params; rules: readonly Rule[]; mayEdit: boolean }) {
  const [sample, setSample] = useState(0);
  const [plan, setPlan] = useState(() => planOf(0));
  const [decided, setDecided] = useState<Decided | null>(null);
  const action = useAction();
  const edit = (members: Partial<Plan>) => {
    setPlan({ ...plan, ...members });
    setDecided(null);
  };
  const submit = () =>
    action.run(
      () => api.tryNetworkRules({ params, body: { rules: [...rules], ...bodyOf(plan) } }),
      ({ decision, places, day }) =>
        setDecided({
          status: decision.status,
          day,
          names: places.flatMap((at) => {
            const rule = rules[at];
            return rule === undefined ? [] : [nameOf(rule, at)];
          }),
        }),
    );
  return (
    <section class="trial" aria-labelledby="trial-title">
      <h2 id="trial-title">{say.title}</h2>
      <p class="quiet">{say.lead(mayEdit)}</p>
      <Form class="bare" onSubmit={submit}>
        <Select
          id="trial-sample"
          label={say.sample}
          value={String(sample)}
          choices={say.samples.map(({ name }, at) => ({ value: String(at), label: name }))}
          onChange={(value) => {
            setSample(Number(value));
            setPlan(planOf(Number(value)));
            setDecided(null);
          }}
        />
        <Facts plan={plan} />
        <Fold title={say.change}>
          <PlanFields params={params} plan={plan} onEdit={edit} />
        </Fold>
        {action.trouble === null ? null : <TroubleNotice trouble={byName(action.trouble, rules)} />}
        <Button label={say.submit} type="submit" isBusy={action.isBusy} />
        <div role="status">{decided === null ? null : <Decision decided={decided} />}</div>
      </Form>
    </section>
  );
}

/** Lists a rule's problems under its name. When the rules are saved, the controls show them in place. */
function byName(trouble: Trouble, rules: readonly Rule[]): Trouble {
  const problems = trouble.problems.map(({ path, message }) => {
    const [, at] = /^rules\.(\d+)\./.exec(path) ?? [];
    const rule = at === undefined ? undefined : rules[Number(at)];
    if (rule === undefined) return { path, message };
    return { path: nameOf(rule, Number(at)), message };
  });
  return { ...trouble, problems };
}

/** The known facts of the plan. */
function Facts({ plan }: { plan: Plan }) {
  const facts = [
    [say.chosen, plan.payer.name],
    [say.planName, plan.planName],
    [say.group, [plan.groupNumber, plan.groupName].filter((one) => one !== "").join(" · ")],
    [say.state, plan.state],
    [say.codes, plan.codes],
    [say.entitiesShort, plan.entities.split("\n").join(", ")],
    [say.day, plan.day === "" ? say.today : say.dayText(plan.day)],
  ];
  return (
    <>
      <dl class="pairs">
        {facts.map(([name, value]) =>
          value === "" ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      <p class="quiet">{say.unknown}</p>
    </>
  );
}

type FieldsProps = { params: Params; plan: Plan; onEdit(members: Partial<Plan>): void };

function PlanFields({ params, plan, onEdit }: FieldsProps) {
  const box = (key: "planName" | "groupNumber" | "groupName", label: string) => (
    <Field
      id={`trial-${key}`}
      label={label}
      input={{ value: plan[key], maxLength: 200, onInput: (event) => onEdit({ [key]: event.currentTarget.value }) }}
    />
  );
  return (
    <>
      <Choose
        key={plan.payer.vendorId}
        id="trial-payer"
        label={say.payer}
        hint={say.payerHint}
        found={ruleWords.found}
        failed={ruleWords.searchFailed}
        search={(text) => searchPayers(params, text)}
        onChoose={(option) => {
          if (option !== null) onEdit({ payer: { vendorId: option.value, name: option.label } });
        }}
      />
      <p class="about">{say.unknownHint}</p>
      <div class="two">
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
        <Field
          id="trial-day"
          label={say.day}
          hint={say.dayHint}
          input={{ type: "date", value: plan.day, onChange: (event) => onEdit({ day: event.currentTarget.value }) }}
        />
      </div>
      <TextArea
        id="trial-entities"
        label={say.entities}
        hint={say.entitiesHint}
        rows={2}
        maxLength={2000}
        value={plan.entities}
        onInput={(entities) => onEdit({ entities })}
      />
    </>
  );
}

function Decision({ decided: { status, names, day } }: { decided: Decided }) {
  const kind = { IN_NETWORK: "good", OUT_OF_NETWORK: "bad", INDETERMINATE: "" }[status];
  return (
    <div class="note decision">
      <p>
        {say.result}: <span class={`tag ${kind}`}>{ruleWords.statuses[status]}</span>{" "}
        <span class="quiet">{say.on(day)}</span>
      </p>
      {names.length === 0 ? (
        <p>{say.noRule}</p>
      ) : (
        <>
          <p>{say.decidedBy}</p>
          <ul>
            {names.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function bodyOf({ payer, planName, groupNumber, groupName, state, codes, entities, day }: Plan) {
  const parts = (text: string, separator: string) =>
    text
      .split(separator)
      .map((one) => one.trim())
      .filter((one) => one !== "");
  return {
    plan: {
      payerId: payer.vendorId,
      planName,
      groupNumber,
      groupName,
      ...(state.trim() === "" ? {} : { state: state.trim() }),
      insuranceTypeCodes: parts(codes, ","),
      relatedEntities: parts(entities, "\n"),
    },
    ...(day === "" ? {} : { day }),
  };
}
