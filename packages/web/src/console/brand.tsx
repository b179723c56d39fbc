import { type Approval, approvals } from "@countersign/contract/brand";
import type { ConsoleBrandPage, ConsoleMode } from "@countersign/contract/console-customers";
import { mayOperateAs } from "@countersign/contract/operator-role";
import { BadgeCheck, ChevronLeft } from "lucide";
import { useState } from "preact/hooks";
import { approvalWords } from "../dashboard/brand/words-approvals.ts";
import { Button } from "../dashboard/controls/button.tsx";
import { Ago, Day, Time } from "../dashboard/controls/controls.tsx";
import { CopyValue } from "../dashboard/controls/copy.tsx";
import { Pairs } from "../dashboard/controls/pairs.tsx";
import { Section } from "../dashboard/controls/section.tsx";
import { Segments } from "../dashboard/controls/segments.tsx";
import { Link, putQuery, useQuery } from "../dashboard/frame/navigation.tsx";
import { Load, Page, useLoad } from "../dashboard/frame/page.tsx";
import { words } from "../dashboard/words.ts";
import { Icon } from "../ui/icon.tsx";
import { api } from "./api.ts";
import { LinesOfBrand } from "./audit-lines.tsx";
import { isTroubled, isUnapproved, StateTags, WeekBars } from "./customers.tsx";
import { ReasonDialog } from "./reason-dialog.tsx";
import type { ScreenProps } from "./screen-props.ts";
import { countOf, shareOf, Tile } from "./tile.tsx";
import { say as all } from "./words.ts";
import { customerWords as say } from "./words-customers.ts";

type InEnvironment = ConsoleBrandPage["environments"][number];
type Target = { brand: ConsoleBrandPage; at: InEnvironment };
type OnDone = (() => void) | null;

/** One brand: what it does, what is wrong, and what it may do. */
export function BrandScreen({ me, uuid }: ScreenProps & { uuid: string }) {
  const { state, reload } = useLoad(() => api.lookAtBrand({ params: { brand: uuid } }), [uuid]);
  const mayAct = mayOperateAs(me.operator.role, "operator");
  const brand = state.kind === "ok" ? state.value : null;
  return (
    <Page
      name="brand"
      title={brand?.name ?? say.aBrand}
      lead={
        brand === null ? undefined : (
          <>
            {brand.customer.name} · {say.members(brand.customer.members)}
            {brand.customer.requiresPasskey ? `, ${say.passkeys}` : ""} · {say.since} <Day at={brand.createdAt} />
          </>
        )
      }
      viewOnly={mayAct ? undefined : all.supportOnly}
      aside={
        <Link to="/customers" class="button small">
          <Icon node={ChevronLeft} /> {say.all}
        </Link>
      }
    >
      <Load of={state}>
        {(loaded) => (
          <>
            <Environments brand={loaded} onDone={mayAct ? () => void reload() : null} />
            <Acts brand={loaded} />
            <Section id="ids" title={say.ids}>
              <Pairs
                of={[
                  [say.brandUuid, <CopyValue key="brand" text={loaded.uuid} subject={say.brandUuid} />],
                  [
                    say.customerUuid,
                    <CopyValue key="customer" text={loaded.customer.uuid} subject={say.customerUuid} />,
                  ],
                ]}
              />
            </Section>
          </>
        )}
      </Load>
    </Page>
  );
}

const typeNames: Readonly<Record<string, { name: string }>> = words.types;

/** Says that the brand waits for production, with a link to the request. */
function Asked({ at, mayAnswer }: { at: InEnvironment; mayAnswer: boolean }) {
  return (
    <div class="asked">
      <Icon node={BadgeCheck} />
      <p>
        <strong>
          {say.askedFor}
          {at.askedAt === null ? null : (
            <>
              {" "}
              <Ago at={at.askedAt} now={at.now} />
            </>
          )}
        </strong>{" "}
        <span class="quiet">{say.productionClosed}</span>
      </p>
      <Link to="/approvals" class="button small main">
        {mayAnswer ? say.answer : say.answerSupport}
      </Link>
    </div>
  );
}

/** One environment at a time: the one that the address names, one that waits, or one with something wrong. */
function Environments({ brand, onDone }: { brand: ConsoleBrandPage; onDone: OnDone }) {
  const asked = useQuery().get("environment");
  const { environments } = brand;
  const waiting = environments.find(({ askedAt }) => askedAt !== null);
  const at =
    environments.find((one) => one.environment === asked) ??
    waiting ??
    environments.find(isTroubled) ??
    environments[0];
  if (at === undefined) return null;
  return (
    <>
      {waiting === undefined ? null : <Asked at={waiting} mayAnswer={onDone !== null} />}
      {environments.length < 2 ? null : (
        <div class="brand-choice">
          <Segments
            name="environment"
            label={all.environment}
            value={at.environment}
            choices={environments.map((one) => [one.environment, all.environments[one.environment]] as const)}
            onChange={(environment) => putQuery({ environment })}
          />
        </div>
      )}
      <InOne key={at.environment} brand={brand} at={at} onDone={onDone} />
    </>
  );
}

function InOne({ brand, at, onDone }: Target & { onDone: OnDone }) {
  const name = all.environments[at.environment];
  return (
    <section class="in-one" aria-labelledby={`in-${at.environment}`}>
      <header class="in-one-head">
        <h2 id={`in-${at.environment}`}>{name}</h2> <StateTags at={at} />
        <p class="quiet">
          {typeNames[at.integrationType]?.name ?? at.integrationType} · {say.peopleRead} <b>{at.externalName}</b>
        </p>
      </header>
      <dl class="tiles four">
        <Tile title={say.callsOfWeek} value={countOf(at.calls)} about={say.today(at.days.at(-1) ?? 0)}>
          <WeekBars at={at} failedDays={at.failedDays} />
        </Tile>
        <Tile
          title={say.failedCalls}
          value={at.calls === 0 ? "–" : shareOf(at.failed / at.calls)}
          isBad={at.failed > 0 && at.failed / at.calls > 0.01}
        >
          {at.failed === 0 ? say.noneFailed : say.failedOf(at.failed)}
        </Tile>
        <Tile
          title={say.lastCall}
          value={at.lastCallAt === null ? say.noCall : <Ago at={at.lastCallAt} now={at.now} />}
        >
          {at.lastCallAt === null ? say.inSevenDays : <Time at={at.lastCallAt} />}
        </Tile>
        <Tile
          title={say.webhooks}
          value={say.webhooksOf(at.failingWebhooks, at.webhooks)}
          isBad={at.failingWebhooks > 0}
        >
          {at.failingSince === null ? (
            say.keys(at.keys)
          ) : (
            <>
              {say.failSince(at.failingWebhooks)} <Ago at={at.failingSince} now={at.now} />
            </>
          )}
        </Tile>
      </dl>
      <div class="beside-each-other">
        <div class="column">
          <Limits brand={brand} at={at} onDone={onDone} />
          <Errors at={at} />
        </div>
        <AddOns brand={brand} at={at} onDone={onDone} />
      </div>
    </section>
  );
}

function Errors({ at: { errors } }: { at: InEnvironment }) {
  return (
    <div class="panel">
      <h3>{say.errorsTitle}</h3>
      {errors.length === 0 ? (
        <p class="quiet">{say.noErrors}</p>
      ) : (
        <ul class="allowed">
          {errors.map(({ code, calls }) => (
            <li key={code}>
              <code>{code}</code>
              <span class="figure">{say.callCount(calls)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const modes: readonly ConsoleMode[] = ["active", "readOnly", "stopped"];

/** The three states of a brand with what each means. The button of another state asks for a reason. */
function Limits({ brand, at, onDone }: Target & { onDone: OnDone }) {
  const [asked, setAsked] = useState<ConsoleMode | null>(null);
  const { environment } = at;
  const isClosed = isUnapproved(at);
  const where = all.environments[environment];
  return (
    <div class="panel">
      <h3>{say.limits}</h3>
      <ul class="allowed">
        {modes.map((mode) => (
          <li key={mode} class={mode === at.mode ? "current" : undefined}>
            <span>
              <strong>{say.modes[mode]}</strong>{" "}
              <span class="quiet">{mode === "active" && isClosed ? say.worksOnceGranted : say.modeSays[mode]}</span>
            </span>
            {mode === at.mode ? (
              <span class={isClosed ? "tag" : mode === "active" ? "tag good" : "tag bad"}>{say.now}</span>
            ) : onDone === null ? null : (
              <Button
                label={say.modeActs[mode]}
                subject={`${brand.name}, ${where}`}
                look={mode === "active" ? "small" : "small danger"}
                onClick={() => setAsked(mode)}
              />
            )}
          </li>
        ))}
      </ul>
      {asked === null || onDone === null ? null : (
        <ReasonDialog
          title={say.limitTitle[asked](brand.name, where)}
          text={say.modeSays[asked]}
          action={say.modeActs[asked]}
          isDanger={asked !== "active"}
          brandReads
          ask={(reason) =>
            api.limitBrand({ params: { brand: brand.uuid }, body: { environment, mode: asked, reason } })
          }
          onDone={onDone}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}

/** The approvals of a brand, each with a button that asks for a reason. */
function AddOns({ brand, at, onDone }: Target & { onDone: OnDone }) {
  const [asked, setAsked] = useState<Approval | null>(null);
  const { environment } = at;
  // The sandbox needs no approval for production.
  const shown = approvals.filter((approval) => approval !== "production" || environment === "production");
  const granted = asked !== null && !at.approvals.includes(asked);
  const of = asked === null ? null : approvalWords.names[asked];
  return (
    <div class="panel">
      <h3>{say.addOns[environment]}</h3>
      {environment === "sandbox" ? <p class="quiet">{say.addOnsSay}</p> : null}
      <ul class="allowed">
        {shown.map((approval) => {
          const has = at.approvals.includes(approval);
          const { name, says } = approvalWords.names[approval];
          return (
            <li key={approval} class={has ? "current" : undefined}>
              <span>
                <strong>
                  {name} {has ? <span class="tag good">{say.has}</span> : null}
                </strong>{" "}
                <span class="quiet">{says}</span>
              </span>
              {onDone === null ? (
                <span class="hidden">{has ? say.has : say.hasNot}</span>
              ) : (
                <Button
                  label={has ? say.revoke : say.grant}
                  subject={name}
                  look="small"
                  onClick={() => setAsked(approval)}
                />
              )}
            </li>
          );
        })}
      </ul>
      {asked === null || of === null || onDone === null ? null : (
        <ReasonDialog
          title={granted ? say.grantTitle(of.name, brand.name) : say.revokeTitle(of.name, brand.name)}
          text={of.says}
          action={granted ? say.grant : say.revoke}
          isDanger={!granted}
          brandReads
          ask={(reason) =>
            api.changeAddOn({ params: { brand: brand.uuid }, body: { environment, approval: asked, granted, reason } })
          }
          onDone={onDone}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}

const actsMax = 8;

/** What operators did to the brand, and who looked at it. */
function Acts({ brand }: { brand: ConsoleBrandPage }) {
  const query = { brand: brand.uuid, actor: "operator" } as const;
  // A change of the brand adds an entry.
  const { state } = useLoad(() => api.searchConsoleAudit({ query }), [brand]);
  return (
    <Section id="acts" title={say.acts} lead={say.actsLead}>
      <Load of={state}>{({ data }) => <LinesOfBrand lines={data.slice(0, actsMax)} />}</Load>
      <p class="quiet after">
        <Link to={`/audit?customer=${brand.customer.uuid}`}>{say.allActs}</Link>
      </p>
    </Section>
  );
}
