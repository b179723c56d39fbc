import { type AuditAction, auditActors } from "@countersign/contract/audit";
import type { ConsoleAuditLine } from "@countersign/contract/console-audit";
import { mayOperateAs } from "@countersign/contract/operator-role";
import { Download } from "lucide";
import { useState } from "preact/hooks";
import { Button } from "../dashboard/controls/button.tsx";
import { Empty, Notice, Select, Time } from "../dashboard/controls/controls.tsx";
import { FilterForm, FromTo } from "../dashboard/controls/filter-form.tsx";
import { saveCsv } from "../dashboard/controls/save-csv.ts";
import { Table, WithOlder } from "../dashboard/controls/table.tsx";
import { putQuery, useQuery } from "../dashboard/frame/navigation.tsx";
import { Load, Page, useLoad } from "../dashboard/frame/page.tsx";
import { auditWords } from "../dashboard/team/words-audit.ts";
import { Field } from "../ui/field.tsx";
import { api } from "./api.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import type { ScreenProps } from "./screen-props.ts";
import { actionName, say as all } from "./words.ts";

const say = all.audit;
type Typed = Record<"actor" | "action" | "customer" | "person" | "from" | "to", string>;
type Filter = Partial<Omit<Typed, "action">> & { action?: AuditAction };

const isAction = (word: string): word is AuditAction => Object.hasOwn(auditWords.actions, word);
const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** The filter that a query or the form names. A value that no filter accepts is left out. */
function filterOf(typed: Typed): Filter {
  const { actor, action, customer, person, from, to } = typed;
  return {
    ...(actor === "" ? {} : { actor }),
    ...(isAction(action) ? { action } : {}),
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
    customer: given("customer"),
    person: given("person"),
    from: given("from"),
    to: given("to"),
  };
  const filter = filterOf(typed);
  const key = JSON.stringify(filter);
  const { state } = useLoad(() => api.searchConsoleAudit({ query: filter }), [key]);
  const download = mayOperateAs(me.operator.role, "operator") ? <DownloadButton filter={filter} /> : null;
  return (
    <Page name="audit" title={say.title} lead={say.lead} aside={download}>
      <Filters typed={typed} count={Object.keys(filter).length} />
      <Load of={state}>
        {(first) => (
          <WithOlder key={key} first={first} ask={(before) => api.searchConsoleAudit({ query: { ...filter, before } })}>
            {(lines) => (lines.length === 0 ? <Empty title={say.none} text={say.noneLead} /> : <Lines lines={lines} />)}
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
    <FilterForm label={say.filter} count={count} onClear={() => putQuery({})}>
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
        onChange={(action) => put({ action })}
      />
      {(["customer", "person"] as const).map((name) => (
        <Field
          key={name}
          id={`audit-${name}`}
          label={say[name]}
          input={{
            placeholder: say.customerHint,
            maxLength: 36,
            value: typed[name],
            onInput: (event) => put({ [name]: event.currentTarget.value.trim() }),
          }}
        />
      ))}
      <FromTo id="audit" range={typed} put={put} />
    </FilterForm>
  );
}

function Lines({ lines }: { lines: readonly ConsoleAuditLine[] }) {
  return (
    <Table class="dense blocks" columns={[say.when, say.who, say.what, say.why]}>
      {lines.map((line) => (
        <tr key={line.id}>
          <td>
            <Time at={line.at} seconds />
          </td>
          <td>
            <Who line={line} />
          </td>
          <td>
            <strong>{actionName(line.action)}</strong>
            <p class="quiet">{detailsOf(line)}</p>
          </td>
          <td>
            {line.reason === null ? null : (
              <>
                <span class="block-label">{say.why}: </span>
                {line.reason}
              </>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function detailsOf({ customerName, brandName, environment, subject, changes }: ConsoleAuditLine): string {
  const count = changes === 0 ? null : say.changes(changes);
  return [customerName, brandName, environment, subject, count].filter((one) => one !== null).join(" · ");
}

function Who({ line: { actor, who, via, call } }: { line: ConsoleAuditLine }) {
  return (
    <>
      {actor === "operator" ? (who ?? say.commandLine) : say.actors[actor]}
      {actor === "operator" || who === null ? null : (
        <p class="quiet">
          <code>{who}</code>
        </p>
      )}
      {via === "commandLine" && call !== null ? (
        <p class="quiet">
          <code>{call}</code>
        </p>
      ) : null}
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
