import type { Environment } from "@countersign/contract/brand";
import type { AttemptMark, WebhookLine } from "@countersign/contract/dashboard-webhooks";
import { maskedAddress } from "@countersign/contract/masked-address";
import { Ellipsis, Plus } from "lucide";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Empty, Notice, Time, TroubleNotice } from "../controls/controls.tsx";
import { ShownOnce } from "../controls/copy.tsx";
import { Menu } from "../controls/menu.tsx";
import { Link, withQuery } from "../frame/navigation.tsx";
import { type BrandPageProps, isEmpty, Load, may, Page, useAction, useLoad, viewOnlyFor } from "../frame/page.tsx";
import { usePolling } from "../frame/use-polling.ts";
import { Slashes } from "../reporting/route.tsx";
import { AttemptStrip } from "./attempt-strip.tsx";
import { EventCatalog } from "./event-catalog.tsx";
import { TestResult } from "./test-result.tsx";
import { type Done, WebhookDialog, type WebhookDoing } from "./webhook-dialog.tsx";
import { webhookWords as say } from "./words-webhooks.ts";

/** Polling interval in milliseconds. The webhook's state is saved a moment after the answer. */
const listEveryMs = 500;
const listPollsMax = 10;

/** A test event, and its webhook. */
type Tested = { webhook: string; delivery: string };

/** A brand's webhooks and their state. */
export function WebhooksScreen({ me, brand, environment }: BrandPageProps) {
  const params = { brand: brand.uuid, environment };
  const { state, marks, reload } = useWebhooks(params);
  const [doing, setDoing] = useState<WebhookDoing | null>(null);
  const [done, setDone] = useState<Done>({});
  const [test, setTest] = useState<Tested | null>(null);
  const answered = useAnswered({ test, webhooks: state.kind === "ok" ? state.value.data : [], reload });
  const action = useAction();
  const mayChange = may(me, "developer");
  const to = (path: string) => `/brands/${brand.uuid}/${environment}/webhooks/${path}`;
  const finish = (outcome: Done) => {
    setDoing(null);
    setDone(outcome);
    void reload();
  };
  const act = (kind: Act, webhook: WebhookLine) => {
    const ofWebhook = { ...params, webhook: webhook.uuid };
    setTest(null);
    if (kind === "test")
      return void action.run(
        () => api.testWebhook({ params: ofWebhook }),
        ({ delivery }) => setTest({ webhook: webhook.uuid, delivery }),
      );
    if (kind === "on")
      return void action.run(
        () => api.patchWebhook({ params: ofWebhook, body: { enabled: true } }),
        // Reload only, so that a dialog that was opened in the meantime stays open.
        () => void reload(),
      );
    setDoing({ kind, webhook });
  };
  const create = mayChange ? (
    <Button icon={Plus} label={say.create} look="main" onClick={() => setDoing({ kind: "create" })} />
  ) : null;
  return (
    <Page
      name="webhooks"
      title={say.title}
      lead={say.lead}
      viewOnly={viewOnlyFor(me)}
      aside={isEmpty(state) ? null : create}
    >
      <TroubleNotice trouble={action.trouble} />
      {done.previousSecretUntil === undefined ? null : (
        <Notice kind="good">
          {say.rotated} <Time at={done.previousSecretUntil} />.
        </Notice>
      )}
      <Load of={state}>
        {({ data }) => (
          <>
            {data.map((webhook) =>
              webhook.needsAttention ? <Attention key={webhook.uuid} url={maskedAddress(webhook.url)} /> : null,
            )}
            {data.length === 0 ? (
              <Empty title={say.none} text={say.noneLead}>
                {create}
              </Empty>
            ) : (
              <Webhooks {...{ data, params, marks }} onDo={mayChange ? act : null}>
                {(uuid) =>
                  test?.webhook === uuid ? (
                    <TestResult
                      key={test.delivery}
                      params={{ ...params, delivery: test.delivery }}
                      to={to(`deliveries/${test.delivery}`)}
                      mayChange={mayChange}
                      onAnswer={answered.tell}
                      onClose={() => setTest(null)}
                    />
                  ) : null
                }
              </Webhooks>
            )}
            <p class="after">
              <Link to={to("deliveries")}>{say.allDeliveries}</Link>
            </p>
            <EventCatalog />
          </>
        )}
      </Load>
      {doing === null ? null : (
        <WebhookDialog doing={doing} params={params} onDone={finish} onClose={() => setDoing(null)} />
      )}
      {done.secret === undefined ? null : (
        <ShownOnce
          title={say.secretTitle}
          secret={done.secret}
          onClose={() => setDone(({ secret: _secret, ...rest }) => rest)}
        />
      )}
    </Page>
  );
}

/** The webhooks, and the last attempts of each. */
function useWebhooks(params: Params) {
  const { brand, environment } = params;
  const list = useLoad(() => api.listWebhooks({ params }), [brand, environment]);
  const attempts = useLoad(() => api.listWebhookAttempts({ params }), [brand, environment]);
  const found = attempts.state.kind === "ok" ? attempts.state.value.data : [];
  return {
    state: list.state,
    marks: new Map(found.map((one) => [one.webhook, one.attempts])),
    async reload() {
      await Promise.all([list.reload(), attempts.reload()]);
    },
  };
}

function Attention({ url }: { url: string }) {
  return (
    <Notice kind="bad">
      <p>
        <strong>{say.attention(url)}</strong>
      </p>
      <p>{say.attentionLead}</p>
    </Notice>
  );
}

type AnsweredProps = { test: Tested | null; webhooks: readonly WebhookLine[]; reload(): Promise<void> };

/** Polls the list until it shows the effect of a test event's answer. */
function useAnswered({ test, webhooks, reload }: AnsweredProps) {
  const [answer, setAnswer] = useState<(Tested & { isAcknowledged: boolean }) | null>(null);
  const webhook = webhooks.find(({ uuid }) => uuid === answer?.webhook);
  const isBehind =
    answer !== null && webhook !== undefined && answer.isAcknowledged !== (webhook.failingSince === null);
  usePolling(reload, { everyMs: listEveryMs, max: listPollsMax, isOn: isBehind, of: answer?.delivery });
  return {
    tell(isAcknowledged: boolean) {
      if (test === null) return;
      setAnswer({ ...test, isAcknowledged });
      void reload();
    },
  };
}

type Act = "edit" | "test" | "rotate" | "off" | "on" | "delete";
type Params = { brand: string; environment: Environment };
type RowsProps = {
  data: readonly WebhookLine[];
  params: Params;
  /** The last attempts of each webhook. */
  marks: ReadonlyMap<string, readonly AttemptMark[]>;
  onDo: ((kind: Act, webhook: WebhookLine) => void) | null;
  /** The content at the end of a webhook's row. */
  children(uuid: string): ComponentChildren;
};

function Webhooks({ data, params, marks, onDo, children }: RowsProps) {
  const deliveries = `/brands/${params.brand}/${params.environment}/webhooks/deliveries`;
  return (
    <ul class="lines webhooks">
      {data.map((webhook) => (
        <li key={webhook.uuid}>
          <div class="grow">
            <State {...{ deliveries, webhook }} marks={marks.get(webhook.uuid) ?? []} />
            <p class="quiet">
              {webhook.events.map((event) => event.replace("1-click.", "")).join(", ")} · {say.signedIn}:{" "}
              {say.authentications[webhook.authentication]}
              {webhook.previousSecretUntil === null ? null : (
                <>
                  {" · "}
                  {say.twoSecrets} <Time at={webhook.previousSecretUntil} />
                </>
              )}
            </p>
            <AttemptStrip marks={marks.get(webhook.uuid) ?? []} base={deliveries} />
          </div>
          <div class="row-actions">
            <Link to={withQuery(deliveries, { webhook: webhook.uuid })} class="button small">
              {say.deliveries}
              <span class="hidden"> {maskedAddress(webhook.url)}</span>
            </Link>
            {onDo === null ? null : <Actions webhook={webhook} onDo={onDo} />}
          </div>
          {children(webhook.uuid)}
        </li>
      ))}
    </ul>
  );
}

type StateProps = { webhook: WebhookLine; marks: readonly AttemptMark[]; deliveries: string };

/** One success does not show that a receiver works again. So many of the last attempts decide. */
const steadyAttempts = 10;

/** A webhook's URL, whether it is on, and how its last attempts went. */
function State(props: StateProps) {
  const { webhook, marks } = props;
  if (webhook.disabledAt !== null) return <Head webhook={webhook} label={say.off} />;
  if (webhook.failingSince !== null) return <Failing {...props} />;
  const last = marks.filter(({ result }) => result !== "waiting").slice(-steadyAttempts);
  const failed = last.filter(({ result }) => result === "failed").length;
  if (failed === 0) return <Head webhook={webhook} label={say.on} tone="good" />;
  return (
    <>
      <Head webhook={webhook} label={say.recovering} tone="warn" />
      <p class="webhook-state">{say.failedOf(failed, last.length)}</p>
    </>
  );
}

/** A webhook's URL and its state. */
function Head({ webhook, label, tone = "" }: Pick<StateProps, "webhook"> & { label: string; tone?: string }) {
  return (
    <p class="webhook-head">
      <code>
        <Slashes text={maskedAddress(webhook.url)} />
      </code>{" "}
      <span class={`tag ${tone}`}>{label}</span>
    </p>
  );
}

/** Since when a webhook has been failing, and its latest attempt that was not acknowledged. */
function Failing({ webhook, marks, deliveries }: StateProps) {
  const { failingSince } = webhook;
  const last = marks.findLast(({ result }) => result === "failed");
  return (
    <>
      <Head webhook={webhook} label={say.failing} tone="bad" />
      <p class="webhook-state">
        {say.since} <Time at={failingSince} />
      </p>
      {last === undefined ? null : (
        <p class="webhook-state">
          <Link to={`${deliveries}/${last.delivery}`}>{say.lastError(last.answer ?? "")}</Link>
          {last.at === failingSince ? null : (
            <>
              {" "}
              {say.lastErrorAt} <Time at={last.at} />
            </>
          )}
        </p>
      )}
    </>
  );
}

function Actions({ webhook, onDo }: { webhook: WebhookLine; onDo: NonNullable<RowsProps["onDo"]> }) {
  const isOn = webhook.disabledAt === null;
  const shown: readonly Act[] = isOn ? ["test", "edit"] : ["on", "edit"];
  const more: readonly Act[] = isOn ? ["rotate", "off", "delete"] : ["delete"];
  const action = (kind: Act) => ({
    label: say.do[kind],
    subject: maskedAddress(webhook.url),
    onClick: () => onDo(kind, webhook),
  });
  return (
    <>
      {shown.map((kind) => (
        <Button key={kind} look="small" {...action(kind)} />
      ))}
      <Menu icon={Ellipsis} label={say.more(maskedAddress(webhook.url))} items={more.map(action)} />
    </>
  );
}
