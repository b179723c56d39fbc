import type { BrandSettings } from "@countersign/contract/brand";
import { themePath } from "@countersign/contract/theme";
import { Field } from "../../ui/field.tsx";
import { Select } from "../controls/controls.tsx";
import { type BrandPageProps, isServed, may, Page } from "../frame/page.tsx";
import { words } from "../words.ts";
import { Logo } from "./logo.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { type Editing, useSettings } from "./use-settings.ts";

const say = words.styling;
const colours = ["primaryColor", "errorColor", "mutedColor", "backgroundColor"] as const;
const radii = ["inputRadius", "buttonRadius"] as const;
const selects = ["alignment", "fontFamily", "oneClickWord", "successAnimation"] as const;

/** Edits how the wallet looks for this brand. A wallet page in a frame previews the edits. */
export function StylingScreen(props: BrandPageProps) {
  const { me, brand, environment } = props;
  const editing = useSettings({ brand: brand.uuid, environment });
  const { state } = editing;
  return (
    <Page name="styling" title={say.title} lead={say.lead}>
      <div class="beside">
        <SettingsForm editing={editing} mayEdit={may(me, "developer")} notServed={!isServed(props)} edits={["styling"]}>
          {state.kind === "ok" ? <Fields editing={editing} defaults={state.value.defaults.styling} /> : null}
          {state.kind === "ok" ? <Logo {...{ editing, brand, environment, me }} view={state.value} /> : null}
        </SettingsForm>
        {state.kind === "ok" ? (
          <Preview {...{ editing, me, brand, environment }} styling={state.value.settings.styling} />
        ) : null}
      </div>
    </Page>
  );
}

type Styling = BrandSettings["styling"];

function Fields({ editing, defaults }: { editing: Editing; defaults: Styling }) {
  const at = (name: keyof Styling) => `styling.${name}`;
  const text = (name: keyof Styling) => String(editing.valueOf(at(name)) ?? "");
  const hint = (name: keyof Styling) =>
    `${say.says[name]} ${words.settings.fallback(String(defaults[name] ?? words.none))}`;
  return (
    <>
      {colours.map((name) => (
        <div key={name} class="colour">
          <input
            type="color"
            aria-label={say.picker(say.labels[name])}
            value={isColour(text(name)) ? text(name) : "#000000"}
            onInput={(event) => editing.set(at(name), event.currentTarget.value.toUpperCase())}
          />
          <Field
            id={at(name)}
            label={say.labels[name]}
            hint={hint(name)}
            error={editing.problemAt(at(name))}
            input={{
              value: text(name),
              maxLength: 7,
              onInput: (event) => editing.set(at(name), event.currentTarget.value),
            }}
          />
        </div>
      ))}
      {selects.map((name) => (
        <Select
          key={name}
          id={at(name)}
          label={say.labels[name]}
          hint={hint(name)}
          error={editing.problemAt(at(name))}
          value={text(name)}
          choices={say.choices[name]}
          onChange={(value) => editing.set(at(name), value)}
        />
      ))}
      {radii.map((name) => (
        <Field
          key={name}
          id={at(name)}
          label={say.labels[name]}
          hint={hint(name)}
          error={editing.problemAt(at(name))}
          input={{
            type: "number",
            min: 0,
            max: 40,
            value: text(name),
            onInput: (event) => editing.set(at(name), event.currentTarget.valueAsNumber),
          }}
        />
      ))}
    </>
  );
}

type PreviewProps = Pick<BrandPageProps, "me" | "brand" | "environment"> & { editing: Editing; styling: Styling };

/** Previews valid values only. While a color is incomplete, the preview uses the saved one. */
function Preview({ editing, styling, me, brand, environment }: PreviewProps) {
  const wallet = me.environments.find((one) => one.environment === environment);
  const edited = Object.fromEntries(
    Object.entries(styling).map(([name, saved]) => {
      const now = editing.valueOf(`styling.${name}`);
      const isWhole = name.endsWith("Color") ? isColour(String(now)) : !Number.isNaN(now);
      return [name, isWhole ? now : saved];
    }),
  );
  if (wallet === undefined) return null;
  // The version in the URL makes the frame reload after a save, to show a new name or logo.
  const version = editing.state.kind === "ok" ? `?version=${editing.state.value.version}` : "";
  const path = themePath({ ...styling, ...edited })
    .replace(/^\/theme\//, "/look/")
    .replace(/\.css$/, "");
  return (
    <aside class="preview" aria-label={say.preview}>
      <p class="side-title">{say.preview}</p>
      <iframe title={say.preview} src={`${wallet.walletUrl}${path}/${brand.uuid}${version}`} sandbox="" tabIndex={-1} />
    </aside>
  );
}

function isColour(text: string): boolean {
  return /^#[0-9a-fA-F]{6}$/.test(text);
}
