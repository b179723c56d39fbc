import type { BrandSettings } from "@countersign/contract/brand";
import { Field } from "../../ui/field.tsx";
import { Select } from "../controls/controls.tsx";
import { WalletPreview } from "../controls/wallet-preview.tsx";
import { type BrandPageProps, isServed, may, Page, viewOnlyFor } from "../frame/page.tsx";
import { words } from "../words.ts";
import { Logo } from "./logo.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { type Editing, useSettings } from "./use-settings.ts";

const say = words.styling;
const colors = ["primaryColor", "backgroundColor", "errorColor", "mutedColor"] as const;
const radii = ["inputRadius", "buttonRadius"] as const;
const selects = ["alignment", "fontFamily", "oneClickWord", "successAnimation"] as const;

/** Edits how the wallet looks for this brand. A wallet page in a frame previews the edits. */
export function StylingScreen(props: BrandPageProps) {
  const { me, brand, environment } = props;
  const editing = useSettings({ brand: brand.uuid, environment });
  const { state } = editing;
  return (
    <Page name="styling" title={say.title} lead={say.lead} viewOnly={viewOnlyFor(me)}>
      <div class="beside looks">
        <SettingsForm editing={editing} mayEdit={may(me, "developer")} notServed={!isServed(props)} edits={["styling"]}>
          {state.kind === "ok" ? <Logo {...{ editing, brand, environment, me }} view={state.value} /> : null}
          {state.kind === "ok" ? <Fields editing={editing} defaults={state.value.defaults.styling} /> : null}
        </SettingsForm>
        <WalletPreview
          {...{ me, environment }}
          brand={brand.uuid}
          look={
            state.kind === "ok"
              ? {
                  styling: edited(editing, state.value.settings.styling),
                  requests: state.value.settings.defaultCredentialRequests,
                  version: state.value.version,
                }
              : null
          }
        />
      </div>
    </Page>
  );
}

type Styling = BrandSettings["styling"];

function Fields({ editing, defaults }: { editing: Editing; defaults: Styling }) {
  const at = (name: keyof Styling) => `styling.${name}`;
  const text = (name: keyof Styling) => String(editing.valueOf(at(name)) ?? "");
  const hint = (name: keyof Styling) =>
    editing.valueOf(at(name)) === defaults[name]
      ? say.says[name]
      : `${say.says[name]} ${words.settings.fallback(defaultOf(name, defaults))}`;
  return (
    <>
      <div class="two">
        {colors.map((name) => (
          <div key={name} class="color">
            <input
              type="color"
              aria-label={say.picker(say.labels[name])}
              value={isColor(text(name)) ? text(name) : "#000000"}
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
      </div>
      <div class="two">
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
      </div>
    </>
  );
}

/** The label of a default, or the default itself. */
function defaultOf(name: keyof Styling, defaults: Styling): string {
  const value = String(defaults[name] ?? words.none);
  const choices = selects.find((one) => one === name);
  return choices === undefined ? value : (say.choices[choices].find((one) => one.value === value)?.label ?? value);
}

/** The edited styling, or the saved one while a color is incomplete. */
function edited(editing: Editing, saved: Styling): Styling {
  const valid = Object.entries(saved).map(([name, value]) => {
    const now = editing.valueOf(`styling.${name}`);
    const isWhole = name.endsWith("Color") ? isColor(String(now)) : !Number.isNaN(now);
    return [name, isWhole ? now : value];
  });
  return { ...saved, ...Object.fromEntries(valid) };
}

function isColor(text: string): boolean {
  return /^#[0-9a-fA-F]{6}$/.test(text);
}
