import { type Approval, approvals } from "@countersign/contract/brand";
import type { ConsoleBrandPage, ConsoleMode } from "@countersign/contract/console-customers";
import { mayOperateAs } from "@countersign/contract/operator-role";
import { ChevronLeft } from "lucide";
import { useState } from "preact/hooks";
import { approvalWords } from "../dashboard/brand/words-approvals.ts";
import { Button } from "../dashboard/controls/button.tsx";
import { Ago, Day, Time } from "../dashboard/controls/controls.tsx";
import { CopyValue } from "../dashboard/controls/copy.tsx";
import { Pairs } from "../dashboard/controls/pairs.tsx";
import { Section } from "../dashboard/controls/section.tsx";
import { figure, Table } from "../dashboard/controls/table.tsx";
import { Link } from "../dashboard/frame/navigation.tsx";
import { Load, Page, useLoad } from "../dashboard/frame/page.tsx";
import { words } from "../dashboard/words.ts";
import { Icon } from "../ui/icon.tsx";
import { api } from "./api.ts";
import { LinesOfBrand } from "./audit-lines.tsx";
import { StateTags, WeekBars } from "./customers.tsx";
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
            {loaded.environments.map((at) => (
              <InOne key={at.environment} brand={loaded} at={at} onDone={mayAct ? () => void reload() : null} />
            ))}
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
        <Tile title={say.webhooks} value={countOf(at.webhooks)} isBad={at.failingWebhooks > 0}>
          {at.failingSince === null ? (
            say.keys(at.keys)
          ) : (
            <>
              {say.failingWebhooks(at.failingWebhooks)}, {say.since} <Ago at={at.failingSince} now={at.now} />
            </>
          )}
        </Tile>
      </dl>
      <div class="beside-each-other">
        <Limits brand={brand} at={at} onDone={onDone} />
        <AddOns brand={brand} at={at} onDone={onDone} />
      </div>
      {at.errors.length === 0 ? null : <Errors at={at} />}
    </section>
  );
}

function Errors({ at: { environment, errors } }: { at: InEnvironment }) {
  const title = say.errors(all.environments[environment]);
  return (
    <>
      <h3>{say.errorsTitle}</h3>
      <Table class="dense figures" label={title} columns={[say.code, figure(say.calls)]}>
        {errors.map(({ code, calls }) => (
          <tr key={code}>
            <th scope="row">
              <code>{code}</code>
            </th>
            <td class="figure">{countOf(calls)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

const modes: readonly ConsoleMode[] = ["active", "readOnly", "stopped"];

/** The three states of a brand with what each means. The button of another state asks for a reason. */
function Limits({ brand, at, onDone }: Target & { onDone: OnDone }) {
  const [asked, setAsked] = useState<ConsoleMode | null>(null);
  const { environment } = at;
  const where = all.environments[environment];
  return (
    <div class="panel">
      <h3>{say.limits}</h3>
      <ul class="options">
        {modes.map((mode) => (
          <li key={mode} class={mode === at.mode ? "current" : undefined}>
            <span>
              <strong>{say.modes[mode]}</strong> <span class="quiet">{say.modeSays[mode]}</span>
            </span>
            {mode === at.mode ? (
              <span class={mode === "active" ? "tag good" : "tag bad"}>{say.now}</span>
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
  const granted = asked !== null && !at.approvals.includes(asked);
  const of = asked === null ? null : approvalWords.names[asked];
  return (
    <div class="panel">
      <h3>{say.addOns}</h3>
      <ul class="options">
        {approvals.map((approval) => {
          const has = at.approvals.includes(approval);
          const { name, says } = approvalWords.names[approval];
          return (
            <li key={approval} class={has ? "current" : undefined}>
              <span>
                <strong>{name}</strong> <span class="quiet">{says}</span>
              </span>
              {onDone === null ? (
                <span class={has ? "tag good" : "tag"}>{has ? say.has : say.hasNot}</span>
              ) : (
                <Button
                  label={has ? say.revoke : say.grant}
                  subject={name}
                  look={has ? "small danger" : "small"}
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
