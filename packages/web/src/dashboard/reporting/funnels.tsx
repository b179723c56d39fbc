import type { Analytics } from "@countersign/contract/dashboard-reporting";
import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.analytics;
const journeys: Readonly<Record<string, string>> = say.journeys;

/** A funnel per channel of verifications, per flow of 1-Clicks, and one of health lookups. */
export function Funnels({ verifications, signup, health }: Pick<Analytics, "verifications" | "signup" | "health">) {
  const { channels, steps, signupSteps, healthSteps } = say;
  const found = health.succeeded + health.partial;
  return (
    <section aria-labelledby="funnels">
      <h2 id="funnels">{say.funnels}</h2>
      <div class="funnels">
        {signup.funnels.map(({ journey, ...counts }) => (
          <Funnel
            key={journey}
            title={`${say.signup}: ${journeys[journey] ?? journey}`}
            steps={(["created", "proven", "reviewed", "shared"] as const).map((one) => [signupSteps[one], counts[one]])}
          />
        ))}
        {verifications.map(({ channel, ...counts }) => (
          <Funnel
            key={channel}
            title={`${say.verify}: ${channels[channel]}`}
            steps={(["created", "sending", "delivered", "verified"] as const)
              // The carrier channels send no texts.
              .filter((one) => counts.sending > 0 || one === "created" || one === "verified")
              .map((one) => [steps[one], counts[one]])}
          />
        ))}
        {health.asked === 0 ? null : (
          <Funnel
            title={say.health}
            steps={[
              [healthSteps.asked, health.asked],
              [healthSteps.found, found],
            ]}
          />
        )}
      </div>
    </section>
  );
}

/** How many of the first step's items reached each step. */
function Funnel({ title, steps }: { title: string; steps: readonly (readonly [string, number])[] }) {
  const first = steps[0]?.[1] ?? 0;
  return (
    <table class="funnel">
      <caption>{title}</caption>
      <tbody>
        {steps.map(([name, count]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="figure">{count.toLocaleString("en-US")}</td>
            <td class="figure">{shareOf(count, first)}</td>
            <td aria-hidden="true">
              <div class="funnel-bar" style={{ width: `${first === 0 ? 0 : (count / first) * 100}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function shareOf(part: number, all: number): string {
  return all === 0 ? "–" : `${Math.round((part / all) * 100)}%`;
}
