import type { SettingsView } from "@countersign/contract/dashboard-brands";
import type { ComponentChildren } from "preact";
import { isRecord } from "../../api/client.ts";
import { Field } from "../../ui/field.tsx";
import { WaitingNote } from "../brand/waiting-name.tsx";
import { waitingWords } from "../brand/words-waiting.ts";
import { Button } from "../controls/button.tsx";
import { Check, Select, TextArea } from "../controls/controls.tsx";
import { words } from "../words.ts";
import type { FieldWords } from "./field-words.ts";
import { PatternField } from "./pattern-field.tsx";
import { Providers } from "./providers.tsx";
import { textOf, valueAt } from "./settings-paths.ts";
import type { Editing } from "./use-settings.ts";
import { challengeTimes, typeChoices } from "./words-settings.ts";

const say = words.settings;
type Props = { field: FieldWords; editing: Editing; view: SettingsView; mayEdit: boolean };

/** One setting: its control, its description, and its default if the value differs. */
export function SettingField({ field, editing, view, mayEdit }: Props) {
  const { path, label, says } = field;
  // A member who may not enter a value would read an example as the value.
  const example = mayEdit ? field.example : say.notSet;
  const value = editing.valueOf(path);
  const set = (next: unknown) => editing.set(path, next);
  const fallback = valueAt(view.defaults, path);
  const isChanged = JSON.stringify(value ?? null) !== JSON.stringify(fallback ?? null);
  const hint = isChanged ? <Hint says={says} fallback={nameOf(field, fallback)} /> : says;
  const labels = { id: path, label, hint, error: editing.problemAt(path) };
  switch (field.kind) {
    case "text":
      return (
        <>
          <Field
            {...labels}
            input={{
              value: textIn(value),
              placeholder: example,
              maxLength: field.max,
              spellcheck: false,
              onInput: ({ currentTarget }) => setText(field, currentTarget.value, { editing, view }),
            }}
          />
          <Waiting path={path} editing={editing} view={view} />
        </>
      );
    case "pattern":
      return (
        <PatternField
          {...labels}
          hint={isChanged ? say.fallback(nameOf(field, fallback)) : undefined}
          field={field}
          value={textIn(value)}
          onChange={set}
        />
      );
    case "longText":
      return (
        <TextArea
          {...labels}
          rows={5}
          maxLength={field.max}
          placeholder={example}
          value={textIn(value)}
          onInput={(text) => set(text === "" ? null : text)}
        />
      );
    case "lines":
    case "codes":
      return <List kind={field.kind} labels={labels} example={example} value={listIn(value)} onChange={set} />;
    case "switch":
      return <Check {...labels} checked={value === true} onChange={set} />;
    case "select":
      return <Select {...labels} value={textIn(value)} choices={field.choices} onChange={set} />;
    case "type":
      return <TypeField labels={labels} value={textIn(value)} view={view} onChange={set} />;
    case "checks":
      return <Checks field={field} value={listIn(value)} error={labels.error} hint={hint} onChange={set} />;
    case "challenge":
      return <Challenge field={field} value={value} onChange={set} />;
    case "providers":
      return <Providers label={label} hint={says} value={value} error={labels.error} onChange={set} />;
    case "secret":
      return (
        <Field
          {...labels}
          hint={
            textIn(editing.valueOf("v1.push.url")) === ""
              ? say.pushUrlFirst
              : `${says} ${view.hasPushAuthorization ? say.secretSet : say.secretNotSet}`
          }
          input={{
            type: "password",
            autoComplete: "off",
            maxLength: 500,
            value: textIn(editing.valueOf(path)),
            onInput: ({ currentTarget }) => set(currentTarget.value),
          }}
        />
      );
  }
}

function Hint({ says, fallback }: { says: string; fallback: string }) {
  return (
    <>
      {says} <span class="default">{say.fallback(fallback)}</span>
    </>
  );
}

/** The requested name, with a button that cancels the request. */
function Waiting({ path, editing, view }: { path: string; editing: Editing; view: SettingsView }) {
  const name = view.waitingNames.find((one) => one.path === path);
  if (name === undefined) return null;
  return (
    <WaitingNote name={name}>
      <Button label={waitingWords.cancel} look="small" onClick={() => void editing.cancelRequest(name)} />
    </WaitingNote>
  );
}

type Labels = { id: string; label: string; hint: ComponentChildren; error?: string };
type ListProps = {
  kind: "lines" | "codes";
  labels: Labels;
  example: string | undefined;
  value: string[];
  onChange(value: string[]): void;
};

/** A list of texts: one per line, or short ones separated by commas. */
function List({ kind, labels, example, value, onChange }: ListProps) {
  if (kind === "lines") {
    const label = `${labels.label} (${say.onePerLine})`;
    const read = (text: string) => onChange(text === "" ? [] : text.split("\n"));
    return (
      <TextArea {...labels} label={label} rows={2} placeholder={example} value={value.join("\n")} onInput={read} />
    );
  }
  const read = (text: string) => onChange(text.trim() === "" ? [] : text.split(",").map((one) => one.trim()));
  return <Field {...labels} input={{ value: value.join(","), onInput: (event) => read(event.currentTarget.value) }} />;
}

/** Sets a text. The URL of the v1 push is special, because its parent object may not exist yet. */
function setText(
  field: FieldWords & { kind: "text" },
  text: string,
  { editing, view }: Pick<Props, "editing" | "view">,
): void {
  const value = text === "" && field.empty === null ? null : text;
  const isWhole = field.path === "v1.push.url" && (value === null || view.settings.v1.push === null);
  if (isWhole) editing.set("v1.push", value === null ? null : { url: value });
  else editing.set(field.path, value);
}

function TypeField({
  labels,
  value,
  view,
  onChange,
}: {
  labels: Labels;
  value: string;
  view: SettingsView;
  onChange(value: string): void;
}) {
  const open = typeChoices.filter(
    (one) => one.value === view.settings.integrationType || view.mayBecome.some((type) => type === one.value),
  );
  const fixed = view.hasTraffic ? say.typeFixed : "";
  return (
    <Select
      {...labels}
      hint={
        <>
          {labels.hint} {fixed}
        </>
      }
      value={value}
      choices={open}
      onChange={onChange}
    />
  );
}

function Checks({
  field,
  value,
  error,
  hint,
  onChange,
}: {
  field: FieldWords & { kind: "checks" };
  value: string[];
  error?: string;
  hint: ComponentChildren;
  onChange(value: string[]): void;
}) {
  return (
    <fieldset class="group">
      <legend>{field.label}</legend>
      <p class="about">{hint}</p>
      {error === undefined ? null : <p class="problem">{error}</p>}
      {field.choices.map((choice) => (
        <label key={choice.value} class="choice">
          <input
            type="checkbox"
            checked={value.includes(choice.value)}
            onChange={(event) =>
              onChange(
                field.choices
                  .map((one) => one.value)
                  .filter((one) => (one === choice.value ? event.currentTarget.checked : value.includes(one))),
              )
            }
          />
          <span>{choice.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The control for one input in the list of challenges. */
function Challenge({
  field,
  value,
  onChange,
}: {
  field: FieldWords & { kind: "challenge" };
  value: unknown;
  onChange(value: unknown): void;
}) {
  const list = Array.isArray(value) ? value.filter(isRecord) : [];
  const mine = list.find((one) => one.input === field.input);
  const choose = (when: string) => {
    const others = list.filter((one) => one.input !== field.input);
    onChange(when === "never" ? others : [...others, { input: field.input, when }]);
  };
  return (
    <Select
      id={`challenge-${field.input}`}
      label={field.label}
      hint={mine === undefined ? field.says : <Hint says={field.says} fallback={neverLabel} />}
      value={textIn(mine?.when ?? "never")}
      choices={challengeTimes}
      onChange={choose}
    />
  );
}

/** The label of the first choice of a challenge. */
const neverLabel = challengeTimes[0]?.label ?? "";

function nameOf(field: FieldWords, value: unknown): string {
  if (field.kind === "type") return words.types.sdk.name;
  const named =
    field.kind === "select" || field.kind === "pattern"
      ? field.choices.find((one) => one.value === value)?.label
      : undefined;
  return named ?? textOf(value);
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function listIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
