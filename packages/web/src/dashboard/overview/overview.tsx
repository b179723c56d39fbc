import { checklist } from "@countersign/contract/dashboard-choices";
import type { Overview } from "@countersign/contract/dashboard-reporting";
import { api } from "../api.ts";
import { Stages } from "../brand/stages.tsx";
import { Bones } from "../controls/bones.tsx";
import { Empty } from "../controls/controls.tsx";
import { Link } from "../frame/navigation.tsx";
import { type BrandPageProps, Load, Page, useLoad } from "../frame/page.tsx";
import { LagNote } from "../reporting/lag-note.tsx";
import { StepsFunnel } from "../reporting/steps-funnel.tsx";
import { reportingWords } from "../reporting/words-reporting.ts";
import { FirstCall } from "../start/first-call.tsx";
import { PeopleTable } from "../start/test-people.tsx";
import { AttentionList } from "./attention-list.tsx";
import { LatestJourneys } from "./latest-journeys.tsx";
import { Week } from "./week.tsx";
import { overviewWords as say } from "./words-overview.ts";

/** A brand's first page: how far its 1-Clicks got, this week beside last, and what needs attention. */
export function OverviewScreen({ me, brand, environment }: BrandPageProps) {
  const params = { brand: brand.uuid, environment };
  const { state } = useLoad(() => api.readOverview({ params }), [brand.uuid, environment]);
  const base = `/brands/${brand.uuid}/${environment}`;
  const isNew = brand.lastUsedAt === null;
  const isApproved = brand.environments.find((one) => one.environment === environment)?.isApproved === true;
  return (
    <Page
      name="overview"
      title={say.title}
      lead={isNew ? say.leadNew : say.lead}
      aside={isNew ? null : <Link to={`${base}/analytics`}>{say.analytics}</Link>}
    >
      <LagNote />
      <Load of={state} bones={<Bones of={["panel", "tiles", "cards"]} />}>
        {(overview) => (
          <div class="overview">
            {environment === "production" && !isApproved && isQuiet(overview) ? (
              <ToProduction {...{ params, base }} />
            ) : isNew ? (
              <FirstSteps {...{ me, brand, environment, base }} />
            ) : (
              <Figures overview={overview} base={base} />
            )}
            {isNew && overview.attention.length === 0 ? null : <AttentionList {...overview} base={base} />}
            {isNew ? null : <LatestJourneys {...{ params, base }} now={overview.now} />}
          </div>
        )}
      </Load>
    </Page>
  );
}

type Props = { overview: Overview; base: string };

function isQuiet({ calls, signup, verifications, health }: Overview): boolean {
  return [calls, signup, verifications, health].every((one) => one.now.all + one.before.all === 0);
}

/** The steps to production, before the operator has approved the brand. */
function ToProduction({ params, base }: Pick<Props, "base"> & Pick<Parameters<typeof api.readApprovals>[0], "params">) {
  const { state } = useLoad(() => api.readApprovals({ params }), [params.brand, params.environment]);
  const { title, complete, see } = say.toProduction;
  return (
    <section class="panel to-production" aria-labelledby="to-production">
      <h2 id="to-production">{title}</h2>
      <Load of={state} bones={<Bones of={["rows"]} />}>
        {({ request, fulfilled, unneeded }) => {
          const needed = checklist.filter(({ id }) => !unneeded.includes(id));
          const done = needed.filter(({ id }) => fulfilled.includes(id)).length;
          const isWaiting = request !== undefined && request.refused === undefined;
          return (
            <>
              <Stages request={request} done={done} of={needed.length} />
              <Link to={`${base}/approvals`} class={isWaiting ? "button" : "button main"}>
                {isWaiting ? see : complete}
              </Link>
            </>
          );
        }}
      </Load>
    </section>
  );
}

function Figures({ overview, base }: Props) {
  const { funnel, from, now } = overview;
  if (isQuiet(overview))
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
          <StepsFunnel funnel={funnel} base={base} period={{ from, to: now + 1 }} />
        )}
      </section>
      <Week overview={overview} base={base} />
    </>
  );
}

/** How many test people the page of a new brand names. */
const peopleMax = 4;

/** What a brand without calls does first. In the sandbox it names test people. */
function FirstSteps({
  me,
  brand,
  environment,
  base,
}: Omit<BrandPageProps, "params" | "reloadMe" | "reloadBrand"> & Pick<Props, "base">) {
  const { title, steps, lastStep, action, people, allPeople } = say.first;
  const apiUrl = me.environments.find((one) => one.environment === environment)?.apiUrl;
  const type = brand.environments.find((one) => one.environment === environment)?.integrationType;
  return (
    <section class="panel first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">{title}</h2>
      <ol>
        {[...steps, lastStep[environment]].map((step) => (
          <li key={step.title}>
            <p>{step.title}</p>
            <p class="quiet">{step.says}</p>
          </li>
        ))}
      </ol>
      {apiUrl === undefined || type === undefined ? null : (
        <FirstCall {...{ type, apiUrl }} params={{ brand: brand.uuid, environment }}>
          {(all) =>
            all.length === 0 ? null : (
              <>
                <h3>{people}</h3>
                <PeopleTable people={all.slice(0, peopleMax)} name={people} />
              </>
            )
          }
        </FirstCall>
      )}
      <div class="row-actions">
        <Link to={`${base}/start`} class="button main">
          {action}
        </Link>
        {environment === "sandbox" ? <span class="quiet">{allPeople}</span> : null}
      </div>
    </section>
  );
}
