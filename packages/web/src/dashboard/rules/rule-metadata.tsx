import { plainText } from "@countersign/contract/typed-text";
import { useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { Button } from "../controls/button.tsx";
import { Select } from "../controls/controls.tsx";
import { RemoveButton } from "./remove-button.tsx";
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
        <MetadataRow
          key={`${at} of ${rows.length}`}
          {...{ id, row, at }}
          onEdit={(members) => edit(at, members)}
          onRemove={() => put(rows.filter((_, index) => index !== at))}
        />
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

type RowProps = { id: string; row: Row; at: number; onEdit(members: Partial<Row>): void; onRemove(): void };

function MetadataRow({ id, row, at, onEdit, onRemove }: RowProps) {
  const partId = (name: string) => `${id}-${at}-${name}`;
  return (
    <fieldset class="meta">
      <legend class="hidden">{say.metaNamed(at + 1)}</legend>
      <Field
        id={partId("name")}
        label={say.metaName}
        input={{ maxLength: 64, value: row.name, onInput: (event) => onEdit({ name: event.currentTarget.value }) }}
      />
      <Select
        id={partId("kind")}
        label={say.metaKind}
        value={row.kind}
        choices={kinds.map((kind) => ({ value: kind, label: say.metaKinds[kind] }))}
        onChange={(value) => onEdit({ kind: kinds.find((one) => one === value) ?? "string", text: "" })}
      />
      {row.kind === "boolean" ? (
        <Select
          id={partId("value")}
          label={say.metaValue}
          value={row.text}
          choices={[
            { value: "false", label: say.no },
            { value: "true", label: say.yes },
          ]}
          onChange={(text) => onEdit({ text })}
        />
      ) : (
        <Field
          id={partId("value")}
          label={say.metaValue}
          input={{
            maxLength: 200,
            inputMode: row.kind === "number" ? "decimal" : undefined,
            value: row.text,
            onInput: (event) => onEdit({ text: event.currentTarget.value }),
          }}
        />
      )}
      <RemoveButton subject={say.metaNamed(at + 1)} onClick={onRemove} />
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
  const number = Number(plainText(text));
  return kind === "number" && text.trim() !== "" && Number.isFinite(number) ? number : text;
}
