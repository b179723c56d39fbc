import type { Overview } from "@countersign/contract/dashboard-reporting";
import { api } from "../api.ts";
import { Empty } from "../controls/controls.tsx";
import { Link } from "../frame/navigation.tsx";
import { type BrandPageProps, Load, Page, useLoad } from "../frame/page.tsx";
import { LagNote } from "../reporting/lag-note.tsx";
import { logSearch, StepsFunnel } from "../reporting/steps-funnel.tsx";
import { reportingWords } from "../reporting/words-reporting.ts";
import { AttentionList } from "./attention-list.tsx";
import { LatestJourneys } from "./latest-journeys.tsx";
import { Week } from "./week.tsx";
import { overviewWords as say } from "./words-overview.ts";

/** A brand's first page: how far its 1-Clicks got, this week beside last, and what needs attention. */
export function OverviewScreen({ brand, environment }: BrandPageProps) {
  const params = { brand: brand.uuid, environment };
  const { state } = useLoad(() => api.readOverview({ params }), [brand.uuid, environment]);
  const base = `/brands/${brand.uuid}/${environment}`;
  const isNew = brand.lastUsedAt === null;
  return (
    <Page
      name="overview"
      title={say.title}
      lead={isNew ? say.leadNew : say.lead}
      aside={isNew ? null : <Link to={`${base}/analytics`}>{say.analytics}</Link>}
    >
      <LagNote />
      <Load of={state}>
        {(overview) => (
          <div class="overview">
            {isNew ? <FirstSteps base={base} /> : <Figures overview={overview} base={base} />}
            {isNew && overview.attention.length === 0 ? null : <AttentionList {...overview} base={base} />}
            {isNew ? null : <LatestJourneys {...{ params, base }} now={overview.now} />}
          </div>
        )}
      </Load>
    </Page>
  );
}

type Props = { overview: Overview; base: string };

function Figures({ overview, base }: Props) {
  const { funnel, from, now, calls, signup, verifications, health } = overview;
  const isQuiet = [calls, signup, verifications, health].every((one) => one.now.all + one.before.all === 0);
  if (isQuiet)
    return (
      <Empty title={say.quiet} text={say.quietLead}>
        <Link to={`${base}/analytics?range=quarter`} class="button">
          {reportingWords.analytics.showLongest}
        </Link>
      </Empty>
    );
  return (
    <>
      <section class="panel main-funnel" aria-labelledby="funnel">
        <div class="panel-head">
          <h2 id="funnel">{reportingWords.funnel.title}</h2>
        </div>
        {funnel.asked === 0 ? (
          <p class="quiet">
            {say.noSignups} {say.noSignupsLead}
          </p>
        ) : (
          <StepsFunnel funnel={funnel} logOf={logSearch(`${base}/log`, { from, to: now + 1 })} />
        )}
      </section>
      <Week overview={overview} base={base} />
    </>
  );
}

/** What a brand without calls does first. */
function FirstSteps({ base }: Pick<Props, "base">) {
  const { title, steps, action, people } = say.first;
  return (
    <section class="panel first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">{title}</h2>
      <ol>
        {steps.map((step) => (
          <li key={step.title}>
            <p>{step.title}</p>
            <p class="quiet">{step.says}</p>
          </li>
        ))}
      </ol>
      <div class="row-actions">
        <Link to={`${base}/start`} class="button main">
          {action}
        </Link>
        <span class="quiet">{people}</span>
      </div>
    </section>
  );
}
