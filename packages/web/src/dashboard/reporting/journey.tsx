import { type Journey, type JourneyStep, journeyStepsMax } from "@countersign/contract/dashboard-journeys";
import { RefreshCw } from "lucide";
import type { ComponentChildren } from "preact";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Clock, Notice, Time } from "../controls/controls.tsx";
import { CopyValue } from "../controls/copy.tsx";
import { type Pair, Pairs } from "../controls/pairs.tsx";
import { Link, withQuery } from "../frame/navigation.tsx";
import { type BrandPageProps, Load, Page, useLoad } from "../frame/page.tsx";
import { usePolling } from "../frame/use-polling.ts";
import { ErrorLink } from "./error-link.tsx";
import { outcomeTones } from "./journey-lines.tsx";
import { type Bar, durationOf, type Part, partsOf } from "./journey-parts.ts";
import { reasonOf } from "./journey-reason.ts";
import { LagNote } from "./lag-note.tsx";
import { Route } from "./route.tsx";
import { journeyWords as say } from "./words-journey.ts";
import { reportingWords } from "./words-reporting.ts";

/** Polling interval and limit of an open journey. An abandoned page must not keep the session alive. */
const pollEveryMs = 2_000;
const pollsMax = 150;

/** Where a brand's pages are: `/brands/…/sandbox`. */
const baseOf = ({ brand, environment }: Pick<BrandPageProps, "brand" | "environment">) =>
  `/brands/${brand.uuid}/${environment}`;

/** One signup, verification or lookup: its steps as bars over time. Each call and delivery opens its own page. */
export function JourneyScreen({ me, brand, environment, params: { journey: uuid = "" } }: BrandPageProps) {
  const params = { brand: brand.uuid, environment, uuid };
  const { state, reload } = useLoad(() => api.readJourney({ params }), [brand.uuid, environment, uuid]);
  const isOpen = state.kind === "ok" && state.value.outcome === "open";
  usePolling(reload, { everyMs: pollEveryMs, max: pollsMax, isOn: isOpen, of: uuid });
  const base = baseOf({ brand, environment });
  const apiUrl = me.environments.find((one) => one.environment === environment)?.apiUrl;
  const kind = state.kind === "ok" ? state.value.kind : null;
  return (
    <Page
      name="journey"
      title={kind === null ? say.title : say.kinds[kind]}
      lead={kind === null ? undefined : say.lead[kind]}
      aside={<Button icon={RefreshCw} label={say.reload} onClick={() => void reload()} />}
    >
      <LagNote />
      <Load of={state}>
        {(journey) => (
          <>
            <About journey={journey} apiUrl={apiUrl} />
            <Waterfall journey={journey} base={base} apiUrl={apiUrl} />
            <Related journey={journey} base={base} />
            <p class="after">
              <Link to={withQuery(`${base}/log`, { q: uuid })}>{say.allCalls}</Link>
            </p>
            <p class="quiet">{say.kept}</p>
          </>
        )}
      </Load>
    </Page>
  );
}

/** The names of flows and channels, as on the analytics page. */
const flows: Readonly<Record<string, string>> = {
  ...reportingWords.analytics.journeys,
  ...reportingWords.analytics.channels,
};

function About({ journey, apiUrl }: { journey: Journey; apiUrl: string | undefined }) {
  const { uuid, outcome, errorCode, ended, flow, phoneLastFour, steps } = journey;
  // A verification or a call may come before the record.
  const began = Math.min(journey.began, steps[0]?.from ?? journey.began);
  const rows: readonly Pair[] = [
    [say.outcome, <span class={`tag ${outcomeTones[outcome]}`}>{say.outcomes[outcome]}</span>],
    [say.reason, reasonOf(journey)],
    [say.error, errorCode === null ? null : <ErrorLink code={errorCode} apiUrl={apiUrl} />],
    [say.began, <Time at={began} seconds />],
    [say.took, ended === null ? null : durationOf(ended - began)],
    [say.flow, flow === null ? null : (flows[flow] ?? flow)],
    [say.phone, phoneLastFour === null ? null : `•••• ${phoneLastFour}`],
    [say.uuid, <CopyValue text={uuid} subject={say.uuid} />],
  ];
  return <Pairs of={rows} />;
}

type StepsProps = { journey: Journey; base: string; apiUrl: string | undefined };

function Waterfall({ journey, base, apiUrl }: StepsProps) {
  const { steps, cut } = journey;
  const parts = partsOf(steps);
  const start = steps[0]?.from ?? journey.began;
  return (
    <section aria-labelledby="steps-title">
      <h2 id="steps-title">{say.waterfall}</h2>
      {cut.length === 0 ? null : <Notice>{say.cut(cut, journeyStepsMax)}</Notice>}
      {parts.length === 0 ? <p class="quiet">{say.nothing}</p> : null}
      {parts.map((part) => (
        <PartOfTime key={part.from} {...{ part, start, base, apiUrl, uuid: journey.uuid }} />
      ))}
    </section>
  );
}

type PartProps = { part: Part; start: number; base: string; apiUrl: string | undefined; uuid: string };

function PartOfTime({ part, start, ...about }: PartProps) {
  const pause = part.pauseMs === null ? null : say.later(durationOf(part.pauseMs));
  return (
    <>
      {pause === null ? null : <p class="pause">{pause}</p>}
      <Ticks part={part} />
      <ol class="waterfall">
        {part.bars.map((bar, at) => (
          <Row key={`${at} ${bar.step.name} ${bar.step.from}`} {...{ bar, start, ...about }} />
        ))}
      </ol>
    </>
  );
}

/** The begin, the middle and the end of a part's bars, as times since the part began. */
function Ticks({ part: { from, to } }: Pick<PartProps, "part">) {
  if (to === from) return null;
  return (
    <div class="step-ticks" aria-hidden="true">
      {[from, (from + to) / 2, to].map((at) => (
        <span key={at}>{durationOf(at - from)}</span>
      ))}
    </div>
  );
}

type RowProps = Omit<PartProps, "part"> & { bar: Bar };

function Row({ bar: { step, left, width }, start, base, apiUrl, uuid }: RowProps) {
  const to = targetOf(step, base, uuid);
  const name = nameOf(step);
  return (
    <li>
      <div class="step-name">
        {to === null ? name : <Link to={to}>{name}</Link>}
        <Detail step={step} apiUrl={apiUrl} />
      </div>
      <div class="step-track" aria-hidden="true">
        <div
          class={`step-bar ${step.tone} ${step.to === null ? "open" : ""} ${width === 0 ? "dot" : ""}`}
          style={{ left: `${left}%`, width: `${width}%` }}
        />
      </div>
      <div class="step-times">
        <strong>{timeOf(step)}</strong>{" "}
        <span class="step-at quiet">
          <Clock at={step.from} /> · +{durationOf(step.from - start)}
        </span>
      </div>
    </li>
  );
}

/** The page of a step: the call in the log, or the delivery. */
function targetOf({ call, delivery }: JourneyStep, base: string, uuid: string): string | null {
  if (call !== null) return withQuery(`${base}/log`, { q: uuid, call: call.line });
  return delivery === null ? null : `${base}/webhooks/deliveries/${delivery.uuid}`;
}

function nameOf({ name, count, call }: JourneyStep): ComponentChildren {
  if (call !== null)
    return (
      <>
        {say.steps[name]}: {call.method} <Route path={call.route} />
      </>
    );
  if (count === null || (name === "payer" && count === 1)) return say.steps[name];
  return `${say.steps[name]}, ${name === "attempt" ? say.attempt(count) : say.tries(count)}`;
}

function Detail({ step: { name, call, delivery, tone }, apiUrl }: { step: JourneyStep; apiUrl: string | undefined }) {
  if (call !== null)
    return (
      <>
        <span class={`tag ${tone}`}>{call.status}</span>{" "}
        {call.errorCode === null ? null : <ErrorLink code={call.errorCode} apiUrl={apiUrl} />}
      </>
    );
  if (name === "payer") return <span class={`tag ${tone}`}>{say.payerResults[tone]}</span>;
  if (delivery === null) return null;
  return (
    <>
      <code>{delivery.event}</code>{" "}
      {delivery.status === null && delivery.error === null ? null : (
        <span class={`tag ${tone}`}>{delivery.status ?? delivery.error}</span>
      )}
    </>
  );
}

function timeOf({ from, to }: JourneyStep): string {
  if (to === null) return say.open;
  return to === from ? "" : durationOf(to - from);
}

function Related({ journey: { related }, base }: { journey: Journey; base: string }) {
  if (related.length === 0) return null;
  return (
    <section>
      <h2>{say.related}</h2>
      <ul class="lines">
        {related.map(({ uuid, kind }) => (
          <li key={uuid}>
            <div>
              <Link to={`${base}/journeys/${uuid}`}>{say.kinds[kind]}</Link>
              <p class="quiet">
                <code>{uuid}</code>
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
