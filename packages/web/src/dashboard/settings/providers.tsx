import { isRecord } from "../../api/client.ts";
import { Button } from "../controls/button.tsx";
import { words } from "../words.ts";

const say = words.providers;
type Provider = Record<string, unknown>;
type Props = { label: string; hint: string; value: unknown; error?: string; onChange(value: Provider[]): void };

/** The providers in whose name the service queries payers. One of them is the default. */
export function Providers({ label, hint, value, error, onChange }: Props) {
  const list: Provider[] = Array.isArray(value) ? value.filter(isRecord) : [];
  const change = (at: number, members: Provider) =>
    onChange(list.map((one, index) => (index === at ? { ...one, ...members } : one)));
  const text = (provider: Provider, key: string) => {
    const found = provider[key];
    return typeof found === "string" ? found : "";
  };
  return (
    <fieldset class="group">
      <legend>{label}</legend>
      <p class="about">{hint}</p>
      {error === undefined ? null : <p class="problem">{error}</p>}
      {list.map((provider, at) => (
        // biome-ignore format: one provider, one line of controls
        <div key={`${at} of ${list.length}`} class="provider">
          <select class="input" aria-label={say.kind(at + 1)} onChange={(event) => change(at, { type: event.currentTarget.value })}>
            <option value="organization" selected={provider.type === "organization"}>{say.organization}</option>
            <option value="individual" selected={provider.type === "individual"}>{say.individual}</option>
          </select>
          <input class="input" aria-label={say.name(at + 1)} placeholder={say.namePlaceholder} maxLength={200} value={text(provider, "name")} onInput={(event) => change(at, { name: event.currentTarget.value })} />
          <input class="input" aria-label={say.npi(at + 1)} placeholder="NPI" inputMode="numeric" maxLength={10} value={text(provider, "npi")} onInput={(event) => change(at, { npi: event.currentTarget.value })} />
          <label class="choice">
            <input type="radio" name="default-provider" checked={provider.default === true} onChange={() => onChange(list.map((one, index) => ({ ...one, default: index === at })))} />
            <span>{say.isDefault}</span>
          </label>
          <Button label={say.remove} about={String(at + 1)} look="small" onClick={() => onChange(list.filter((_, index) => index !== at))} />
        </div>
      ))}
      <Button
        label={say.add}
        look="small"
        onClick={() => onChange([...list, { type: "organization", name: "", npi: "", default: list.length === 0 }])}
      />
    </fieldset>
  );
}
