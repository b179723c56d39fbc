import type { Bucketed, Figures } from "@countersign/contract/dashboard-reporting";
import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Notice, Select, Time } from "../controls/controls.tsx";
import { Instant } from "../controls/filter-form.tsx";
import { figure, Table } from "../controls/table.tsx";
import { type BrandPageProps, Load, Page, useLoad } from "../frame/page.tsx";
import { words } from "../words.ts";
import { LagNote } from "./lag-note.tsx";
import { Plot, type PlotSeries } from "./plot.tsx";
import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.figures;
/** Maximum number of error codes with their own color. The others share one bar. */
const codesMax = 6;
/** Maximum number of alarms shown. */
const alarmsMax = 5;
const ranges = ["hour", "day", "week", "month", "quarter"] as const;
const buckets = ["minute", "hour", "day"] as const;
type Bucket = (typeof buckets)[number];
type Query = { range: (typeof ranges)[number] } | { from: string; to: string; bucket: Bucket };

/** Analytics of a brand's calls in a time range. */
export function FiguresScreen({ brand, environment }: BrandPageProps) {
  const [query, setQuery] = useState<Query>({ range: "day" });
  const { state } = useLoad(
    () => api.readFigures({ params: { brand: brand.uuid, environment }, query }),
    [brand.uuid, environment, query],
  );
  return (
    <Page name="figures" title={say.title} lead={say.lead}>
      <LagNote />
      <RangeForm onQuery={setQuery} />
      <Load of={state}>{(figures) => <Shown figures={figures} />}</Load>
    </Page>
  );
}

function RangeForm({ onQuery }: { onQuery(query: Query): void }) {
  const [range, setRange] = useState("day");
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const [bucket, setBucket] = useState<Bucket>("hour");
  const choose = (value: string) => {
    setRange(value);
    const known = ranges.find((one) => one === value);
    if (known !== undefined) onQuery({ range: known });
  };
  const isWhole = from !== "" && to !== "";
  return (
    <form
      class="filter"
      aria-label={say.range}
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole) onQuery({ from: String(Date.parse(from)), to: String(Date.parse(to)), bucket });
      }}
    >
      <Select id="range" label={say.range} value={range} choices={say.ranges} onChange={choose} />
      {range === "own" ? (
        <>
          <Instant id="from" label={words.filter.from} value={from} onInput={setFrom} />
          <Instant id="to" label={words.filter.to} value={to} onInput={setTo} />
          <Select
            id="bucket"
            label={say.bucket}
            value={bucket}
            choices={say.buckets}
            onChange={(value) => setBucket(buckets.find((one) => one === value) ?? "hour")}
          />
          <div class="row-actions">
            <Button label={say.show} type="submit" look="main" disabled={!isWhole} />
          </div>
        </>
      ) : null}
    </form>
  );
}

/** The hours in which an alarm limited texts. */
function Alarms({ alarms }: Pick<Figures, "alarms">) {
  return (
    <Notice kind="bad">
      <p>
        <strong>{say.alarms}</strong>
      </p>
      <p>{say.alarmsLead}</p>
      <ul>
        {alarms.slice(0, alarmsMax).map((alarm) => (
          <li key={`${alarm.kind} ${alarm.raisedAt}`}>
            <Time at={alarm.raisedAt} />: {say.alarm[alarm.kind](alarm)} <Time at={alarm.endsAt} />.
          </li>
        ))}
      </ul>
      {alarms.length > alarmsMax ? <p>{say.alarmsMore(alarms.length - alarmsMax)}</p> : null}
    </Notice>
  );
}

const tones: Readonly<Record<string, number>> = {
  verified: 0,
  released: 0,
  succeeded: 0,
  failed: 1,
  refused: 1,
  expired: 2,
  partial: 2,
  open: 3,
  optedOut: 4,
};

function Shown({ figures }: { figures: Figures }) {
  const { over, bucket, verifications, signup, health, calls } = figures;
  const created = verifications.reduce((sum, one) => sum + one.created, 0);
  const verified = verifications.reduce((sum, one) => sum + one.verified, 0);
  const plot = (title: string, { at, series }: Bucketed, labels: Readonly<Record<string, string>>) => (
    <Plot
      {...{ title, at, bucket }}
      series={series.map(({ name, counts }) => ({ label: labels[name] ?? name, tone: tones[name] ?? 3, counts }))}
    />
  );
  return (
    <>
      {figures.alarms.length === 0 ? null : <Alarms alarms={figures.alarms} />}
      <dl class="tiles">
        <Tile name={say.tiles.verify} part={verified} all={created} />
        <Tile name={say.tiles.signup} part={signup.released} all={signup.asked} />
        <Tile name={say.tiles.health} part={health.succeeded + health.partial} all={health.asked} />
        <Tile name={say.tiles.calls} part={calls.refused + calls.broken} all={calls.all} />
      </dl>
      {plot(say.verify, over.verifications, say.steps)}
      {verifications.length === 0 ? null : <Channels rows={verifications} />}
      {plot(say.signup, over.signup, say.signupSteps)}
      {signup.asked === 0 ? null : <Funnel signup={signup} />}
      {plot(say.health, over.health, say.healthSteps)}
      <Plot title={say.errors} at={over.errors.at} bucket={bucket} series={codesOf(over.errors)} />
    </>
  );
}

function Tile({ name, part, all }: { name: string; part: number; all: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{shareOf(part, all)}</strong>
        <span class="quiet">{say.of(part, all)}</span>
      </dd>
    </div>
  );
}

function shareOf(part: number, all: number): string {
  return all === 0 ? "–" : `${Math.round((part / all) * 100)}%`;
}

/** The most frequent codes, and one series for the others. */
function codesOf({ at, series }: Bucketed): PlotSeries[] {
  const tonesOfCodes = [1, 4, 2, 5, 6, 0];
  const own = series
    .slice(0, codesMax)
    .map(({ name, counts }, index) => ({ label: name, tone: tonesOfCodes[index] ?? 3, counts }));
  const rest = series.slice(codesMax);
  if (rest.length === 0) return own;
  const counts = at.map((_, index) => rest.reduce((sum, one) => sum + (one.counts[index] ?? 0), 0));
  return [...own, { label: say.other, tone: 3, counts }];
}

const steps = ["created", "sending", "delivered", "verified", "failed", "expired", "open"] as const;

function Channels({ rows }: { rows: Figures["verifications"] }) {
  return (
    <section class="section">
      <h3>{say.perChannel}</h3>
      <Table columns={[say.channel, ...steps.map((step) => figure(say.steps[step]))]}>
        {rows.map((row) => (
          <tr key={row.channel}>
            <th scope="row">{say.channels[row.channel]}</th>
            {steps.map((step) => (
              <td key={step} class="figure">
                {row[step].toLocaleString("en-US")}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </section>
  );
}

const signupSteps = ["asked", "moreAsked", "released", "optedOut", "refused", "expired", "open"] as const;

function Funnel({ signup }: { signup: Figures["signup"] }) {
  const rows = signupSteps.map((step) => ({ name: say.signupSteps[step], count: signup[step] }));
  const codes = signup.refusals.map(({ code, count }) => ({ name: code, count }));
  return (
    <div class="side-by-side">
      <Counts title={say.funnel} rows={rows} all={signup.asked} />
      {codes.length === 0 ? null : <Counts title={say.refusals} rows={codes} all={signup.asked} />}
    </div>
  );
}

function Counts({
  title,
  rows,
  all,
}: {
  title: string;
  rows: readonly { name: string; count: number }[];
  all: number;
}) {
  return (
    <section>
      <h3>{title}</h3>
      <Table columns={[say.step, figure(say.count), figure(say.share)]}>
        {rows.map(({ name, count }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="figure">{count.toLocaleString("en-US")}</td>
            <td class="figure">{shareOf(count, all)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
