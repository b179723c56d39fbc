import type { WaitingChange, WaitingProduction } from "@countersign/contract/console-approvals";
import { checklist } from "@countersign/contract/dashboard-choices";
import { mayOperateAs } from "@countersign/contract/operator-role";
import { ArrowRight, Check, CircleAlert, CircleCheck } from "lucide";
import { useState } from "preact/hooks";
import { approvalWords } from "../dashboard/brand/words-approvals.ts";
import { Button } from "../dashboard/controls/button.tsx";
import { Ago, Notice } from "../dashboard/controls/controls.tsx";
import { Fold } from "../dashboard/controls/fold.tsx";
import { Pairs } from "../dashboard/controls/pairs.tsx";
import { Section } from "../dashboard/controls/section.tsx";
import { Table } from "../dashboard/controls/table.tsx";
import { Link } from "../dashboard/frame/navigation.tsx";
import { Load, Page, useLoad } from "../dashboard/frame/page.tsx";
import { settingInSection, settingText } from "../dashboard/settings/setting-texts.ts";
import { words } from "../dashboard/words.ts";
import { Icon, type IconNode } from "../ui/icon.tsx";
import { api } from "./api.ts";
import { Calm } from "./calm.tsx";
import { ReasonDialog } from "./reason-dialog.tsx";
import type { ScreenProps } from "./screen-props.ts";
import { say as all } from "./words.ts";

const say = all.approvals;

/** What brands ask for, and the operator's answers. */
export function ApprovalsScreen({ me, reloadMe }: ScreenProps) {
  const { state, reload } = useLoad(() => api.listWaiting(), []);
  const mayAnswer = mayOperateAs(me.operator.role, "operator");
  const onDone = mayAnswer
    ? () => {
        void reload();
        void reloadMe();
      }
    : null;
  return (
    <Page name="approvals" title={say.title} lead={say.lead} viewOnly={mayAnswer ? undefined : all.supportOnly}>
      <Load of={state}>
        {({ production, names, now }) =>
          production.length + names.length === 0 ? (
            <Calm title={say.none} text={say.noneLead} />
          ) : (
            <>
              {production.length === 0 ? null : (
                <Section id="production" title={say.productionCount(production.length)}>
                  {production.map((request) => (
                    <Production key={request.brand} request={request} now={now} onDone={onDone} />
                  ))}
                </Section>
              )}
              {names.length === 0 ? null : (
                <Section id="names" title={say.namesCount(names.length)}>
                  {names.map((request) => (
                    <Name key={request.request} request={request} now={now} onDone={onDone} />
                  ))}
                </Section>
              )}
            </>
          )
        }
      </Load>
    </Page>
  );
}

type OnDone = (() => void) | null;

/** A value of a setting as its page shows it. A long one is cut, and is then no JSON. */
function shownValue(path: string, json: string | undefined): string {
  if (json === undefined) return words.none;
  try {
    return settingText(path, JSON.parse(json));
  } catch {
    return json;
  }
}
const saysOf = (id: string) => checklist.find((one) => one.id === id)?.says ?? id;
const typeNames: Readonly<Record<string, { name: string }>> = words.types;

function Production({ request, now, onDone }: { request: WaitingProduction; now: number; onDone: OnDone }) {
  const { brand, name, customerName, externalName, integrationType, note, at, changes, approvals } = request;
  const addOns = approvals.filter((one) => one !== "production").map((one) => approvalWords.names[one].name);
  const answer = (granted: boolean) => (reason: string) =>
    api.answerProduction({ params: { brand }, body: { granted, reason } });
  return (
    <article class="case" aria-label={name}>
      <CardHead title={name} customer={customerName} brand={brand} at={at} now={now} />
      <div class="case-parts">
        <div>
          <Pairs
            of={[
              [say.peopleRead, externalName ?? words.none],
              [say.type, typeNames[integrationType ?? ""]?.name ?? words.none],
              [say.addOns, addOns.length === 0 ? say.nothing : addOns.join(", ")],
            ]}
          />
          <h4>{say.note}</h4>
          {note === "" ? <p class="quiet">{say.noNote}</p> : <blockquote>{note}</blockquote>}
          <h4>{say.diffTitle}</h4>
          {changes.length === 0 ? (
            <p class="quiet">{say.noDiff}</p>
          ) : (
            <Fold title={say.diff(changes.length)}>
              <Table class="dense blocks" columns={[say.setting, say.sandbox, say.asRequested]}>
                {changes.map(({ path, from, to }) => (
                  <tr key={path}>
                    <th scope="row">{settingInSection(path)}</th>
                    <td>
                      <span class="block-label">{say.sandbox}: </span>
                      <del>{shownValue(path, from)}</del>
                    </td>
                    <td>
                      <span class="block-label">{say.asRequested}: </span>
                      <ins>{shownValue(path, to)}</ins>
                    </td>
                  </tr>
                ))}
              </Table>
            </Fold>
          )}
        </div>
        <div>
          <Checks title={say.open} icon={CircleAlert} look="open" ids={request.notDone} />
          <Checks title={say.done} icon={CircleCheck} look="done" ids={request.checked} />
          {request.confirmed.length === 0 ? null : (
            <Fold title={say.confirmedCount(request.confirmed.length)}>
              <Checks icon={Check} look="" ids={request.confirmed} />
            </Fold>
          )}
        </div>
      </div>
      {onDone === null ? null : (
        <Answers
          yes={{ label: say.grant, title: say.grantTitle(name), text: say.grantText, ask: answer(true) }}
          no={{ label: say.refuse, title: say.refuseTitle(name), text: say.refuseText, ask: answer(false) }}
          subject={name}
          onDone={onDone}
        />
      )}
    </article>
  );
}

const settingNames: Readonly<Record<string, string>> = say.settingNames;

function Name({ request, now, onDone }: { request: WaitingChange; now: number; onDone: OnDone }) {
  const { customerName, environment, path, isLogo, current, requested, escaped, at } = request;
  const title = isLogo ? say.logo : requested;
  const setting = environment === null ? say.ofAccount : (settingNames[path] ?? path);
  const answer = (approved: boolean) => (reason: string) =>
    api.answerName({ params: { request: request.request }, body: { approved, reason } });
  return (
    <article class="case" aria-label={title}>
      <CardHead title={title} customer={customerName} brand={request.brand} at={at} now={now} />
      <p class="quiet">
        {setting}
        {environment === null ? null : `, ${all.environments[environment]}`}
      </p>
      {isLogo ? null : (
        <div class="before-after">
          <p>
            <span class="quiet">{say.current}</span>
            <bdi>{current ?? words.none}</bdi>
          </p>
          <Icon node={ArrowRight} />
          <p>
            <span class="quiet">{say.requested}</span>
            <bdi>{requested}</bdi>
            {escaped === requested ? null : (
              <span class="code-points">
                {say.codePoints} <code>{escaped}</code>
              </span>
            )}
          </p>
        </div>
      )}
      {isLogo ? null : <LookAlikes of={request} />}
      {isLogo ? <Logo request={request.request} url={requested} /> : null}
      {onDone === null ? null : (
        <Answers
          yes={{ label: say.approve, title: say.approveTitle(title), text: say.approveText, ask: answer(true) }}
          no={{ label: say.reject, title: say.rejectTitle(title), text: say.rejectText, ask: answer(false) }}
          subject={title}
          onDone={onDone}
        />
      )}
    </article>
  );
}

/** The picture of a logo that waits. One at another site is not loaded, because the site would learn of the visit. */
function Logo({ request, url }: { request: string; url: string }) {
  const [isLost, setLost] = useState(false);
  return isLost ? (
    <Notice>
      <p>{say.logoElsewhere}</p>
      <code>{url}</code>
    </Notice>
  ) : (
    <img class="waiting-logo" src={`/api/console/logos/${request}`} alt={say.logo} onError={() => setLost(true)} />
  );
}

type HeadProps = { title: string; customer: string; brand: string | null; at: string; now: number };

function CardHead({ title, customer, brand, at, now }: HeadProps) {
  return (
    <header class="case-head">
      <h3>{title}</h3>
      <p class="quiet">
        {brand === null ? customer : <Link to={`/brands/${brand}`}>{customer}</Link>} · {say.waits}{" "}
        <Ago at={Date.parse(at)} now={now} />
      </p>
    </header>
  );
}

/** Why people could confuse the requested name: names of other customers that look like it, and mixed letters. */
function LookAlikes({ of: { lookAlikes, mixesScripts } }: { of: WaitingChange }) {
  if (lookAlikes.length === 0 && !mixesScripts)
    return (
      <p class="quiet">
        <Icon node={CircleCheck} /> {say.noLookAlike}
      </p>
    );
  return (
    <Notice kind="bad">
      {mixesScripts ? (
        <p>
          <strong>{say.mixedScripts}</strong> {say.mixedScriptsSay}
        </p>
      ) : null}
      {lookAlikes.length === 0 ? null : (
        <>
          <p>
            <strong>{say.lookAlike}</strong>
          </p>
          <ul>
            {lookAlikes.map((one) => (
              <li key={`${one.name} ${one.customerName}`}>
                {say.lookAlikeOf(one.name, one.customerName)}
                {one.waits ? say.lookAlikeWaits : null}
              </li>
            ))}
          </ul>
        </>
      )}
    </Notice>
  );
}

type ChecksProps = { title?: string; icon: IconNode; look: string; ids: readonly string[] };

/** Items of the checklist in the same state. */
function Checks({ title, icon, look, ids }: ChecksProps) {
  if (ids.length === 0) return null;
  return (
    <>
      {title === undefined ? null : <h4>{title}</h4>}
      <ul class={`checks ${look}`}>
        {ids.map((id) => (
          <li key={id}>
            <Icon node={icon} /> <span>{saysOf(id)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

type Answer = { label: string; title: string; text: string; ask(reason: string): ReturnType<typeof api.answerName> };
type AnswersProps = { yes: Answer; no: Answer; subject: string; onDone(): void };

function Answers({ yes, no, subject, onDone }: AnswersProps) {
  const [asked, setAsked] = useState<Answer | null>(null);
  return (
    <div class="row-actions">
      <Button label={yes.label} subject={subject} look="main" onClick={() => setAsked(yes)} />
      <Button label={no.label} subject={subject} look="danger" onClick={() => setAsked(no)} />
      {asked === null ? null : (
        <ReasonDialog
          title={asked.title}
          text={asked.text}
          action={asked.label}
          isDanger={asked.label === no.label}
          brandReads
          ask={asked.ask}
          onDone={onDone}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}
