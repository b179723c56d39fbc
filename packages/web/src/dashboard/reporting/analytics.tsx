import type { Analytics, Bucketed } from "@countersign/contract/dashboard-reporting";
import { api } from "../api.ts";
import { Bones } from "../controls/bones.tsx";
import { Button } from "../controls/button.tsx";
import { Empty, Notice } from "../controls/controls.tsx";
import { figure, Table } from "../controls/table.tsx";
import { Link, putQuery, useQuery, withQuery } from "../frame/navigation.tsx";
import { type BrandPageProps, Load, Page, StartLink, useLoad } from "../frame/page.tsx";
import { words } from "../words.ts";
import { Chart } from "./chart.tsx";
import { type ChartProps, type ChartSeries, instantOf, type Period, unitOf } from "./chart-series.ts";
import { Funnels, shareOf } from "./funnels.tsx";
import { LagNote } from "./lag-note.tsx";
import { RangeForm, rangeIn } from "./range-form.tsx";
import { StepsFunnel } from "./steps-funnel.tsx";
import { type Part, ShareTile, Tile } from "./tiles.tsx";
import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.analytics;
/** Maximum number of error codes with their own color. The others share one bar. */
const codesMax = 5;
/** Maximum number of alarms shown. */
const alarmsMax = 5;
/** The longest range that has a name. */
const longest = "quarter";

/** Analytics of a brand's calls in a time range. */
export function AnalyticsScreen({ brand, environment }: BrandPageProps) {
  const query = rangeIn(useQuery());
  const { state } = useLoad(
    () => api.readAnalytics({ params: { brand: brand.uuid, environment }, query }),
    [brand.uuid, environment, JSON.stringify(query)],
  );
  const log = `/brands/${brand.uuid}/${environment}/log`;
  const isNew = brand.lastUsedAt === null;
  const hasCalls = state.kind !== "ok" || !isEmptyRange(state.value);
  return (
    <Page
      name="analytics"
      title={say.title}
      lead={hasCalls ? `${say.lead} ${say.leadOfCharts}` : say.lead}
      aside={isNew && (state.kind !== "ok" || !hasCalls) ? null : <RangeForm />}
    >
      <LagNote />
      <Load of={state} bones={<Bones of={["panel", "tiles", "cards", "cards"]} />}>
        {(analytics) => <AnalyticsContent analytics={analytics} log={log} isNew={isNew} />}
      </Load>
    </Page>
  );
}

/** The hours in which alarms limited texts. */
function Alarms({ alarms }: Pick<Analytics, "alarms">) {
  return (
    <Notice kind="bad">
      <p>
        <strong>{say.alarms}</strong>
      </p>
      <p>{say.alarmsLead}</p>
      <ul>
        {alarms.slice(0, alarmsMax).map((alarm) => (
          <li key={`${alarm.kind} ${alarm.raisedAt}`}>
            {instantOf(alarm.raisedAt, "minute")}: {say.alarm[alarm.kind](alarm)} {instantOf(alarm.endsAt, "minute")}.
          </li>
        ))}
      </ul>
      {alarms.length > alarmsMax ? <p>{say.alarmsMore(alarms.length - alarmsMax)}</p> : null}
    </Notice>
  );
}

type ShownProps = { analytics: Analytics; log: string };

function isEmptyRange({ verifications, signup, health, calls }: Analytics): boolean {
  return calls.all + signup.asked + health.asked + verifications.length === 0;
}

/** `isNew`: whether the brand has not made any call yet. */
function AnalyticsContent({ analytics, log, isNew }: ShownProps & { isNew: boolean }) {
  const { alarms, verifications, signup, health } = analytics;
  return (
    <>
      {alarms.length === 0 ? null : <Alarms alarms={alarms} />}
      {isEmptyRange(analytics) ? (
        isNew ? (
          <Empty title={say.noneYet} text={say.noneYetLead}>
            <StartLink to={log.replace(/log$/, "start")} />
          </Empty>
        ) : (
          <EmptyRange analytics={analytics} start={log.replace(/log$/, "start")} />
        )
      ) : (
        <>
          <MainFunnel analytics={analytics} log={log} />
          <Tiles analytics={analytics} log={log} />
          <p class="quiet">{say.colors}</p>
          <Charts analytics={analytics} log={log} />
          <Funnels {...{ verifications, signup, health }} />
          {signup.refusals.length === 0 ? null : <Refusals analytics={analytics} log={log} />}
        </>
      )}
    </>
  );
}

/** Names the empty range, and offers the longest one. */
function EmptyRange({ analytics: { from, to }, start }: { analytics: Analytics; start: string }) {
  const query = rangeIn(useQuery());
  const asked = "range" in query ? query.range : undefined;
  // Without calls, the automatic range is the longest one.
  const range = asked === "auto" ? longest : asked;
  const name = say.ranges.find(({ value }) => value === range)?.label;
  return (
    <Empty title={say.none(name)} text={say.noneLead(instantOf(from, "minute"), instantOf(to, "minute"))}>
      <div class="row-actions">
        {range === longest ? null : (
          <Button label={say.showLongest} look="main" onClick={() => putQuery({ range: longest })} />
        )}
        <Link to={start}>{words.nav.start}</Link>
      </div>
    </Empty>
  );
}

/** The funnel of all 1-Clicks. A brand without any sees only the funnels of its own products below. */
function MainFunnel({ analytics: { funnel, from, to }, log }: ShownProps) {
  if (funnel.asked === 0) return null;
  return (
    <section class="panel" aria-labelledby="funnel">
      <div class="panel-head">
        <h2 id="funnel">{reportingWords.funnel.title}</h2>
        <span class="quiet">{say.shown(instantOf(from, "minute"), instantOf(to, "minute"))}</span>
      </div>
      <StepsFunnel funnel={funnel} base={log.replace(/\/log$/, "")} period={{ from, to }} />
    </section>
  );
}

function Tiles({ analytics, log }: ShownProps) {
  const { from, to, verifications, signup, health, calls, before } = analytics;
  const created = verifications.reduce((sum, one) => sum + one.created, 0);
  const verified = verifications.reduce((sum, one) => sum + one.verified, 0);
  const range = { from: String(from), to: String(to) };
  // Without calls in the earlier range, there is nothing to compare with.
  const callsBefore = before.calls === null || before.calls.all === 0 ? null : before.calls;
  const shares = [
    {
      name: say.tiles.verify,
      kind: "verification",
      now: { part: verified, all: created },
      past: before.verifications,
    },
    {
      name: say.tiles.signup,
      kind: "signup",
      now: { part: signup.released, all: signup.asked },
      past: before.signup,
    },
    {
      name: say.tiles.health,
      kind: "health",
      now: { part: health.succeeded + health.partial, all: health.asked },
      past: before.health,
    },
  ];
  const hasBefore = callsBefore !== null || shares.some(({ past }) => past.all > 0);
  return (
    <>
      <dl class="tiles">
        <Tile
          name={say.tiles.calls}
          value={calls.all.toLocaleString("en-US")}
          compared={
            callsBefore === null
              ? null
              : {
                  now: calls.all,
                  before: callsBefore.all,
                  unit: "count",
                  from: callsBefore.all.toLocaleString("en-US"),
                  better: null,
                }
          }
        >
          <Link to={withQuery(log, range)}>{say.openLog}</Link>
        </Tile>
        <ShareTile
          name={say.tiles.failed}
          now={failedOf(calls)}
          past={callsBefore && failedOf(callsBefore)}
          better="less"
          to={{ path: withQuery(log, { ...range, status: "failed" }), label: say.openFailed }}
        />
        <Tile
          name={say.tiles.latency}
          value={unitOf(calls.p95, "ms")}
          compared={
            callsBefore === null
              ? null
              : {
                  now: calls.p95,
                  before: callsBefore.p95,
                  unit: "ms",
                  from: unitOf(callsBefore.p95, "ms"),
                  better: "less",
                }
          }
        >
          {say.percentiles(unitOf(calls.p50, "ms"), unitOf(calls.p99, "ms"))}
        </Tile>
        {shares.map(({ kind, ...share }) => (
          <ShareTile
            key={kind}
            {...share}
            better="more"
            to={{ path: withQuery(log.replace(/log$/, "journeys"), { kind }), label: say.openJourneys }}
          />
        ))}
      </dl>
      {hasBefore ? <p class="quiet">{say.compared}</p> : null}
    </>
  );
}

const failedOf = ({ all, refused, broken }: Analytics["calls"]): Part => ({ part: refused + broken, all });

type Labels = Readonly<Record<string, string>>;

const tones: Readonly<Record<string, number>> = {
  verified: 0,
  released: 0,
  succeeded: 0,
  failed: 1,
  refused: 2,
  partial: 2,
  expired: 5,
  open: 3,
  optedOut: 4,
  p50: 6,
  p95: 4,
  p99: 5,
};

function Charts({ analytics, log }: ShownProps) {
  const { over, bucket, calls } = analytics;
  /** The log page with the calls of a period. `filterOf` returns the filter of a series. */
  const pathOf =
    (filterOf: (series: string | undefined) => Record<string, string | undefined>) =>
    ({ from, to }: Period, series?: string) =>
      withQuery(log, { ...filterOf(series), from: String(from), to: String(to) });
  const counts = (name: "verify" | "signup" | "health", { at, series }: Bucketed, labels: Labels, q: string) => (
    <Chart
      {...{ title: say[name], what: say.what[name], at, bucket }}
      unit="count"
      series={series.map(({ name, counts: values }) => seriesOf(name, labels[name] ?? name, values, tones[name] ?? 3))}
      pathOf={pathOf(() => ({ q }))}
    />
  );
  const errors: Pick<ChartProps, "at" | "series"> = { at: over.errors.at, series: codesOf(over.errors) };
  return (
    <div class="charts">
      <Chart
        title={say.calls}
        what={say.what.calls}
        at={over.calls.at}
        bucket={bucket}
        unit="count"
        series={over.calls.series.map(({ name, counts: values }) =>
          seriesOf(name, outcomes[name]?.label ?? name, values, outcomes[name]?.tone ?? 3),
        )}
        pathOf={pathOf((status) => ({ status }))}
      />
      <Chart
        title={say.latency}
        what={say.what.latency}
        at={over.latency.at}
        bucket={bucket}
        unit="ms"
        series={over.latency.series.map(({ name, values }) => ({
          ...{ name, label: name, values, all: calls[name] },
          tone: tones[name] ?? 3,
          isDashed: name === "p99",
        }))}
        pathOf={pathOf(() => ({}))}
      />
      <Chart
        {...errors}
        title={say.errors}
        what={say.what.errors}
        bucket={bucket}
        unit="count"
        pathOf={pathOf((code) => ({ q: code === others ? undefined : code }))}
      />
      {counts("verify", over.verifications, say.steps, "/verifications")}
      {counts("signup", over.signup, say.signupSteps, "/1-click")}
      {counts("health", over.health, say.healthSteps, "/health")}
    </div>
  );
}

const outcomes: Readonly<Record<string, { label: string; tone: number }>> = {
  succeeded: { label: say.outcomes.succeeded, tone: 0 },
  refused: { label: say.outcomes.refused, tone: 2 },
  broken: { label: say.outcomes.broken, tone: 1 },
};
/** The name of the series with all less frequent codes. */
const others = "others";

function seriesOf(name: string, label: string, values: readonly number[], tone: number): ChartSeries {
  return { name, label, values, tone, all: values.reduce((sum, one) => sum + one, 0) };
}

/** The most frequent codes, and one series for the others. */
function codesOf({ at, series }: Bucketed): ChartSeries[] {
  // Green, amber and red mean outcomes, so codes have other colors.
  const tonesOfCodes = [4, 5, 6, 7, 8];
  const own = series
    .slice(0, codesMax)
    .map(({ name, counts }, index) => seriesOf(name, name, counts, tonesOfCodes[index] ?? 3));
  const rest = series.slice(codesMax);
  if (rest.length === 0) return own;
  const counts = at.map((_, index) => rest.reduce((sum, one) => sum + (one.counts[index] ?? 0), 0));
  return [...own, seriesOf(others, say.other, counts, 3)];
}

/** The codes that ended 1-Clicks. */
function Refusals({ analytics: { signup, from, to }, log }: ShownProps) {
  return (
    <section aria-labelledby="refusals">
      <h2 id="refusals">{say.refusals}</h2>
      <Table class="dense narrow" columns={[say.code, figure(say.count), figure(say.share)]}>
        {signup.refusals.map(({ code, count }) => (
          <tr key={code}>
            <th scope="row">
              <Link to={withQuery(log, { q: code, from: String(from), to: String(to) })}>{code}</Link>
            </th>
            <td class="figure">{count.toLocaleString("en-US")}</td>
            <td class="figure">{shareOf(count, signup.asked)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
