import type { Funnel } from "@countersign/contract/dashboard-reporting";
import { Link, withQuery } from "../frame/navigation.tsx";
import { shareOf } from "./funnels.tsx";
import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.funnel;
const reasons: Readonly<Record<string, string>> = say.reasons;
/** Maximum number of reasons that a step names. */
const reasonsMax = 3;

type Props = {
  funnel: Funnel;
  /** The path of the brand in its environment. */
  base: string;
  /** The funnel's time, from a moment to before another one. */
  period: { from: number; to: number };
};

/** How many 1-Clicks reached each step, why the others did not, and how long each step took. */
export function StepsFunnel({ funnel, base, period }: Props) {
  const { asked } = funnel;
  const steps = [
    { name: "asked", count: asked, medianMs: null, losses: [] },
    ...(["verified", "found", "shared"] as const).map((name) => ({ name, ...funnel[name] })),
  ] as const;
  const partOf = (count: number) => (asked === 0 ? 0 : count / asked);
  return (
    <ol class="steps-funnel">
      {steps.map(({ name, count, medianMs, losses }, at) => (
        <li key={name}>
          <p class="funnel-step-name">{say.steps[name]}</p>
          <p class="step-count">
            <strong>{count.toLocaleString("en-US")}</strong>
            {at === 0 ? null : <span class="quiet">{shareOf(count, asked)}</span>}
          </p>
          <div
            class={at === steps.length - 1 ? "funnel-step-bar last" : "funnel-step-bar"}
            aria-hidden="true"
            style={{ "--part": String(partOf(count)), "--next": String(partOf(steps[at + 1]?.count ?? count)) }}
          />
          <p class="step-time quiet">{at === 0 ? say.start : medianMs === null ? "" : say.median(timeOf(medianMs))}</p>
          <Losses {...{ losses, base, period }} />
        </li>
      ))}
    </ol>
  );
}

type LossProps = { losses: readonly Funnel["shared"]["losses"][number][] } & Omit<Props, "funnel">;

/** The outcome of the journeys that ended for a reason without an error code. */
const outcomes: Readonly<Record<string, string>> = {
  open: "open",
  notVerified: "expired",
  left: "expired",
  declined: "declined",
};

function Losses({ losses, base, period: { from, to } }: LossProps) {
  if (losses.length === 0) return null;
  const all = losses.reduce((sum, { count }) => sum + count, 0);
  const open = losses.find(({ reason }) => reason === "open")?.count ?? 0;
  const shown = losses.length > reasonsMax + 1 ? losses.slice(0, reasonsMax) : losses;
  const rest = losses.slice(shown.length).reduce((sum, { count }) => sum + count, 0);
  return (
    <div class="step-losses">
      <p>{say.lost(all - open, open)}</p>
      <ul>
        {shown.map(({ reason, count }) => (
          <li key={reason}>
            <span>
              {reason in outcomes ? (
                <Link to={withQuery(`${base}/journeys`, { kind: "signup", outcome: outcomes[reason] })}>
                  {reasons[reason]}
                </Link>
              ) : (
                <>
                  {reasons[reason] ?? say.otherCode}{" "}
                  <Link to={withQuery(`${base}/log`, { q: reason, from: String(from), to: String(to) })}>{reason}</Link>
                </>
              )}
            </span>
            <span class="figure">{count.toLocaleString("en-US")}</span>
          </li>
        ))}
        {rest === 0 ? null : (
          <li>
            <span>{say.otherReasons}</span>
            <span class="figure">{rest.toLocaleString("en-US")}</span>
          </li>
        )}
      </ul>
    </div>
  );
}

/** A duration in the unit that fits it. */
function timeOf(ms: number): string {
  const round = (value: number) => (value < 10 ? value.toFixed(1) : String(Math.round(value))).replace(/\.0$/, "");
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 90_000) return `${round(ms / 1_000)} s`;
  return ms < 90 * 60_000 ? `${round(ms / 60_000)} min` : `${round(ms / 3_600_000)} h`;
}
