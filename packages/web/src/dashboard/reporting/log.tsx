import type { LogFilter, LogLine } from "@countersign/contract/dashboard-reporting";
import { useEffect, useState } from "preact/hooks";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Empty, Time, TroubleNotice } from "../controls/controls.tsx";
import { Table } from "../controls/table.tsx";
import { type BrandPageProps, Page, useAction } from "../frame/page.tsx";
import { LagNote } from "./lag-note.tsx";
import { LogDetails } from "./log-details.tsx";
import { LogFilterForm } from "./log-filter.tsx";
import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.log;
type Shown = { data: LogLine[]; hasOlder: boolean; hasNewer: boolean };

/** A brand's calls, newest first, filtered and in pages. */
export function LogScreen({ brand, environment }: BrandPageProps) {
  const params = { brand: brand.uuid, environment };
  const [filter, setFilter] = useState<LogFilter>({});
  const [shown, setShown] = useState<Shown | null>(null);
  const [open, setOpen] = useState<LogLine | null>(null);
  const action = useAction();
  const show = (wanted: LogFilter, cursor: { older?: string; newer?: string } = {}) =>
    void action.run(() => api.searchLog({ params, body: { filter: wanted, ...cursor } }), setShown);
  const apply = (wanted: LogFilter) => {
    setFilter(wanted);
    show(wanted);
  };
  useEffect(() => show({}), []);
  const refresh = <Button label={say.refresh} onClick={() => show(filter)} />;
  return (
    <Page name="log" title={say.title} lead={say.lead} aside={refresh}>
      <LagNote />
      <LogFilterForm filter={filter} onApply={apply} />
      <TroubleNotice trouble={action.trouble} />
      {shown === null ? (
        action.trouble === null ? (
          <p class="quiet loading">…</p>
        ) : null
      ) : (
        <>
          <Lines lines={shown.data} isFiltered={Object.keys(filter).length > 0} onOpen={setOpen} />
          <p class="row-actions pager">
            {shown.hasNewer && shown.data[0] !== undefined ? (
              <Button label={say.newer} onClick={() => show(filter, { newer: String(shown.data[0]?.id) })} />
            ) : null}
            {shown.hasOlder && shown.data.length > 0 ? (
              <Button label={say.older} onClick={() => show(filter, { older: String(shown.data.at(-1)?.id) })} />
            ) : null}
          </p>
        </>
      )}
      {open === null ? null : (
        <LogDetails
          line={open}
          params={params}
          onClose={() => setOpen(null)}
          onUuid={(uuid) => {
            setOpen(null);
            apply({ uuid });
          }}
        />
      )}
    </Page>
  );
}

/** Columns with numbers, and columns that small screens hide. */
const columnClasses: Readonly<Record<string, string>> = {
  [say.latency]: "figure",
  [say.key]: "roomy",
  [say.call]: "call",
};

type LinesProps = { lines: readonly LogLine[]; isFiltered: boolean; onOpen(line: LogLine): void };

function Lines({ lines, isFiltered, onOpen }: LinesProps) {
  if (lines.length === 0)
    return <Empty title={isFiltered ? say.noneFound : say.none} text={isFiltered ? say.noneFoundLead : say.noneLead} />;
  return (
    <Table
      class="log"
      columns={[
        ...[say.when, say.call, say.outcome, say.about, say.key, say.latency].map((title) => ({
          title,
          class: columnClasses[title],
        })),
        { title: say.details, isTitleHidden: true },
      ]}
    >
      {lines.map((line) => (
        <LineRow key={line.id} line={line} onOpen={() => onOpen(line)} />
      ))}
    </Table>
  );
}

function LineRow({ line, onOpen }: { line: LogLine; onOpen(): void }) {
  const { at, method, route, status, errorCode, phoneLastFour, subjectUuid, keyName, latencyMs } = line;
  return (
    <tr>
      <td class="when">
        <Time at={at} seconds />
      </td>
      <td>
        <strong>{method}</strong> <code>{route}</code>
      </td>
      <td class="fixed">
        <span class={status < 400 ? "tag good" : "tag bad"}>{status}</span> {errorCode}
      </td>
      <td>
        {phoneLastFour === null ? null : <span class="fixed">•••• {phoneLastFour}</span>}{" "}
        {subjectUuid === null ? null : <code title={subjectUuid}>{subjectUuid.slice(0, 8)}…</code>}
      </td>
      <td class="roomy">{keyName}</td>
      <td class="figure">{say.ms(latencyMs)}</td>
      <td>
        <Button label={say.details} about={`${method} ${route} ${line.id}`} look="small" onClick={onOpen} />
      </td>
    </tr>
  );
}
