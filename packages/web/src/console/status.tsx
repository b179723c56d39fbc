import type { ConsoleStatus, EnvironmentStatus } from "@countersign/contract/console-status";
import type { ComponentChildren } from "preact";
import { Notice, Time } from "../dashboard/controls/controls.tsx";
import { Section } from "../dashboard/controls/section.tsx";
import { figure, Table } from "../dashboard/controls/table.tsx";
import { Load, Page, useLoad } from "../dashboard/frame/page.tsx";
import { usePolling } from "../dashboard/frame/use-polling.ts";
import { api } from "./api.ts";
import { say as all } from "./words.ts";

const say = all.status;
const everyMs = 15_000;
const pollsMax = 960;

/** The state of the service, refreshed while the page is visible. */
export function StatusScreen() {
  const { state, put } = useLoad(() => api.readConsoleStatus(), []);
  const poll = async (isOver: () => boolean) => {
    const outcome = await api.readConsoleStatus();
    // The last figures stay if one refresh fails.
    if (!isOver() && outcome.kind === "ok") put(outcome.value);
  };
  usePolling(poll, { everyMs, max: pollsMax });
  return (
    <Page name="status" title={say.title} lead={say.lead}>
      <Load of={state}>{(status) => <Status status={status} />}</Load>
    </Page>
  );
}

function Status({ status }: { status: ConsoleStatus }) {
  return (
    <>
      {status.environments.map((one) => (
        <EnvironmentFigures key={one.environment} status={one} />
      ))}
      <Vendors vendors={status.vendors} />
      <Section id="sweeps" title={say.sweeps}>
        {status.failedSweeps.length === 0 ? (
          <p class="quiet">{say.noSweeps}</p>
        ) : (
          <Notice kind="bad">
            <ul>
              {status.failedSweeps.map(({ sweep, environment, count }) => (
                <li key={`${environment} ${sweep}`}>{say.sweep(sweep, environment, count)}</li>
              ))}
            </ul>
          </Notice>
        )}
      </Section>
      <Databases status={status} />
      <p class="quiet">
        {say.running(status.version, status.node)} <Time at={status.startedAt} />.
      </p>
    </>
  );
}

function EnvironmentFigures({ status }: { status: EnvironmentStatus }) {
  const { environment, calls, failed, p95Ms, jobs, texts, signInTexts, stopped, alarms } = status;
  const isFailing = calls > 0 && failed / calls > 0.01;
  const sent = texts.reduce((sum, { count }) => sum + count, 0);
  const failedTexts = texts.find(({ state }) => state === "failed")?.count ?? 0;
  return (
    <Section id={`status-${environment}`} title={all.environments[environment]}>
      <dl class="tiles">
        <Tile title={say.calls} value={calls.toLocaleString("en-US")} isBad={isFailing}>
          {calls === 0 ? null : `${say.failedShare}: ${shareOf(failed / calls)}`}
        </Tile>
        <Tile title={say.p95} value={p95Ms === null ? "–" : `${p95Ms} ms`} />
        <Tile title={say.jobs} value={String(jobs.due)} isBad={jobs.failed > 0 || jobs.oldestDueMs > 60_000}>
          {jobs.due === 0 ? say.noneLate : say.oldest(durationOf(jobs.oldestDueMs))}
          {jobs.failed === 0 ? null : <span class="tag bad">{say.stuck(jobs.failed)}</span>}
        </Tile>
        <Tile title={say.texts} value={sent.toLocaleString("en-US")} isBad={failedTexts > 0}>
          {failedTexts === 0 ? null : say.notTexted(failedTexts)}
        </Tile>
        <Tile title={say.budget} value={shareOf(signInTexts)} isBad={signInTexts >= 0.8}>
          {say.budgetSays}
        </Tile>
        <Tile title={say.stopped} value={stopped.toLocaleString("en-US")} />
      </dl>
      {alarms.length === 0 ? null : <Alarms alarms={alarms} />}
    </Section>
  );
}

type TileProps = { title: string; value: string; isBad?: boolean; children?: ComponentChildren };

function Tile({ title, value, isBad = false, children }: TileProps) {
  return (
    <div class={isBad ? "tile bad" : "tile"}>
      <dt>{title}</dt>
      <dd>
        <strong>{value}</strong>
        {children === undefined || children === null ? null : <span class="quiet">{children}</span>}
      </dd>
    </div>
  );
}

const alarmNames: Readonly<Record<string, string>> = say.alarm;

function Alarms({ alarms }: Pick<EnvironmentStatus, "alarms">) {
  return (
    <Notice kind="bad">
      <p>
        <strong>{say.alarms}</strong>
      </p>
      <p>{say.alarmsLead}</p>
      <ul>
        {alarms.map(({ kind, brandName, raisedAt, sent, verified }) => (
          <li key={`${kind} ${raisedAt} ${sent}`}>
            <Time at={raisedAt} /> · {alarmNames[kind] ?? kind}
            {brandName === null ? null : ` (${brandName})`}: {verified} / {sent}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Vendors({ vendors }: Pick<ConsoleStatus, "vendors">) {
  return (
    <Section id="vendors" title={say.vendors} lead={say.vendorsLead}>
      {vendors.length === 0 ? (
        <p class="quiet">{say.noVendors}</p>
      ) : (
        <Table class="dense blocks" columns={[say.vendor, say.state, say.answered, figure(say.average)]}>
          {vendors.map(({ vendor, breaker, outcomes, averageMs }) => (
            <tr key={vendor}>
              <th scope="row">{vendor}</th>
              <td>
                <span class={breaker === "closed" ? "tag good" : "tag bad"}>{say.breaker[breaker]}</span>
              </td>
              <td>{outcomes.map(({ outcome, count }) => `${outcome}: ${count}`).join(", ")}</td>
              <td class="figure">{averageMs === null ? "–" : `${averageMs} ms`}</td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

function Databases({ status: { databases, masterKeys } }: { status: ConsoleStatus }) {
  const isLeft = masterKeys.some(({ retiredAt, wraps }) => retiredAt !== null && wraps > 0);
  return (
    <>
      <Section id="databases" title={say.databases}>
        <Table class="dense blocks" columns={[say.database, say.state, figure(say.size)]}>
          {databases.map(({ cell, answers, bytes }) => (
            <tr key={cell}>
              <th scope="row">{cell === 0 ? say.firstDatabase : say.cell(cell)}</th>
              <td>
                <span class={answers ? "tag good" : "tag bad"}>{answers ? say.answers : say.away}</span>
              </td>
              <td class="figure">{bytes === null ? "–" : `${Math.round(bytes / 1024 / 1024)} MB`}</td>
            </tr>
          ))}
        </Table>
      </Section>
      <Section id="master-keys" title={say.keys}>
        {isLeft ? <Notice kind="bad">{say.toRewrap}</Notice> : null}
        <Table class="dense blocks" columns={[say.key, say.state, say.since, figure(say.wraps)]}>
          {masterKeys.map(({ id, usedAt, retiredAt, wraps }) => (
            <tr key={id}>
              <th scope="row">
                <code>{id}</code>
              </th>
              <td>
                <span class={retiredAt === null ? "tag good" : "tag"}>
                  {retiredAt === null ? say.inUse : say.retired}
                </span>
              </td>
              <td>
                <Time at={retiredAt ?? usedAt} />
              </td>
              <td class="figure">
                <span class="block-label">{say.wraps}: </span>
                {wraps.toLocaleString("en-US")}
              </td>
            </tr>
          ))}
        </Table>
      </Section>
    </>
  );
}

const shareOf = (share: number) => `${(share * 100).toFixed(share > 0 && share < 0.01 ? 2 : 0)} %`;

function durationOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
