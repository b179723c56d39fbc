import type { WaitingChange, WaitingProduction } from "@countersign/contract/console-approvals";
import { checklist } from "@countersign/contract/dashboard-choices";
import { mayOperateAs } from "@countersign/contract/operator-role";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { approvalWords } from "../dashboard/brand/words-approvals.ts";
import { Button } from "../dashboard/controls/button.tsx";
import { Empty, Notice, Time } from "../dashboard/controls/controls.tsx";
import { Fold } from "../dashboard/controls/fold.tsx";
import { Pairs } from "../dashboard/controls/pairs.tsx";
import { Section } from "../dashboard/controls/section.tsx";
import { Table } from "../dashboard/controls/table.tsx";
import { Load, Page, useLoad } from "../dashboard/frame/page.tsx";
import { words } from "../dashboard/words.ts";
import { api } from "./api.ts";
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
        {({ production, names }) =>
          production.length + names.length === 0 ? (
            <Empty title={say.none} text={say.noneLead} />
          ) : (
            <>
              {production.length === 0 ? null : (
                <Section id="production" title={say.production}>
                  {production.map((request) => (
                    <Production key={request.brand} request={request} onDone={onDone} />
                  ))}
                </Section>
              )}
              {names.length === 0 ? null : (
                <Section id="names" title={say.names}>
                  {names.map((request) => (
                    <Name key={request.request} request={request} onDone={onDone} />
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
const saysOf = (id: string) => checklist.find((one) => one.id === id)?.says ?? id;
const typeNames: Readonly<Record<string, { name: string }>> = words.types;

function Production({ request, onDone }: { request: WaitingProduction; onDone: OnDone }) {
  const { brand, name, customerName, externalName, integrationType, note, at, changes, approvals } = request;
  const addOns = approvals.filter((one) => one !== "production").map((one) => approvalWords.names[one].name);
  const answer = (granted: boolean) => (reason: string) =>
    api.answerProduction({ params: { brand }, body: { granted, reason } });
  return (
    <article class="case" aria-label={name}>
      <CardHead title={name} customer={customerName} at={at} />
      <Pairs
        of={[
          [say.peopleRead, externalName ?? words.none],
          [say.type, typeNames[integrationType ?? ""]?.name ?? words.none],
          [say.addOns, addOns.length === 0 ? say.nothing : addOns.join(", ")],
          [say.note, note === "" ? say.nothing : note],
        ]}
      />
      <ul class="checklist checked">
        {request.notDone.map((id) => (
          <Item key={id} tag="warn" word={say.open} says={saysOf(id)} />
        ))}
        {request.checked.map((id) => (
          <Item key={id} tag="good" word={say.done} says={saysOf(id)} />
        ))}
        {request.confirmed.map((id) => (
          <Item key={id} tag="" word={say.confirmed} says={saysOf(id)} />
        ))}
      </ul>
      {changes.length === 0 ? (
        <p class="quiet">{say.noDiff}</p>
      ) : (
        <Fold title={say.diff(changes.length)}>
          <Table class="dense blocks" columns={[say.setting, say.sandbox, say.asRequested]}>
            {changes.map(({ path, from, to }) => (
              <tr key={path}>
                <th scope="row">
                  <code>{path}</code>
                </th>
                <td>
                  <span class="block-label">{say.sandbox}: </span>
                  <del>{from ?? words.none}</del>
                </td>
                <td>
                  <span class="block-label">{say.asRequested}: </span>
                  <ins>{to ?? words.none}</ins>
                </td>
              </tr>
            ))}
          </Table>
        </Fold>
      )}
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

function Name({ request, onDone }: { request: WaitingChange; onDone: OnDone }) {
  const { customerName, environment, path, isLogo, current, requested, escaped, lookAlikes, at } = request;
  const title = isLogo ? say.logo : requested;
  const setting = environment === null ? say.ofAccount : (settingNames[path] ?? path);
  const answer = (approved: boolean) => (reason: string) =>
    api.answerName({ params: { request: request.request }, body: { approved, reason } });
  return (
    <article class="case" aria-label={title}>
      <CardHead title={title} customer={customerName} at={at} />
      <Pairs
        of={[
          [setting, environment === null ? customerName : all.environments[environment]],
          [say.current, isLogo ? null : (current ?? words.none)],
          [say.requested, isLogo ? null : <bdi key={path}>{requested}</bdi>],
          [say.codePoints, escaped === requested ? null : <code key={path}>{escaped}</code>],
          [say.lookAlike, isLogo ? null : lookAlikesOf(lookAlikes)],
        ]}
      />
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

function CardHead({ title, customer, at }: { title: string; customer: string; at: string }) {
  return (
    <header class="case-head">
      <h3>{title}</h3>
      <p class="quiet">
        {customer} · {say.asked} <Time at={Date.parse(at)} />
      </p>
    </header>
  );
}

function lookAlikesOf(names: readonly { name: string; customerName: string }[]): ComponentChildren {
  if (names.length === 0) return say.noLookAlike;
  return names.map((one) => (
    <span key={`${one.name} ${one.customerName}`} class="tag warn">
      {say.lookAlikeOf(one.name, one.customerName)}
    </span>
  ));
}

function Item({ tag, word, says }: { tag: string; word: string; says: string }) {
  return (
    <li>
      <span class={`tag ${tag}`}>{word}</span> <span>{says}</span>
    </li>
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
