import type { Environment } from "@countersign/contract/brand";
import type { DeliveryLine, DeliveryView } from "@countersign/contract/dashboard-webhooks";
import { RefreshCw, Send } from "lucide";
import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Notice, Time, TroubleNotice } from "../controls/controls.tsx";
import { CopyBlock, CopyValue } from "../controls/copy.tsx";
import { type Pair, Pairs } from "../controls/pairs.tsx";
import { Table } from "../controls/table.tsx";
import { Link } from "../frame/navigation.tsx";
import { type BrandPageProps, Load, may, Page, useAction, useLoad } from "../frame/page.tsx";
import { usePolling } from "../frame/use-polling.ts";
import { Slashes } from "../reporting/route.tsx";
import { hasResult, resultPolling } from "./attempt-result.ts";
import { maySendAgain, receiverOf, StatusTag } from "./deliveries.tsx";
import { deliveryWords as say } from "./words-webhooks.ts";

/** The body as it is sent, and the texts of the answers. */
type Revealed = { body: string; answers: readonly { at: number; text: string }[] };

type Params = { brand: string; environment: Environment; delivery: string };

/** One delivery to one receiver: every attempt, and the body. */
export function DeliveryScreen({ me, brand, environment, params: { delivery = "" } }: BrandPageProps) {
  const params = { brand: brand.uuid, environment, delivery };
  const { state, reload } = useLoad(() => api.readWebhookDelivery({ params }), [brand.uuid, environment, delivery]);
  /** How many attempts there were before "Send again". */
  const [earlier, setEarlier] = useState<number | null>(null);
  const isWaiting = state.kind === "ok" && earlier !== null && !hasResult(state.value.delivery, earlier);
  usePolling(reload, { ...resultPolling, isOn: isWaiting });
  const action = useAction();
  const mayChange = may(me, "developer");
  const replay = ({ attempts }: DeliveryLine) =>
    void action.run(
      () => api.replayWebhookDelivery({ params }),
      () => {
        setEarlier(attempts.length);
        void reload();
      },
    );
  const list = `/brands/${brand.uuid}/${environment}/webhooks/deliveries`;
  return (
    <Page
      name="delivery"
      title={state.kind === "ok" ? state.value.delivery.event : say.one}
      aside={
        <div class="row-actions">
          <Link to={list}>{say.backToList}</Link>
          <Button icon={RefreshCw} label={say.reload} onClick={() => void reload()} />
        </div>
      }
    >
      <TroubleNotice trouble={action.trouble} />
      {earlier !== null ? <Notice kind="good">{say.replayed}</Notice> : null}
      <Load of={state}>
        {(view) => (
          <>
            {view.delivery.isTest ? <Notice>{say.testLead}</Notice> : null}
            <About view={view} base={`/brands/${brand.uuid}/${environment}`} />
            {mayChange && maySendAgain(view.delivery) ? (
              <div class="row-actions">
                <Button
                  icon={Send}
                  label={say.replay}
                  look={view.delivery.status === "delivered" ? "" : "main"}
                  onClick={() => replay(view.delivery)}
                />
              </div>
            ) : null}
            <DeliveryDetails {...{ params, view, mayChange }} />
          </>
        )}
      </Load>
    </Page>
  );
}

type DetailsProps = {
  params: Params;
  view: DeliveryView;
  mayChange: boolean;
};

/** What was sent, and the result of each attempt. */
export function DeliveryDetails({ params, view, mayChange }: DetailsProps) {
  const [shown, setShown] = useState<Revealed | null>(null);
  const action = useAction();
  const { status, attempts } = view.delivery;
  const state = `${status} ${attempts.length}`;
  const [seen, setSeen] = useState(state);
  // A reveal covers the attempts that existed then. A new attempt masks the body again.
  if (state !== seen) {
    setSeen(state);
    setShown(null);
  }
  const reveal = () => void action.run(() => api.revealWebhookDelivery({ params }), setShown);
  const common = { view, revealed: shown, onReveal: mayChange ? reveal : null };
  return (
    <>
      <TroubleNotice trouble={action.trouble} />
      <Attempts {...common} />
      <Body {...common} onHide={() => setShown(null)} />
    </>
  );
}

/** How often a delivery is sent before it fails. */
const attemptsMax = 7;

/** Why a failed delivery was not sent again. Null if its last attempt says it. */
function whyEnded({ status, attempts, isErased }: DeliveryLine): string | null {
  if (status !== "deadLettered") return null;
  if (attempts.length >= attemptsMax) return say.usedUp;
  return isErased ? say.erasedBefore : null;
}

function About({ view: { delivery }, base }: { view: DeliveryView; base: string }) {
  const { uuid, event, subject, createdAt, nextAttemptAt } = delivery;
  const rows: readonly Pair[] = [
    [say.status, <StatusTag line={delivery} />],
    [say.to, <Slashes text={receiverOf(delivery)} />],
    [say.event, <code>{event}</code>],
    [say.created, <Time at={createdAt} seconds />],
    [say.nextAttempt, nextAttemptAt === undefined ? null : <Time at={nextAttemptAt} seconds />],
    [say.ended, whyEnded(delivery)],
    [
      say.subject,
      subject === undefined ? null : (
        <Link to={`${base}/journeys/${subject}`}>
          <code>{subject}</code>
        </Link>
      ),
    ],
    [say.uuid, <CopyValue text={uuid} subject={say.uuid} />],
  ];
  return <Pairs of={rows} />;
}

type RevealProps = { view: DeliveryView; revealed: Revealed | null; onReveal: (() => void) | null };

function Attempts({ view: { delivery, masked }, revealed, onReveal }: RevealProps) {
  // Otherwise the button beside the body reveals these texts too.
  const isAlone = delivery.isTest || masked === undefined;
  const hasText = delivery.attempts.some((one) => one.hasText);
  return (
    <section>
      <div class="titled">
        <h2>{say.attemptsTitle}</h2>
        {isAlone && hasText && revealed === null && onReveal !== null ? (
          <Button look="small" label={say.revealAnswer} onClick={onReveal} />
        ) : null}
      </div>
      {delivery.attempts.length === 0 ? (
        <p class="quiet">{say.noAttempt}</p>
      ) : (
        <Table class="dense" columns={[say.number, say.at, say.answer, say.duration]}>
          {delivery.attempts.map(({ at, httpStatus, error, durationMs, hasText: isHidden }, place) => {
            const text = revealed?.answers.find((answer) => answer.at === at)?.text;
            return (
              <tr key={`${place} at ${at}`}>
                <td>{place + 1}</td>
                <td>
                  <Time at={at} seconds />
                </td>
                <td>
                  {httpStatus ?? error}{" "}
                  {httpStatus === undefined && error === "connection refused" ? (
                    <span class="quiet">{say.refused(onReveal !== null)}</span>
                  ) : null}
                  {isHidden && revealed === null ? <span class="quiet">{say.hasText}</span> : null}
                  {text === undefined ? null : <pre class="answer-text">{text}</pre>}
                </td>
                <td>{say.milliseconds(durationMs)}</td>
              </tr>
            );
          })}
        </Table>
      )}
    </section>
  );
}

type BodyProps = RevealProps & { onHide(): void };

function Body({ view: { masked, delivery }, revealed, onReveal, onHide }: BodyProps) {
  const label = delivery.attempts.some(({ hasText }) => hasText) ? say.revealAll : say.reveal;
  const text = revealed?.body ?? masked;
  return (
    <section>
      <div class="titled">
        <h2>{say.bodyTitle}</h2>
        {text === undefined || onReveal === null || delivery.isTest ? null : revealed === null ? (
          <Button look="small" label={label} aria-describedby="reveal-hint" onClick={onReveal} />
        ) : (
          <Button look="small" label={say.hide} onClick={onHide} />
        )}
      </div>
      {text === undefined ? (
        <p>{say.erased}</p>
      ) : (
        <>
          {delivery.isTest ? null : (
            <p class="quiet" id="reveal-hint">
              {revealed !== null
                ? say.revealedLead
                : `${say.maskedLead} ${onReveal === null ? say.mayNotReveal : say.revealHint}`}
            </p>
          )}
          <CopyBlock title={say.json} language="text" text={JSON.stringify(JSON.parse(text), null, 2)} />
        </>
      )}
    </section>
  );
}
