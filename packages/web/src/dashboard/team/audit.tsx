import type { AuditLine } from "@countersign/contract/audit";
import { Download as DownloadIcon } from "lucide";
import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Empty, Notice, Time, TroubleNotice } from "../controls/controls.tsx";
import { saveCsv } from "../controls/save-csv.ts";
import { Table, WithOlder } from "../controls/table.tsx";
import { putQuery, useQuery } from "../frame/navigation.tsx";
import { Load, Page, type PageProps, useAction, useLoad } from "../frame/page.tsx";
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
      <Load of={team.state}>
        {({ data: members }) => <AuditFilterForm filter={filter} members={members} onApply={putQuery} />}
      </Load>
      <Load of={state}>
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

/** Who did it, and how: the dashboard is not named, because most entries come from it. */
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
  const { action, brandName, environment, subject, aboutWhom, changes } = line;
  const about = [aboutWhom, brandName, environment, subject].filter((one) => one !== null).join(" · ");
  return (
    <>
      <strong>{actions[action] ?? action}</strong> {about === "" ? null : <span class="quiet">{about}</span>}
      {changes.length === 0 ? null : (
        <ul class="changes">
          {changes.map(({ path, from, to }) => (
            <li key={path}>
              <Change path={path} from={from ?? words.none} to={to ?? words.none} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Change({ path, from, to }: Record<"path" | "from" | "to", string>) {
  const shown = `${from} → ${to}`;
  if (from.length + to.length <= valueMax)
    return (
      <>
        <code>{path}</code>: {shown}
      </>
    );
  return (
    <details>
      <summary>
        <code>{path}</code>
      </summary>
      {shown}
    </details>
  );
}
