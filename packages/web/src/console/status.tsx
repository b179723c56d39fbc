import type { ConsoleStatus, EnvironmentStatus, TrafficOverTime } from "@countersign/contract/console-status";
import { Clock, Time } from "../dashboard/controls/controls.tsx";
import { Section } from "../dashboard/controls/section.tsx";
import { figure, Table } from "../dashboard/controls/table.tsx";
import { Link } from "../dashboard/frame/navigation.tsx";
import { Load, Page } from "../dashboard/frame/page.tsx";
import { api } from "./api.ts";
import type { ScreenProps } from "./screen-props.ts";
import { Spark } from "./spark.tsx";
import { countOf, shareOf, Tile } from "./tile.tsx";
import { Troubles } from "./troubles.tsx";
import { useFigures } from "./use-figures.ts";
import { say as all } from "./words.ts";
import { durationOf, statusWords as say } from "./words-status.ts";

/** The day changes slowly, and its figures are read from all calls of the day. */
const dayEveryMs = 5 * 60_000;

/** The state of the service, refreshed while the page is visible. */
export function StatusScreen({ me }: ScreenProps) {
  const state = useFigures(() => api.readConsoleStatus());
  const day = useFigures(() => api.readConsoleTraffic(), dayEveryMs);
  return (
    <Page
      name="status"
      title={say.title}
      lead={say.lead}
      aside={
        state.kind === "ok" ? (
          <p class="quiet as-of">
            {say.asOf} <Clock at={state.value.at} />
          </p>
        ) : null
      }
    >
      <Load of={state}>
        {(status) => (
          <>
            <Troubles status={status} me={me} />
            {status.environments.toReversed().map((one) => (
              <EnvironmentFigures
                key={one.environment}
                status={one}
                day={
                  day.kind === "ok" ? day.value.data.find((other) => other.environment === one.environment) : undefined
                }
              />
            ))}
            <Databases databases={status.databases} />
            <p class="quiet">
              {say.running(status.version, status.node)} <Time at={status.startedAt} />.
            </p>
          </>
        )}
      </Load>
    </Page>
  );
}

type FiguresProps = { status: EnvironmentStatus; day: TrafficOverTime | undefined };

function EnvironmentFigures({ status, day }: FiguresProps) {
  const { environment, jobs, texts, signInTexts, stopped } = status;
  const sent = texts.reduce((sum, { count }) => sum + count, 0);
  const failedTexts = texts.find(({ state }) => state === "failed")?.count ?? 0;
  return (
    <Section id={`status-${environment}`} title={all.environments[environment]}>
      <Traffic status={status} day={day} />
      <dl class="tiles four">
        <Tile title={say.jobs} value={countOf(jobs.due)} isBad={jobs.failed > 0 || jobs.oldestDueMs > 60_000}>
          {jobs.due === 0 ? say.noneLate : say.oldest(durationOf(jobs.oldestDueMs))}
          {jobs.failed === 0 ? null : <span class="tag bad">{say.stuck(jobs.failed)}</span>}
        </Tile>
        <Tile title={say.texts} value={countOf(sent)} isBad={failedTexts > 0}>
          {failedTexts === 0 ? say.allTexted : say.notTexted(failedTexts)}
        </Tile>
        <Tile title={say.budget} value={shareOf(signInTexts)} isBad={signInTexts >= 0.8}>
          <meter max={1} high={0.8} value={signInTexts} aria-label={say.budget} /> {say.budgetSays}
        </Tile>
        <Tile title={say.stopped} value={countOf(stopped)}>
          <Link to={`/texts?environment=${environment}`}>{say.toTexts}</Link>
        </Tile>
      </dl>
    </Section>
  );
}

const timeOf = new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit" });
/** More failed calls than this share need somebody. */
const failedMax = 0.01;

/** Traffic, errors and speed: the figure of the last hour, and the last day as a small chart. */
function Traffic({ status: { calls, failed, p95Ms }, day }: FiguresProps) {
  const periods = day?.periods ?? [];
  const when = (place: number) => timeOf.format(periods[place]?.at ?? 0);
  const sum = (of: "calls" | "failed") => periods.reduce((all, one) => all + one[of], 0);
  const slowest = Math.max(0, ...periods.map((one) => one.p95Ms ?? 0));
  const failedShare = calls === 0 ? 0 : failed / calls;
  return (
    <dl class="tiles">
      <Tile title={say.calls} value={countOf(calls)} about={say.callsOfDay(sum("calls"))}>
        <Spark
          label={`${say.callsByTime}: ${say.callsOfDay(sum("calls"))}`}
          values={periods.map((one) => one.calls)}
          bad={periods.map((one) => one.failed)}
          say={(place) => say.callsAt(when(place), periods[place]?.calls ?? 0, periods[place]?.failed ?? 0)}
        />
      </Tile>
      <Tile
        title={say.failed}
        value={calls === 0 ? "–" : shareOf(failedShare)}
        isBad={failedShare > failedMax}
        about={sum("calls") === 0 ? say.noCalls : say.failedOfDay(sum("failed"))}
      >
        <Spark
          label={`${say.failedByTime}: ${say.failedOfDay(sum("failed"))}`}
          values={periods.map((one) => one.failed)}
          bad={periods.map((one) => one.failed)}
          say={(place) => say.failedAt(when(place), periods[place]?.failed ?? 0)}
        />
      </Tile>
      <Tile
        title={say.p95}
        value={p95Ms === null ? "–" : say.ms(p95Ms)}
        about={slowest === 0 ? say.noCalls : say.slowest(slowest)}
      >
        <Spark
          look="line"
          label={`${say.p95ByTime}: ${slowest === 0 ? say.noCalls : say.slowest(slowest)}`}
          values={periods.map((one) => one.p95Ms)}
          say={(place) => say.p95At(when(place), periods[place]?.p95Ms ?? null)}
        />
      </Tile>
    </dl>
  );
}

function Databases({ databases }: Pick<ConsoleStatus, "databases">) {
  return (
    <Section id="databases" title={say.databases}>
      <Table class="dense blocks" label={say.databases} columns={[say.database, say.state, figure(say.size)]}>
        {databases.map(({ cell, answers, bytes }) => (
          <tr key={cell}>
            <th scope="row">{say.databaseName(cell)}</th>
            <td>
              <span class={answers ? "tag good" : "tag bad"}>{answers ? say.answers : say.away}</span>
            </td>
            <td class="figure">
              <span class="block-label">{say.size}: </span>
              {bytes === null ? "–" : say.bytes(bytes)}
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
