import type { IntegrationType } from "@countersign/contract/brand";
import type { LogFilter, LogLine } from "@countersign/contract/dashboard-reporting";
import { Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api.ts";
import { Bones } from "../controls/bones.tsx";
import { Button } from "../controls/button.tsx";
import { Clock, Empty } from "../controls/controls.tsx";
import { Table } from "../controls/table.tsx";
import { pushQuery, putQuery, useQuery } from "../frame/navigation.tsx";
import { type BrandPageProps, Loading, LoadTrouble, Page, StartLink, useAction } from "../frame/page.tsx";
import { usePolling } from "../frame/use-polling.ts";
import { FirstCall } from "../start/first-call.tsx";
import { words } from "../words.ts";
import { LagNote } from "./lag-note.tsx";
import { LogChips } from "./log-chips.tsx";
import { LogFilterForm, type LogQuery } from "./log-filter.tsx";
import { LogHistogram } from "./log-histogram.tsx";
import { LogPanel, rowId } from "./log-panel.tsx";
import { filterOf, searchInUrl } from "./log-query.ts";
import { Route } from "./route.tsx";
import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.log;
/** Polling interval and limit. An abandoned page must not keep the session alive. */
const pollEveryMs = 2_000;
const pollsMax = 300;
/** Maximum number of lines in the live view. Beyond it, whole pages are dropped. */
const shownMax = 500;

/** A brand's calls, newest first. New ones appear while the page is visible. */
export function LogScreen({ me, brand, environment }: BrandPageProps) {
  const params = { brand: brand.uuid, environment };
  const inUrl = useQuery();
  const { call: open, ...query }: LogQuery & { call?: string } = Object.fromEntries(inUrl);
  // A search by phone, which must not be in the URL.
  const [secret, setSecret] = useState("");
  const inUrlKept = searchInUrl(query.q ?? "");
  const search = inUrlKept === "" ? secret : inUrlKept;
  const filter = filterOf(inUrl, search) ?? {};
  const { lines, isLive, setLive, trouble, retry, hasOlder, showOlder } = useLines(params, filter);
  const isFiltered = Object.keys(filter).length > 0;
  const show = (line: LogLine) => (open === undefined ? pushQuery : putQuery)({ ...query, call: line.id });
  const find = (text: string) => {
    const kept = searchInUrl(text);
    setSecret(kept === "" ? text.trim() : "");
    putQuery({ ...query, q: kept });
  };
  const apiUrl = me.environments.find((one) => one.environment === environment)?.apiUrl;
  return (
    <Page name="log" title={say.title} lead={say.lead}>
      <LagNote />
      <LogFilterForm
        {...{ query, search, isLive }}
        onSearch={find}
        onQuery={putQuery}
        onClear={() => {
          setSecret("");
          putQuery({});
        }}
        onLive={setLive}
      />
      <LogChips {...{ query, search }} onQuery={putQuery} onSearch={find} />
      {lines !== null && lines.length === 0 && !isFiltered ? null : (
        <LogHistogram
          {...{ params, filter, isLive }}
          onSelect={({ from, to }) => pushQuery({ ...query, range: "", from: String(from), to: String(to) })}
        />
      )}
      {trouble === null ? null : <LoadTrouble trouble={trouble} onRetry={lines === null ? retry : undefined} />}
      {lines === null || lines.length === 0 ? null : (
        <p class="quiet log-count" role="status">
          {say.count(lines.length, hasOlder)}
        </p>
      )}
      {lines === null ? (
        trouble === null ? (
          <Loading>
            <Bones of={["rows"]} />
          </Loading>
        ) : null
      ) : (
        <Lines
          lines={lines}
          isFiltered={isFiltered}
          apiUrl={apiUrl}
          params={params}
          type={brand.environments.find((one) => one.environment === environment)?.integrationType}
          open={open}
          onOpen={show}
        />
      )}
      {hasOlder ? (
        <p class="pager">
          <Button label={words.older} onClick={showOlder} />
        </p>
      ) : null}
      {open === undefined ? null : (
        <LogPanel
          {...{ params, apiUrl, open, lines }}
          onShow={show}
          onClose={() => putQuery(query)}
          onUuid={(uuid) => {
            setSecret("");
            putQuery({ q: uuid });
          }}
        />
      )}
    </Page>
  );
}

type Params = { brand: string; environment: "sandbox" | "production" };
type LogPage = { data: LogLine[]; cursors: { older: string; newer: string } };
/** Pages, newest first. Each one begins where the next one ends. */
type Found = { key: string; pages: [LogPage, ...LogPage[]]; hasOlder: boolean };

/** The lines of a filter. In live view, polls for newer lines while the page is visible. */
function useLines(params: Params, filter: LogFilter) {
  const key = JSON.stringify([params, filter]);
  const [found, setFound] = useState<Found | null>(null);
  const [isLive, setLive] = useState(true);
  const [tries, setTries] = useState(0);
  const action = useAction();
  const shown = useRef(found);
  shown.current = found;
  const ask = (cursor: { older?: string; newer?: string }) => api.searchLog({ params, body: { filter, ...cursor } });
  useEffect(() => {
    let isHere = true;
    const show = async () => {
      const outcome = await ask({});
      if (!isHere) return;
      if (outcome.kind === "trouble") return action.fail(outcome.trouble);
      action.clear();
      const { hasOlder, ...page } = outcome.value;
      setFound({ key, pages: [page], hasOlder });
    };
    void show();
    return () => {
      isHere = false;
    };
  }, [key, tries]);
  const isUsedUp = usePolling(
    async (isOver) => {
      const now = shown.current;
      if (now?.key !== key) return;
      const outcome = await ask({ newer: now.pages[0].cursors.newer });
      // Newer lines may have been shown in the meantime.
      if (isOver() || shown.current !== now) return;
      if (outcome.kind === "trouble") {
        setLive(false);
        return action.fail(outcome.trouble);
      }
      if (outcome.value.data.length > 0) setFound(withNewer(now, outcome.value));
    },
    { everyMs: pollEveryMs, max: pollsMax, isOn: isLive, of: key },
  );
  useEffect(() => {
    if (isUsedUp) setLive(false);
  }, [isUsedUp]);
  const isCurrent = found?.key === key;
  return {
    lines: isCurrent ? found.pages.flatMap(({ data }) => data) : null,
    hasOlder: isCurrent && found.hasOlder,
    isLive,
    setLive,
    trouble: action.trouble,
    retry: () => {
      action.clear();
      setTries(tries + 1);
    },
    showOlder: () => {
      const last = found?.pages.at(-1);
      if (last === undefined) return;
      void action.run(
        () => ask({ older: last.cursors.older }),
        ({ hasOlder, ...page }) =>
          setFound((now) => (now?.key === key ? { key, pages: [...now.pages, page], hasOlder } : now)),
      );
    },
  };
}

/** Adds a page, and drops the oldest pages beyond the maximum of the live view. */
function withNewer({ key, pages, hasOlder }: Found, { data, cursors }: LogPage): Found {
  let kept = data.length;
  const older = pages.filter((page) => {
    const isKept = kept < shownMax;
    kept += page.data.length;
    return isKept;
  });
  return { key, pages: [{ data, cursors }, ...older], hasOlder: hasOlder || older.length < pages.length };
}

type LinesProps = {
  lines: readonly LogLine[];
  isFiltered: boolean;
  apiUrl: string | undefined;
  params: Params;
  type: IntegrationType | undefined;
  /** The call whose details are open. */
  open: string | undefined;
  onOpen(line: LogLine): void;
};

function Lines({ lines, isFiltered, apiUrl, params, type, open, onOpen }: LinesProps) {
  if (lines.length === 0 && isFiltered) return <Empty title={say.noneFound} text={say.noneFoundLead} />;
  if (lines.length === 0)
    return (
      <Empty title={say.none} text={say.noneLead}>
        {apiUrl === undefined || type === undefined ? null : <FirstCall {...{ params, type, apiUrl }} />}
        <StartLink to={`/brands/${params.brand}/${params.environment}/start`} />
      </Empty>
    );
  return (
    <Table
      class="log dense"
      columns={[
        { title: say.when, class: "when" },
        { title: say.call },
        { title: say.outcome },
        { title: say.masked, class: "roomy" },
        { title: say.subject, class: "roomy" },
        { title: say.key, class: "roomy" },
        { title: say.latency, class: "figure roomy" },
      ]}
    >
      {lines.map((line, at) => {
        const day = dayOf(line);
        const before = lines[at - 1];
        return (
          <Fragment key={line.id}>
            {before !== undefined && dayOf(before) === day ? null : (
              <tr class="group-row">
                <th scope="rowgroup" colSpan={columnsMax}>
                  {day}
                </th>
              </tr>
            )}
            <LineRow line={line} isOpen={line.id === open} onOpen={() => onOpen(line)} />
          </Fragment>
        );
      })}
    </Table>
  );
}

const columnsMax = 7;
const dayForm = new Intl.DateTimeFormat("en-US", { dateStyle: "full" });
/** The day of a call, above its first line. */
const dayOf = ({ at }: LogLine) => dayForm.format(at);

/** Caller errors are amber and service errors red, as in the charts. */
const toneOf = (status: number) => (status < 400 ? "good" : status < 500 ? "warn" : "bad");

type RowProps = { line: LogLine; isOpen: boolean; onOpen(): void };

function LineRow({ line, isOpen, onOpen }: RowProps) {
  const { at, method, route, status, errorCode, phoneLastFour, subjectUuid, keyName, latencyMs } = line;
  return (
    <tr aria-current={isOpen ? "true" : undefined}>
      <td class="when">
        <Clock at={at} />
      </td>
      <td class="call">
        <button type="button" class="row-link" id={rowId(line.id)} onClick={onOpen}>
          <strong>{method}</strong> <Route path={route} />
        </button>
      </td>
      <td class="fixed outcome">
        <span class={`tag ${toneOf(status)}`}>{status}</span>{" "}
        {errorCode === null ? null : <code class="quiet">{errorCode}</code>}
      </td>
      <td class="roomy fixed">{phoneLastFour === null ? null : `•••• ${phoneLastFour}`}</td>
      <td class="roomy fixed">
        {subjectUuid === null ? null : <code title={subjectUuid}>{subjectUuid.slice(0, 8)}…</code>}
      </td>
      <td class="roomy">{keyName}</td>
      <td class="figure roomy">{say.ms(latencyMs)}</td>
    </tr>
  );
}
