import type { AuditLine } from "@countersign/contract/audit";
import { Download as DownloadIcon } from "lucide";
import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { Bones } from "../controls/bones.tsx";
import { Button } from "../controls/button.tsx";
import { Empty, Notice, Time, TroubleNotice } from "../controls/controls.tsx";
import { saveCsv } from "../controls/save-csv.ts";
import { Table, WithOlder } from "../controls/table.tsx";
import { putQuery, useQuery } from "../frame/navigation.tsx";
import { Load, Page, type PageProps, useAction, useLoad } from "../frame/page.tsx";
import { Slashes } from "../reporting/route.tsx";
import { settingInSection, settingText } from "../settings/setting-texts.ts";
import { textOf } from "../settings/settings-paths.ts";
import { words } from "../words.ts";
import "./audit.css";
import { type AuditFilter, AuditFilterForm, filterIn } from "./audit-filter.tsx";
import { auditWords as say } from "./words-audit.ts";

/** A longer value, such as a list of rules, is folded. */
const valueMax = 80;

const actions: Readonly<Record<string, string>> = say.actions;

/** The audit log: who changed what and how, newest first, filtered and in pages. */
export function AuditScreen(_props: PageProps) {
  const filter = filterIn(useQuery());
  const key = JSON.stringify(filter);
  const { state } = useLoad(() => api.listAudit({ query: filter }), [key]);
  const team = useLoad(() => api.listTeam({}), []);
  return (
    <Page name="audit" title={say.title} lead={say.lead} aside={<Download filter={filter} />}>
      <AuditFilterForm
        filter={filter}
        members={team.state.kind === "ok" ? team.state.value.data : []}
        onChange={putQuery}
      />
      <Load of={state} bones={<Bones of={["rows"]} />}>
        {(first) => (
          <WithOlder key={key} first={first} ask={(before) => api.listAudit({ query: { ...filter, before } })}>
            {(lines) => (lines.length === 0 ? <Empty title={say.none} text={say.noneLead} /> : <Lines lines={lines} />)}
          </WithOlder>
        )}
      </Load>
    </Page>
  );
}

function Download({ filter }: { filter: AuditFilter }) {
  const action = useAction();
  const [isCut, setCut] = useState(false);
  const download = () =>
    void action.run(
      () => api.exportAudit({ query: filter }),
      ({ csv, isWhole }) => {
        setCut(!isWhole);
        saveCsv("audit-log.csv", csv);
      },
    );
  return (
    <div>
      <Button icon={DownloadIcon} label={say.download} onClick={download} />
      {isCut ? <Notice>{say.cut}</Notice> : null}
      <TroubleNotice trouble={action.trouble} />
    </div>
  );
}

function Lines({ lines }: { lines: readonly AuditLine[] }) {
  return (
    <Table class="audit dense blocks" columns={[say.when, say.who, say.what]}>
      {lines.map((line) => (
        <tr key={line.id}>
          <td>
            <Time at={line.at} seconds />
          </td>
          <td>
            <Who line={line} />
          </td>
          <td>
            <What line={line} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** The actor, and the place of the change. The dashboard is not named, because most changes happen there. */
function Who({ line: { actor, who, via, call } }: { line: AuditLine }) {
  const name = who === null ? say.actors[actor] : actor === "apiKey" ? say.keyNamed(who) : who;
  return (
    <>
      {name}
      {via === "dashboard" ? null : (
        <span class="audit-how quiet">
          {say.via[via] ?? via}
          {call === null ? null : (
            <>
              : <code>{call}</code>
            </>
          )}
        </span>
      )}
    </>
  );
}

function What({ line }: { line: AuditLine }) {
  const { action, brandName, environment, subject, aboutWhom, reason, changes } = line;
  const details = [aboutWhom, brandName, environment, subject].filter((one) => one !== null).join(" · ");
  return (
    <>
      <div class="audit-what">
        <strong>{actions[action] ?? action}</strong>{" "}
        {details === "" ? null : (
          <span class="quiet" title={details}>
            <Slashes text={details} />
          </span>
        )}
      </div>
      {reason === null ? null : <p class="audit-reason">{say.reason(reason)}</p>}
      {changes.length === 0 ? null : (
        <ul class="changes">
          {changes.map((change) => (
            <li key={change.path}>
              <Change change={change} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const members: Readonly<Record<string, string>> = say.members;

/** A changed member with the label of its page. Its API name is in the title and in the details. */
function Change({ change: { path, from, to } }: { change: AuditLine["changes"][number] }) {
  const own = members[path];
  const text = (value: string | undefined) =>
    value === undefined ? words.none : own === undefined ? settingText(path, parsed(value)) : plain(value);
  const label = own ?? settingInSection(path);
  // A new key has no earlier value.
  const shown = own !== undefined && from === undefined ? text(to) : `${text(from)} → ${text(to)}`;
  if (shown.length <= valueMax)
    return (
      <>
        <span class="quiet" title={path}>
          {label}:
        </span>{" "}
        {shown}
      </>
    );
  return (
    <details>
      <summary>{label}</summary>
      <code>{path}</code>: {shown}
    </details>
  );
}

/** The text of a value. Switches are stored as `true` and `false`. */
const plain = (text: string) => (text === "true" || text === "false" ? textOf(text === "true") : text);

/** Parses the value of a setting. A long value was cut, so it may not be valid JSON and stays text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
