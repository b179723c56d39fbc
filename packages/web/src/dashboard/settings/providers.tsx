import { isRecord } from "../../api/client.ts";
import { Field } from "../../ui/field.tsx";
import { Button } from "../controls/button.tsx";
import { Select } from "../controls/controls.tsx";
import { words } from "../words.ts";

const say = words.providers;
const kinds = ["organization", "individual"] as const;
type Provider = Record<string, unknown>;
type Props = { label: string; hint: string; value: unknown; error?: string; onChange(value: Provider[]): void };

/** The providers for queries to payers. One of them is the default. */
export function Providers({ label, hint, value, error, onChange }: Props) {
  const list: Provider[] = Array.isArray(value) ? value.filter(isRecord) : [];
  return (
    <fieldset class="group">
      <legend>{label}</legend>
      <p class="about">{hint}</p>
      {error === undefined ? null : <p class="problem">{error}</p>}
      {list.map((provider, at) => (
        <OneProvider
          key={`${at} of ${list.length}`}
          provider={provider}
          place={at + 1}
          onEdit={(members) => onChange(list.map((one, index) => (index === at ? { ...one, ...members } : one)))}
          onDefault={() => onChange(list.map((one, index) => ({ ...one, default: index === at })))}
          onRemove={() => onChange(list.filter((_, index) => index !== at))}
        />
      ))}
      <Button
        label={say.add}
        look="small"
        onClick={() => onChange([...list, { type: "organization", name: "", npi: "", default: list.length === 0 }])}
      />
    </fieldset>
  );
}

type OneProps = {
  provider: Provider;
  place: number;
  onEdit(members: Provider): void;
  onDefault(): void;
  onRemove(): void;
};

function OneProvider({ provider, place, onEdit, onDefault, onRemove }: OneProps) {
  const text = (key: string) => {
    const found = provider[key];
    return typeof found === "string" ? found : "";
  };
  const id = (key: string) => `provider-${place}-${key}`;
  return (
    <fieldset class="node">
      <legend>{say.provider(place)}</legend>
      <div class="provider">
        <Select
          id={id("type")}
          label={say.kind}
          value={text("type")}
          choices={kinds.map((kind) => ({ value: kind, label: say[kind] }))}
          onChange={(type) => onEdit({ type })}
        />
        <Field
          id={id("name")}
          label={say.name}
          input={{
            maxLength: 200,
            value: text("name"),
            onInput: ({ currentTarget }) => onEdit({ name: currentTarget.value }),
          }}
        />
        <Field
          id={id("npi")}
          label={say.npi}
          input={{
            inputMode: "numeric",
            maxLength: 10,
            value: text("npi"),
            onInput: ({ currentTarget }) => onEdit({ npi: currentTarget.value }),
          }}
        />
      </div>
      <div class="row-actions">
        <label class="choice">
          <input type="radio" name="default-provider" checked={provider.default === true} onChange={onDefault} />
          <span>{say.isDefault}</span>
        </label>
        <Button label={say.remove} subject={say.provider(place)} look="small danger" onClick={onRemove} />
      </div>
    </fieldset>
  );
}
