import type { Environment } from "@countersign/contract/brand";
import type { CarrierTexts, ConsoleTexts } from "@countersign/contract/console-texts";
import { useState } from "preact/hooks";
import { Empty, Notice, Time } from "../dashboard/controls/controls.tsx";
import { Section } from "../dashboard/controls/section.tsx";
import { Segments } from "../dashboard/controls/segments.tsx";
import { figure, Table } from "../dashboard/controls/table.tsx";
import { putQuery, useQuery } from "../dashboard/frame/navigation.tsx";
import { Load, Page, useLoad } from "../dashboard/frame/page.tsx";
import { api } from "./api.ts";
import { LookForm } from "./look-form.tsx";
import type { ScreenProps } from "./screen-props.ts";
import { Spark } from "./spark.tsx";
import { countOf, shareOf, Tile } from "./tile.tsx";
import { say as all } from "./words.ts";
import { textWords as say } from "./words-texts.ts";

type Days = keyof typeof say.ranges;

/** What carriers do with our texts, and whether one number gets none. */
export function TextsScreen({ me }: ScreenProps) {
  const query = useQuery();
  const environment = me.environments.find((one) => one === query.get("environment")) ?? me.environments.at(-1);
  const days: Days = query.get("days") === "30" ? "30" : "7";
  if (environment === undefined) return null;
  const put = (changed: { environment?: Environment; days?: Days }) => putQuery({ environment, days, ...changed });
  return (
    <Page
      name="texts"
      title={say.title}
      lead={say.lead}
      aside={
        <div class="choices">
          {me.environments.length < 2 ? null : (
            <Segments
              name="environment"
              label={all.environment}
              value={environment}
              choices={me.environments.map((one) => [one, all.environments[one]] as const)}
              onChange={(value) => put({ environment: value })}
            />
          )}
          <Segments
            name="days"
            label={say.range}
            value={days}
            choices={[
              ["7", say.ranges["7"]],
              ["30", say.ranges["30"]],
            ]}
            onChange={(value) => put({ days: value })}
          />
        </div>
      }
    >
      <Stop environments={me.environments} />
      <Figures environment={environment} days={days} />
    </Page>
  );
}

function Figures({ environment, days }: { environment: Environment; days: Days }) {
  const { state } = useLoad(() => api.readConsoleTexts({ query: { environment, days } }), [environment, days]);
  return <Load of={state}>{(texts) => <Loaded texts={texts} />}</Load>;
}

const endedOf = ({ delivered, failed }: { delivered: number; failed: number }) => delivered + failed;
const failedShareOf = (one: { delivered: number; failed: number }) =>
  endedOf(one) === 0 ? 0 : one.failed / endedOf(one);

/** Fewer failed texts than this say nothing about a carrier. */
const failedMin = 5;

/** The carriers whose texts fail at least three times as often as those of all others. */
function worseThanOthers(carriers: readonly CarrierTexts[]): CarrierTexts[] {
  return carriers.filter((one) => {
    const others = sumOf(carriers.filter((other) => other !== one));
    return (
      one.carrier !== null &&
      one.failed >= failedMin &&
      endedOf(others) > 0 &&
      failedShareOf(one) >= Math.max(0.1, 3 * failedShareOf(others))
    );
  });
}

function sumOf(counted: readonly { delivered: number; failed: number }[]) {
  return counted.reduce(
    (sum, { delivered, failed }) => ({ delivered: sum.delivered + delivered, failed: sum.failed + failed }),
    { delivered: 0, failed: 0 },
  );
}

/** Each day of the range, of all carriers. */
function daysOfAll(carriers: readonly CarrierTexts[]): CarrierTexts["days"] {
  const [first] = carriers;
  return (first?.days ?? []).map(({ at }, place) => ({
    at,
    ...sumOf(carriers.flatMap(({ days }) => days[place] ?? [])),
  }));
}

function Loaded({ texts: { carriers, routes, stopped, alarms } }: { texts: ConsoleTexts }) {
  const sum = sumOf(carriers);
  const worse = worseThanOthers(carriers);
  const days = daysOfAll(carriers);
  return (
    <>
      <dl class="tiles">
        <Tile title={say.delivered} value={countOf(sum.delivered)}>
          <Spark
            label={say.ended}
            values={days.map(endedOf)}
            bad={days.map(({ failed }) => failed)}
            say={(place) => sayDay(days[place])}
          />
        </Tile>
        <Tile
          title={say.failed}
          value={countOf(sum.failed)}
          isBad={failedShareOf(sum) >= 0.1 && sum.failed >= failedMin}
        >
          {endedOf(sum) === 0 ? say.noneEnded : say.failedOf(shareOf(failedShareOf(sum)))}
        </Tile>
        <Tile title={say.stopped} value={countOf(stopped)}>
          {say.stoppedSays}
        </Tile>
      </dl>
      {worse.map((one) => (
        <Notice key={one.carrier} kind="bad">
          <p>
            <strong>{say.worse(one.carrier ?? say.unknown, shareOf(failedShareOf(one)), endedOf(one))}</strong>
          </p>
          {one.reasons[0] === undefined ? null : <p>{say.worseReason(say.reason(one.reasons[0].reason))}</p>}
        </Notice>
      ))}
      <Section id="carriers" title={say.byCarrier} lead={say.byCarrierLead}>
        {carriers.length === 0 ? (
          <Empty title={say.none} text={say.noneLead} />
        ) : (
          <Table
            class="dense blocks"
            label={say.byCarrier}
            columns={[say.carrier, figure(say.delivered), figure(say.failed), say.why, say.days]}
          >
            {carriers.map((one) => (
              <tr key={one.carrier}>
                <th scope="row">{one.carrier ?? <span class="quiet">{say.unknown}</span>}</th>
                <Delivery of={one} isWorse={worse.includes(one)} />
                <td>
                  <Days days={one.days} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Section>
      {routes.length === 0 ? null : <Routes routes={routes} />}
      <Alarms alarms={alarms} />
    </>
  );
}

type Delivered = Pick<CarrierTexts, "delivered" | "failed" | "reasons">;

/** Two figures and the reasons, in three cells. */
function Delivery({ of, isWorse = false }: { of: Delivered; isWorse?: boolean }) {
  return (
    <>
      <td class="figure">
        <span class="block-label">{say.delivered}: </span>
        {countOf(of.delivered)}
      </td>
      <td class="figure">
        <span class="block-label">{say.failed}: </span>
        {countOf(of.failed)}
        {of.failed === 0 ? null : (
          <>
            {" "}
            <span class={isWorse ? "tag bad" : "tag"}>{shareOf(failedShareOf(of))}</span>
          </>
        )}
      </td>
      <td>
        {of.reasons.length === 0 ? null : (
          <ul class="reasons">
            {of.reasons.map(({ reason, texts }) => (
              <li key={reason}>
                <span class="figure">{countOf(texts)}</span> {say.reason(reason)}{" "}
                {say.reason(reason) === reason ? null : <code>{reason}</code>}
              </li>
            ))}
          </ul>
        )}
      </td>
    </>
  );
}

const date = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: "UTC" });
const sayDay = (day: CarrierTexts["days"][number] | undefined) =>
  day === undefined ? "" : say.day(date.format(day.at), day.delivered, day.failed);

/** One bar per day. The failed part is dark. */
function Days({ days }: Pick<CarrierTexts, "days">) {
  const ended = days.filter((one) => endedOf(one) > 0);
  return (
    <Spark
      label={ended.map(sayDay).join("; ")}
      values={days.map(endedOf)}
      bad={days.map(({ failed }) => failed)}
      say={(place) => sayDay(days[place])}
    />
  );
}

const routeNames: Readonly<Record<string, string>> = say.routes;

function Routes({ routes }: Pick<ConsoleTexts, "routes">) {
  return (
    <Section id="routes" title={say.byRoute}>
      <Table
        class="dense blocks"
        label={say.byRoute}
        columns={[say.route, figure(say.accepted), figure(say.delivered), figure(say.failed), say.why]}
      >
        {routes.map((one) => (
          <tr key={one.route}>
            <th scope="row">{routeNames[one.route] ?? one.route}</th>
            <td class="figure">
              <span class="block-label">{say.accepted}: </span>
              {countOf(one.accepted)}
            </td>
            <Delivery of={one} />
          </tr>
        ))}
      </Table>
    </Section>
  );
}

function Alarms({ alarms }: Pick<ConsoleTexts, "alarms">) {
  return (
    <Section id="alarms" title={say.alarms} lead={say.alarmsLead}>
      {alarms.length === 0 ? (
        <p class="quiet">{say.noAlarms}</p>
      ) : (
        <Table
          class="dense blocks"
          label={say.alarms}
          columns={[say.raised, say.kind, figure(say.sent), figure(say.answered)]}
        >
          {alarms.map(({ kind, brandName, raisedAt, sent, verified }) => (
            <tr key={`${kind} ${raisedAt} ${sent} ${brandName}`}>
              <td>
                <Time at={raisedAt} />
              </td>
              <td>
                {say.kinds[kind]}
                {brandName === null ? null : <p class="quiet">{brandName}</p>}
              </td>
              <td class="figure">
                <span class="block-label">{say.sent}: </span>
                {countOf(sent)}
              </td>
              <td class="figure">
                <span class="block-label">{say.answered}: </span>
                {countOf(verified)}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

type Answer = { isStopped: boolean; at: number | null };

/** Looks up the opt-out of one number. */
function Stop({ environments }: { environments: readonly Environment[] }) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  return (
    <Section id="stop" title={say.stop} lead={say.stopLead}>
      {answer === null ? null : (
        <div role="status" class={answer.isStopped ? "has-stopped" : undefined}>
          <Notice kind={answer.isStopped ? "info" : "good"}>
            <p>
              <strong>{answer.isStopped ? say.isStopped : say.isNotStopped}</strong>
              {answer.at === null ? null : (
                <>
                  {" "}
                  <span class="quiet">
                    {say.since} <Time at={answer.at} />
                  </span>
                </>
              )}
            </p>
            <p>{answer.isStopped ? say.isStoppedLead : say.isNotStoppedLead}</p>
          </Notice>
        </div>
      )}
      <div class="form-beside">
        <LookForm
          environments={environments}
          words={say}
          ask={(body) => {
            setAnswer(null);
            return api.lookAtStop({ body });
          }}
          onAnswer={setAnswer}
        />
        <section class="before-look" aria-labelledby="causes">
          <h2 id="causes">{say.causes}</h2>
          <ol>
            {say.causeTexts.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ol>
        </section>
      </div>
    </Section>
  );
}
