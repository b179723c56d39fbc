import { Plus } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { Button } from "../controls/button.tsx";
import { Empty } from "../controls/controls.tsx";
import { type BrandPageProps, isServed, may, Page, viewOnlyFor } from "../frame/page.tsx";
import { SettingsForm } from "../settings/settings-form.tsx";
import { useSettings } from "../settings/use-settings.ts";
import { rulesPath } from "./merge.ts";
import { RuleEditor, RuleSummary } from "./rule-editor.tsx";
import { RuleTrial } from "./rule-trial.tsx";
import { duplicated, nameOf, newRule, type Problem, problemsBelow, type Rule, rulesIn } from "./rules.ts";
import { usePayerNames } from "./use-payers.ts";
import { type Plan, type TriedPlan, useTrial } from "./use-trial.ts";
import { ruleWords, trialWords } from "./words-rules.ts";

const say = { ...ruleWords, samples: trialWords.samples };

const path = rulesPath;
/** Maximum number of rules shown at once. */
const pageMax = 50;

/**
 * Edits the network rules, which decide which plans a brand accepts. The list is saved as a version of the settings.
 */
export function NetworkRulesScreen(props: BrandPageProps) {
  const { me, brand, environment } = props;
  const params = { brand: brand.uuid, environment };
  const editing = useSettings(params);
  const rules = rulesIn(editing.valueOf(path));
  const mayEdit = may(me, "developer");
  const [open, setOpen] = useState<number | null>(null);
  // Adding or removing a rule shifts the indexes, so earlier problems would be shown at wrong rules.
  const [outdated, setOutdated] = useState<unknown>(null);
  const { trouble, conflict } = editing;
  // After a conflict, rules may have new indexes, so close the open one.
  useEffect(() => setOpen(null), [conflict]);
  const saved = trouble === null || trouble === outdated ? [] : trouble.problems;
  const [day, setDay] = useState("");
  const [own, setOwn] = useState<Plan | null>(null);
  const trying = useTrial({
    params,
    rules: editing.state.kind === "ok" ? rules : null,
    plans: own === null ? say.samples : [...say.samples, own],
    day,
    open,
  });
  // The rule whose problems the trial found. They are not shown while a rule is being written for the first time.
  const [fixed, setFixed] = useState<number | null>(null);
  const found = fixed === null ? [] : (trying.trial?.problemsAt(fixed) ?? []);
  const problems = [
    ...saved,
    ...(saved.length > 0 ? [] : found.map((one) => ({ ...one, path: `${path}.${fixed}.${one.path}` }))),
  ];
  const fix = (place: number) => {
    setFixed(place);
    setOpen(place);
  };
  // After the rule is open.
  useEffect(() => {
    if (fixed === null) return;
    document.querySelector<HTMLElement>(`#rule-line-${fixed} [aria-invalid="true"]`)?.focus();
  }, [fixed]);
  const put = (next: Rule[], opened: number | null) => {
    if (next.length !== rules.length) setOutdated(trouble);
    if (next.length !== rules.length || opened !== fixed) setFixed(null);
    editing.set(path, next);
    setOpen(opened);
  };
  const add = (
    <Button
      icon={Plus}
      label={say.add}
      look={editing.isEdited ? "" : "main"}
      onClick={() => put([...rules, newRule(rules)], rules.length)}
    />
  );
  const isShown = mayEdit && editing.state.kind === "ok";
  return (
    <Page
      name="network-rules"
      title={say.title}
      lead={say.lead}
      viewOnly={viewOnlyFor(me)}
      aside={isShown && rules.length > 0 ? add : null}
    >
      <SettingsForm
        editing={editing}
        mayEdit={mayEdit}
        notServed={!isServed(props)}
        edits={[...problems.map((one) => one.path), path]}
      >
        <Rules
          {...{ rules, problems, open, put, params, mayEdit }}
          plans={trying.trial?.plans ?? []}
          add={mayEdit ? add : null}
        />
      </SettingsForm>
      {editing.state.kind === "ok" && rules.length > 0 ? (
        <RuleTrial {...{ params, rules, trying, mayEdit, day, own }} onDay={setDay} onOwn={setOwn} onFix={fix} />
      ) : null}
    </Page>
  );
}

type RulesProps = {
  rules: Rule[];
  problems: readonly Problem[];
  open: number | null;
  put(rules: Rule[], open: number | null): void;
  params: { brand: string; environment: "sandbox" | "production" };
  mayEdit: boolean;
  /** What the sample plans make of the rules. */
  plans: readonly TriedPlan[];
  /** The button that adds the first rule. */
  add: ComponentChildren;
};

function Rules({ rules, problems, open, put, params, mayEdit, plans, add }: RulesProps) {
  const [text, setText] = useState("");
  const [shown, setShown] = useState(pageMax);
  const wanted = text.trim().toLowerCase();
  const found = rules
    .map((rule, at) => ({ rule, at, wrong: problemsBelow(problems, `${path}.${at}`) }))
    .filter(
      ({ rule, at, wrong }) => wrong.length > 0 || at === open || nameOf(rule, at).toLowerCase().includes(wanted),
    );
  // The open rule and rules with problems are always shown.
  const page = found.filter(({ at, wrong }, index) => index < shown || at === open || wrong.length > 0);
  const payers = usePayerNames(params, payerIdsOf(page.map(({ rule }) => rule)));
  if (rules.length === 0)
    return (
      <Empty title={say.none} text={say.noneLead}>
        {add}
      </Empty>
    );
  return (
    <>
      {rules.length <= pageMax ? null : (
        <Field
          id="find-rule"
          label={say.find}
          input={{ type: "search", value: text, onInput: (event) => setText(event.currentTarget.value) }}
        />
      )}
      {page.length === 0 ? <p class="quiet">{say.noneFound}</p> : null}
      <ol class="lines rules" aria-label={say.list}>
        {page.map(({ rule, at, wrong }) => (
          <li key={rule.uuid ?? `new ${at}`} id={`rule-line-${at}`} class="rule-line">
            <RuleSummary
              {...{ rule, at, wrong, payers, mayEdit }}
              isOpen={open === at || wrong.length > 0}
              onOpen={() => put(rules, open === at ? null : at)}
              onDuplicate={() => put(duplicated(rules, at), at + 1)}
              onRemove={() =>
                put(
                  rules.filter((_, index) => index !== at),
                  null,
                )
              }
            />
            {(open === at || wrong.length > 0) && mayEdit ? (
              <RuleEditor
                {...{ rule, at, wrong, payers, params, plans }}
                onChange={(members) =>
                  put(
                    rules.map((one, index) => (index === at ? { ...one, ...members } : one)),
                    at,
                  )
                }
              />
            ) : null}
          </li>
        ))}
      </ol>
      {found.length > page.length ? (
        <Button label={say.more(found.length - page.length)} onClick={() => setShown(shown + pageMax)} />
      ) : null}
    </>
  );
}

function payerIdsOf(rules: readonly Rule[]): string[] {
  return rules.flatMap(({ conditions }) => conditions.flatMap(({ key, values }) => (key === "payerId" ? values : [])));
}
