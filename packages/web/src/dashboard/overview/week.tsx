import type { Overview } from "@countersign/contract/dashboard-reporting";
import { Link, withQuery } from "../frame/navigation.tsx";
import { instantOf } from "../reporting/chart-series.ts";
import { ShareTile, Tile } from "../reporting/tiles.tsx";
import { reportingWords } from "../reporting/words-reporting.ts";
import { overviewWords as say } from "./words-overview.ts";

const { analytics } = reportingWords;
const { tiles } = analytics;

/** This week's figures beside last week's, and the shared 1-Clicks of each day. */
export function Week({ overview, base }: { overview: Overview; base: string }) {
  const { from, now, calls, signup, verifications, health, days } = overview;
  const range = { from: String(from), to: String(now + 1) };
  const shares = [
    { name: tiles.signup, kind: "signup", of: signup },
    { name: tiles.verify, kind: "verification", of: verifications },
    { name: tiles.health, kind: "health", of: health },
  ] as const;
  const isUsed = ({ now, before }: Overview["signup"]) => now.all + before.all > 0;
  return (
    <section class="panel week" aria-labelledby="week">
      <div class="panel-head">
        <h2 id="week">{say.week}</h2>
      </div>
      <div class="week-parts">
        <dl class="tiles">
          <Tile
            name={tiles.calls}
            value={calls.now.all.toLocaleString("en-US")}
            compared={
              calls.before.all === 0
                ? null
                : {
                    now: calls.now.all,
                    before: calls.before.all,
                    unit: "count",
                    from: calls.before.all.toLocaleString("en-US"),
                    better: null,
                  }
            }
          >
            <Link to={withQuery(`${base}/log`, range)}>{analytics.openLog}</Link>
          </Tile>
          <ShareTile
            name={tiles.failed}
            now={calls.now}
            past={calls.before}
            better="less"
            to={{ path: withQuery(`${base}/log`, { ...range, status: "failed" }), label: analytics.openFailed }}
          />
          {shares.map(({ name, kind, of }) =>
            isUsed(of) ? (
              <ShareTile
                key={kind}
                name={name}
                now={of.now}
                past={of.before}
                better="more"
                to={{ path: withQuery(`${base}/journeys`, { kind }), label: analytics.openJourneys }}
              />
            ) : null,
          )}
        </dl>
        {isUsed(signup) ? <DayBars days={days} /> : null}
      </div>
    </section>
  );
}

/** Two bars for each day: this week's shared 1-Clicks, and those of the same day a week earlier. */
function DayBars({ days }: Pick<Overview, "days">) {
  const most = Math.max(1, ...days.flatMap(({ now, before }) => [now.part, before.part]));
  const summary = days.map(({ at, now, before }) => say.chartDay(instantOf(at, "day"), now.part, before.part));
  return (
    <figure class="day-bars">
      <figcaption>
        <span>{say.chart}</span>
        <span class="key own">{say.thisWeek}</span>
        <span class="key">{say.lastWeek}</span>
      </figcaption>
      <div role="img" aria-label={say.chartSummary(summary)}>
        {days.map(({ at, now, before }) => (
          <div key={at} class="day-pair" title={say.chartDay(instantOf(at, "day"), now.part, before.part)}>
            <div class="pair">
              <i style={{ height: `${(before.part / most) * 100}%` }} />
              <i class="own" style={{ height: `${(now.part / most) * 100}%` }} />
            </div>
            <span>{weekday.format(at)}</span>
          </div>
        ))}
      </div>
    </figure>
  );
}

const weekday = new Intl.DateTimeFormat("en-US", { weekday: "short", timeZone: "UTC" });
