import { useState } from "preact/hooks";
import { Button } from "../controls/button.tsx";
import type { Metadata } from "./rules.ts";
import { ruleWords as say } from "./words-rules.ts";

const membersMax = 20;
const kinds = ["string", "number", "boolean"] as const;
type Kind = (typeof kinds)[number];
type Row = { name: string; kind: Kind; text: string };
type Props = { id: string; value: Metadata; error: string | undefined; onChange(metadata: Metadata): void };

/**
 * Metadata as names with string, number or boolean values. Rows stay as typed; of two rows with one name, the last is
 * saved.
 */
export function MetadataEditor({ id, value, error, onChange }: Props) {
  const [rows, setRows] = useState(() => rowsOf(value));
  const put = (next: Row[]) => {
    setRows(next);
    onChange(metadataOf(next));
  };
  const edit = (at: number, members: Partial<Row>) =>
    put(rows.map((row, index) => (index === at ? { ...row, ...members } : row)));
  return (
    <fieldset class="group" aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend>{say.metadata}</legend>
      <p class="about">{say.metadataHint}</p>
      {error === undefined ? null : (
        <p class="problem" id={`${id}-error`}>
          {error}
        </p>
      )}
      {rows.map((row, at) => (
        // biome-ignore format: one row, one line of controls
        <div key={`${at} of ${rows.length}`} class="meta">
          <input class="input" aria-label={say.metaName(at + 1)} maxLength={64} value={row.name} onInput={(event) => edit(at, { name: event.currentTarget.value })} />
          <select class="input" aria-label={say.metaKind(at + 1)} onChange={(event) => edit(at, { kind: kinds.find((one) => one === event.currentTarget.value) ?? "string", text: "" })}>
            {kinds.map((kind) => <option key={kind} value={kind} selected={kind === row.kind}>{say.metaKinds[kind]}</option>)}
          </select>
          {row.kind === "boolean" ? (
            <select class="input" aria-label={say.metaValue(at + 1)} onChange={(event) => edit(at, { text: event.currentTarget.value })}>
              {["false", "true"].map((one) => <option key={one} value={one} selected={one === row.text}>{one === "true" ? say.yes : say.no}</option>)}
            </select>
          ) : (
            <input class="input" aria-label={say.metaValue(at + 1)} maxLength={200} inputMode={row.kind === "number" ? "decimal" : undefined} value={row.text} onInput={(event) => edit(at, { text: event.currentTarget.value })} />
          )}
          <Button label={say.removeCondition} look="small" aria-label={`${say.removeMeta} ${at + 1}`} onClick={() => put(rows.filter((_, index) => index !== at))} />
        </div>
      ))}
      {rows.length >= membersMax ? null : (
        <Button
          label={say.addMeta}
          look="small"
          onClick={() => put([...rows, { name: "", kind: "string", text: "" }])}
        />
      )}
    </fieldset>
  );
}

function rowsOf(metadata: Metadata): Row[] {
  return Object.entries(metadata).map(([name, value]) => ({
    name,
    kind: typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "string",
    text: String(value),
  }));
}

/** An invalid number is sent as typed, so that the service can report it. */
function metadataOf(rows: readonly Row[]): Metadata {
  return Object.fromEntries(rows.map(({ name, kind, text }) => [name.trim(), valueIn(kind, text)]));
}

function valueIn(kind: Kind, text: string): string | number | boolean {
  if (kind === "boolean") return text === "true";
  const number = Number(text);
  return kind === "number" && text.trim() !== "" && Number.isFinite(number) ? number : text;
}
