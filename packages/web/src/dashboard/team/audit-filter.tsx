import type { AuditAction } from "@countersign/contract/audit";
import type { MemberLine } from "@countersign/contract/dashboard";
import { useState } from "preact/hooks";
import { Select } from "../controls/controls.tsx";
import { FilterForm, FromTo } from "../controls/filter-form.tsx";
import { auditWords as say } from "./words-audit.ts";

type Typed = Record<"actor" | "action" | "from" | "to", string>;
/** The filter in the page's URL. `from` and `to` are Unix milliseconds. */
export type AuditFilter = Partial<Omit<Typed, "action">> & { action?: AuditAction };

export function filterIn(query: URLSearchParams): AuditFilter {
  const given = (name: keyof Typed) => query.get(name) ?? "";
  return filterOf({ actor: given("actor"), action: given("action"), from: given("from"), to: given("to") });
}

const isAction = (word: string): word is AuditAction => Object.hasOwn(say.actions, word);

function filterOf({ actor, action, from, to }: Typed): AuditFilter {
  return {
    ...(actor === "" ? {} : { actor }),
    ...(isAction(action) ? { action } : {}),
    ...(from === "" ? {} : { from }),
    ...(to === "" ? {} : { to }),
  };
}

const nothing: Typed = { actor: "", action: "", from: "", to: "" };

type Props = { filter: AuditFilter; members: readonly MemberLine[]; onChange(filter: AuditFilter): void };

/** The filter form of the audit log. */
export function AuditFilterForm({ filter, members, onChange }: Props) {
  const chosen: Typed = { ...nothing, ...filter };
  const put = (changed: Partial<Typed>) => onChange(filterOf({ ...chosen, ...changed }));
  const [isOwn, setOwn] = useState(false);
  const range = isOwn || chosen.from !== "" || chosen.to !== "" ? "own" : "";
  const choose = (value: string) => {
    setOwn(value === "own");
    put({ from: "", to: "" });
  };
  const people = members.map(({ uuid, name, email }) => ({ value: uuid, label: name === "" ? email : name }));
  const actors = [
    { value: "", label: say.anyone },
    { value: "member", label: say.anyMember },
    ...people,
    { value: "apiKey", label: say.anyKey },
    { value: "operator", label: say.actors.operator },
    { value: "machine", label: say.actors.machine },
  ];
  const actions = Object.entries(say.actions).map(([value, label]) => ({ value, label }));
  actions.sort((a, b) => a.label.localeCompare(b.label));
  return (
    <FilterForm
      label={say.filter}
      count={Object.keys(filter).length}
      onClear={() => {
        setOwn(false);
        onChange({});
      }}
    >
      <Select
        id="audit-actor"
        label={say.actor}
        value={chosen.actor}
        choices={actors}
        onChange={(actor) => put({ actor })}
      />
      <Select
        id="audit-action"
        label={say.action}
        value={chosen.action}
        choices={[{ value: "", label: say.anything }, ...actions]}
        onChange={(action) => put({ action })}
      />
      <Select id="audit-range" label={say.range} value={range} choices={say.ranges} onChange={choose} />
      {range === "own" ? <FromTo id="audit" range={chosen} put={put} /> : null}
    </FilterForm>
  );
}
