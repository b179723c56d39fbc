import { type AuditAction, auditActors } from "@countersign/contract/audit";
import type { AuditGroup } from "@countersign/contract/console-audit";
import { namesPerson } from "@countersign/contract/console-personal";
import { mayOperateAs } from "@countersign/contract/operator-role";
import { Download } from "lucide";
import { useState } from "preact/hooks";
import { Button } from "../dashboard/controls/button.tsx";
import { Empty, Notice, Select } from "../dashboard/controls/controls.tsx";
import { FilterForm, FromTo } from "../dashboard/controls/filter-form.tsx";
import { saveCsv } from "../dashboard/controls/save-csv.ts";
import { Segments } from "../dashboard/controls/segments.tsx";
import { WithOlder } from "../dashboard/controls/table.tsx";
import { putQuery, useQuery } from "../dashboard/frame/navigation.tsx";
import { Load, Page, useLoad } from "../dashboard/frame/page.tsx";
import { auditWords } from "../dashboard/team/words-audit.ts";
import { Field } from "../ui/field.tsx";
import { api } from "./api.ts";
import { AuditLines } from "./audit-lines.tsx";
import { ReasonDialog } from "./reason-dialog.tsx";
import type { ScreenProps } from "./screen-props.ts";
import { say as all } from "./words.ts";

const say = all.audit;
type Typed = Record<"actor" | "action" | "group" | "customer" | "person" | "from" | "to", string>;
type Filter = Partial<Omit<Typed, "action" | "group">> & { action?: AuditAction; group?: AuditGroup };

const groups: readonly AuditGroup[] = ["looks", "deletions", "decisions", "access"];
const isGroup = (word: string): word is AuditGroup => groups.some((one) => one === word);
const isAction = (word: string): word is AuditAction => Object.hasOwn(auditWords.actions, word);
const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** The filter that a query or the form names. A value that no filter accepts is left out. */
function filterOf(typed: Typed): Filter {
  const { actor, action, group, customer, person, from, to } = typed;
  return {
    ...(actor === "" ? {} : { actor }),
    ...(isAction(action) ? { action } : {}),
    ...(isGroup(group) ? { group } : {}),
    ...(isUuid(customer) ? { customer } : {}),
    ...(isUuid(person) ? { person } : {}),
    ...(from === "" ? {} : { from }),
    ...(to === "" ? {} : { to }),
  };
}

/** Who changed what and who looked at whom, in all accounts. */
export function AuditScreen({ me }: ScreenProps) {
  const query = useQuery();
  const given = (name: keyof Typed) => query.get(name) ?? "";
  const typed: Typed = {
    actor: given("actor"),
    action: given("action"),
    group: given("group"),
    customer: given("customer"),
    person: given("person"),
    from: given("from"),
    to: given("to"),
  };
  const filter = filterOf(typed);
  const key = JSON.stringify(filter);
  const { state } = useLoad(() => api.searchConsoleAudit({ query: filter }), [key]);
  const { group, ...others } = filter;
  const download = mayOperateAs(me.operator.role, "operator") ? <DownloadButton filter={filter} /> : null;
  return (
    <Page name="audit" title={say.title} lead={say.lead} aside={download}>
      <Segments
        name="group"
        label={say.groupLabel}
        value={group ?? ""}
        choices={[["", say.everything], ...groups.map((one) => [one, say.groups[one]] as const)]}
        onChange={(value) => putQuery({ ...typed, group: value, action: "" })}
      />
      <Filters typed={typed} count={Object.keys(others).length} />
      <Load of={state}>
        {(first) => (
          <WithOlder key={key} first={first} ask={(before) => api.searchConsoleAudit({ query: { ...filter, before } })}>
            {(lines) =>
              lines.length === 0 ? (
                <Empty title={say.none} text={say.noneLead}>
                  {Object.keys(filter).length === 0 ? null : <Button label={say.clear} onClick={() => putQuery({})} />}
                </Empty>
              ) : (
                <AuditLines lines={lines} />
              )
            }
          </WithOlder>
        )}
      </Load>
    </Page>
  );
}

function Filters({ typed, count }: { typed: Typed; count: number }) {
  const put = (changed: Partial<Typed>) => putQuery({ ...typed, ...changed });
  const actions = Object.entries(auditWords.actions).map(([value, label]) => ({ value, label }));
  actions.sort((a, b) => a.label.localeCompare(b.label));
  return (
    <FilterForm label={say.filter} count={count} onClear={() => putQuery({ group: typed.group })}>
      <CustomerField chosen={typed.customer} onChoose={(customer) => put({ customer })} />
      <Select
        id="audit-actor"
        label={say.kind}
        value={typed.actor}
        choices={[
          { value: "", label: say.anyone },
          ...auditActors.map((value) => ({ value, label: say.actors[value] })),
        ]}
        onChange={(actor) => put({ actor })}
      />
      <Select
        id="audit-action"
        label={say.action}
        value={typed.action}
        choices={[{ value: "", label: say.anything }, ...actions]}
        onChange={(action) => put({ action, group: "" })}
      />
      <Field
        id="audit-person"
        label={say.person}
        input={{
          placeholder: say.personHint,
          maxLength: 36,
          value: typed.person,
          onInput: (event) => put({ person: event.currentTarget.value.trim() }),
        }}
      />
      <FromTo id="audit" range={typed} put={put} />
    </FilterForm>
  );
}

/** A customer by name, from a list of those whose name has what was typed. The address has only the UUID. */
function CustomerField({ chosen, onChoose }: { chosen: string; onChoose(uuid: string): void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const [last, setLast] = useState({ uuid: chosen, name: "" });
  // The filters were cleared.
  if (last.uuid !== "" && chosen === "" && typed === last.name) {
    setTyped(null);
    setLast({ uuid: "", name: "" });
  }
  const search = typed ?? chosen;
  const isAsked = search !== "" && !namesPerson(search);
  const { state } = useLoad(
    async () =>
      isAsked
        ? await api.listConsoleCustomers({ query: { search } })
        : { kind: "ok" as const, value: { data: [], hasMore: false } },
    [search],
  );
  const found = state.kind === "ok" ? state.value.data : [];
  const type = (text: string) => {
    setTyped(text);
    const named = found.find(({ name }) => name === text);
    const uuid = named?.uuid ?? (isUuid(text.trim()) ? text.trim() : "");
    if (uuid === chosen) return;
    setLast({ uuid, name: text });
    onChoose(uuid);
  };
  return (
    <>
      <Field
        id="audit-customer"
        label={say.customer}
        input={{
          placeholder: say.customerHint,
          maxLength: 100,
          list: "audit-customers",
          autoComplete: "off",
          value: typed ?? found.find(({ uuid }) => uuid === chosen)?.name ?? chosen,
          onInput: (event) => type(event.currentTarget.value),
        }}
      />
      <datalist id="audit-customers">
        {found.map(({ uuid, name }) => (
          <option key={uuid} value={name} />
        ))}
      </datalist>
    </>
  );
}
function DownloadButton({ filter }: { filter: Filter }) {
  const [isAsking, setAsking] = useState(false);
  const [isCut, setCut] = useState(false);
  return (
    <div>
      <Button icon={Download} label={say.download} onClick={() => setAsking(true)} />
      {isCut ? <Notice>{say.cut}</Notice> : null}
      {isAsking ? (
        <ReasonDialog
          title={say.downloadTitle}
          text={say.downloadText}
          action={say.download}
          ask={(reason) => api.exportConsoleAudit({ body: { ...filter, reason } })}
          onDone={({ csv, isWhole }) => {
            setCut(!isWhole);
            saveCsv("operator-audit-log.csv", csv);
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  );
}
