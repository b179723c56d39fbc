import type { ConsoleStatus, EnvironmentStatus } from "@countersign/contract/console-status";
import { Notice, Time } from "../dashboard/controls/controls.tsx";
import { Section } from "../dashboard/controls/section.tsx";
import { figure, Table } from "../dashboard/controls/table.tsx";
import { Link } from "../dashboard/frame/navigation.tsx";
import { Load, Page } from "../dashboard/frame/page.tsx";
import { api } from "./api.ts";
import type { ScreenProps } from "./screen-props.ts";
import { countOf, shareOf, Tile } from "./tile.tsx";
import { useFigures } from "./use-figures.ts";
import { say as all } from "./words.ts";
import { retentionWords } from "./words-service.ts";

const say = all.status;

/** The state of the service, refreshed while the page is visible. */
export function StatusScreen({ me }: ScreenProps) {
  const state = useFigures(() => api.readConsoleStatus());
  return (
    <Page name="status" title={say.title} lead={say.lead}>
      <Load of={state}>{(status) => <Status status={status} waiting={me.waiting} />}</Load>
    </Page>
  );
}

function Status({ status, waiting }: { status: ConsoleStatus; waiting: number }) {
  return (
    <>
      <Attention status={status} waiting={waiting} />
      {status.environments.map((one) => (
        <EnvironmentFigures key={one.environment} status={one} />
      ))}
      <Databases databases={status.databases} />
      <p class="quiet">
        {say.running(status.version, status.node)} <Time at={status.startedAt} />.
      </p>
    </>
  );
}

/** What somebody must do now, with a link to the page that says more. */
function Attention({ status, waiting }: { status: ConsoleStatus; waiting: number }) {
  const { environments, failingSweeps, pausedVendors, isRotating } = status;
  const nameOf = (environment: keyof typeof all.environments) => all.environments[environment];
  const lines: { text: string; to?: string }[] = [
    ...(waiting === 0 ? [] : [{ text: say.waits(waiting), to: "/approvals" }]),
    ...pausedVendors.map((vendor) => ({ text: say.paused(vendor), to: "/vendors" })),
    ...failingSweeps.map(({ sweep, environment }) => {
      return { text: say.failing(retentionWords.sweep(sweep), nameOf(environment)), to: "/retention" };
    }),
    ...(isRotating ? [{ text: say.rotating, to: "/retention" }] : []),
    ...environments.flatMap(({ environment, alarms, jobs }) => [
      ...(alarms === 0 ? [] : [{ text: say.alarms(alarms), to: `/texts?environment=${environment}` }]),
      ...(jobs.failed === 0 ? [] : [{ text: say.failedJobs(jobs.failed, nameOf(environment)) }]),
    ]),
  ];
  if (lines.length === 0)
    return (
      <Notice kind="good">
        <strong>{say.nothing}</strong>
        <p>{say.nothingLead}</p>
      </Notice>
    );
  return (
    <section class="note warn attention" aria-label={say.attention}>
      <h2>{say.attention}</h2>
      <ul>
        {lines.map(({ text, to }) => (
          <li key={text}>{to === undefined ? text : <Link to={to}>{text}</Link>}</li>
        ))}
      </ul>
    </section>
  );
}

function EnvironmentFigures({ status }: { status: EnvironmentStatus }) {
  const { environment, calls, failed, p95Ms, jobs, texts, signInTexts, stopped } = status;
  const isFailing = calls > 0 && failed / calls > 0.01;
  const sent = texts.reduce((sum, { count }) => sum + count, 0);
  const failedTexts = texts.find(({ state }) => state === "failed")?.count ?? 0;
  return (
    <Section id={`status-${environment}`} title={all.environments[environment]}>
      <dl class="tiles">
        <Tile title={say.calls} value={countOf(calls)} isBad={isFailing}>
          {calls === 0 ? null : `${say.failedShare}: ${shareOf(failed / calls)}`}
        </Tile>
        <Tile title={say.p95} value={p95Ms === null ? "–" : `${p95Ms} ms`} />
        <Tile title={say.jobs} value={String(jobs.due)} isBad={jobs.failed > 0 || jobs.oldestDueMs > 60_000}>
          {jobs.due === 0 ? say.noneLate : say.oldest(durationOf(jobs.oldestDueMs))}
          {jobs.failed === 0 ? null : <span class="tag bad">{say.stuck(jobs.failed)}</span>}
        </Tile>
        <Tile title={say.texts} value={countOf(sent)} isBad={failedTexts > 0}>
          {failedTexts === 0 ? null : say.notTexted(failedTexts)}
        </Tile>
        <Tile title={say.budget} value={shareOf(signInTexts)} isBad={signInTexts >= 0.8}>
          {say.budgetSays}
        </Tile>
        <Tile title={say.stopped} value={countOf(stopped)} />
      </dl>
    </Section>
  );
}

function Databases({ databases }: Pick<ConsoleStatus, "databases">) {
  return (
    <Section id="databases" title={say.databases}>
      <Table class="dense blocks" label={say.databases} columns={[say.database, say.state, figure(say.size)]}>
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
  );
}

function durationOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
