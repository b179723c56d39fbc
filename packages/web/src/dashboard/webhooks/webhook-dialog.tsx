import type { Environment } from "@countersign/contract/brand";
import type { WebhookLine } from "@countersign/contract/dashboard-webhooks";
import { maskedAddress } from "@countersign/contract/masked-address";
import { type WebhookAuthentication, type WebhookEventName, webhookEvents } from "@countersign/contract/webhook";
import type { InputHTMLAttributes } from "preact";
import { useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { api, problemWith, type Trouble } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Check, Dialog, Select, TroubleNotice } from "../controls/controls.tsx";
import { useAction } from "../frame/page.tsx";
import { words } from "../words.ts";
import { webhookWords as say } from "./words-webhooks.ts";

export type WebhookDoing = { kind: "create" } | { kind: "edit" | "rotate" | "off" | "delete"; webhook: WebhookLine };
/** The result: a new secret to save, and until when the previous secret also signs. */
export type Done = { secret?: string; previousSecretUntil?: number };
type Props = {
  doing: WebhookDoing;
  params: { brand: string; environment: Environment };
  onDone(done: Done): void;
  onClose(): void;
};

/** The dialog to add, change, rotate, disable or delete a webhook. */
export function WebhookDialog({ doing, params, onDone, onClose }: Props) {
  const webhook = doing.kind === "create" ? null : doing.webhook;
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [typed, setTyped] = useState<Typed>({ ...empty, kind: webhook === null ? "none" : "keep" });
  const [events, setEvents] = useState<readonly WebhookEventName[]>(webhook?.events ?? ["1-click.health.lookup"]);
  const action = useAction();
  const authentication = authenticationOf(typed);
  const submit = () => {
    const of = { ...params, webhook: webhook?.uuid ?? "" };
    const secret = ({ signingSecret, ...rest }: { signingSecret: string; previousSecretUntil?: number }) => {
      const until = rest.previousSecretUntil;
      onDone({ secret: signingSecret, ...(until === undefined ? {} : { previousSecretUntil: until }) });
    };
    const nothing = () => onDone({});
    if (doing.kind === "create")
      return action.run(
        () =>
          api.createWebhook({
            params,
            body: { url: url.trim(), authentication: authentication ?? { type: "none" }, events: [...events] },
          }),
        secret,
      );
    if (doing.kind === "rotate") return action.run(() => api.rotateWebhookSecret({ params: of }), secret);
    if (doing.kind === "delete") return action.run(() => api.deleteWebhook({ params: of }), nothing);
    if (doing.kind === "off")
      return action.run(() => api.patchWebhook({ params: of, body: { enabled: false } }), nothing);
    const body = { url: url.trim(), events: [...events], ...(authentication === undefined ? {} : { authentication }) };
    return action.run(() => api.patchWebhook({ params: of, body }), nothing);
  };
  const isForm = doing.kind === "create" || doing.kind === "edit";
  const { trouble } = action;
  return (
    <Dialog title={say.titles[doing.kind]} onClose={onClose}>
      <Form onSubmit={submit}>
        {isForm || webhook === null ? null : (
          <p>
            <code>{maskedAddress(webhook.url)}</code>
          </p>
        )}
        <p class="quiet">{say.leads[doing.kind]}</p>
        <TroubleNotice trouble={trouble} beside={["url", "authentication", "events"]} />
        {isForm ? (
          <>
            <Field
              id="webhook-url"
              label={say.url}
              hint={params.environment === "sandbox" ? say.urlHintSandbox : say.urlHint}
              error={urlProblem(problemWith(trouble, "url"))}
              input={{
                value: url,
                type: "url",
                maxLength: 2000,
                placeholder: "https://",
                onInput: (event) => setUrl(event.currentTarget.value),
              }}
            />
            <Events chosen={events} trouble={trouble} onChoose={setEvents} />
            <Authentication webhook={webhook} typed={typed} trouble={trouble} onType={setTyped} />
          </>
        ) : null}
        <div class="row-actions">
          <Button label={words.cancel} onClick={onClose} />
          <Button
            label={say.confirm[doing.kind]}
            type="submit"
            look={doing.kind === "delete" ? "danger" : "main"}
            isBusy={action.isBusy}
          />
        </div>
      </Form>
    </Dialog>
  );
}

/** The message for the rule that a URL breaks. */
function urlProblem(rule: string | undefined): string | undefined {
  return rule?.startsWith("must") === true ? say.urlWrong(rule) : rule;
}

type Typed = {
  kind: WebhookAuthentication["type"] | "keep";
  header: string;
  value: string;
  username: string;
  password: string;
};
const empty = { header: "", value: "", username: "", password: "" };

/** The authentication to save. Undefined keeps the current one. */
function authenticationOf({ kind, header, value, username, password }: Typed): WebhookAuthentication | undefined {
  if (kind === "keep") return undefined;
  if (kind === "apiKey") return { type: "apiKey", header: header.trim(), value };
  return kind === "basic" ? { type: "basic", username, password } : { type: "none" };
}

type EventsProps = {
  chosen: readonly WebhookEventName[];
  trouble: Trouble | null;
  onChoose(events: readonly WebhookEventName[]): void;
};

const eventNames = webhookEvents.map((event) => [event, say.eventNames[event]] as const);

function Events({ chosen, trouble, onChoose }: EventsProps) {
  const chosenWith = (event: WebhookEventName, isOn: boolean) =>
    eventNames.map(([one]) => one).filter((one) => (one === event ? isOn : chosen.includes(one)));
  return (
    <fieldset class="group">
      <legend>{say.events}</legend>
      <p class="about">{say.eventsHint}</p>
      {problemWith(trouble, "events") === undefined ? null : <p class="problem">{say.eventsWrong}</p>}
      {eventNames.map(([event, label]) => (
        <Check
          key={event}
          id={`webhook-event-${event.replaceAll(".", "-")}`}
          label={label}
          hint={event}
          checked={chosen.includes(event)}
          onChange={(isOn) => onChoose(chosenWith(event, isOn))}
        />
      ))}
    </fieldset>
  );
}

type AuthenticationProps = {
  webhook: WebhookLine | null;
  typed: Typed;
  trouble: Trouble | null;
  onType(typed: Typed): void;
};

function Authentication({ webhook, typed, trouble, onType }: AuthenticationProps) {
  const kinds = ["none", "apiKey", "basic"] as const;
  const keep =
    webhook === null ? [] : [{ value: "keep", label: say.keep(say.authentications[webhook.authentication]) }];
  const box = (key: keyof typeof empty, attributes: InputHTMLAttributes<HTMLInputElement> = {}) => (
    <Field
      id={`webhook-${key}`}
      label={say[key]}
      error={problemWith(trouble, `authentication.${key}`)}
      input={{
        autoComplete: "off",
        ...attributes,
        value: typed[key],
        onInput: (event) => onType({ ...typed, [key]: event.currentTarget.value }),
      }}
    />
  );
  return (
    <>
      <Select
        id="webhook-authentication"
        label={say.authentication}
        hint={say.authenticationHint}
        error={trouble?.problems.find(({ path }) => path === "authentication")?.message}
        value={typed.kind}
        choices={[...keep, ...kinds.map((kind) => ({ value: kind, label: say.authentications[kind] }))]}
        onChange={(value) => onType({ ...typed, kind: kinds.find((one) => one === value) ?? "keep" })}
      />
      {typed.kind === "apiKey" ? (
        <>
          {box("header", { maxLength: 100, placeholder: "X-Api-Key" })}
          {box("value", { maxLength: 1000, type: "password" })}
        </>
      ) : null}
      {typed.kind === "basic" ? (
        <>
          {box("username", { maxLength: 200 })}
          {box("password", { maxLength: 200, type: "password" })}
        </>
      ) : null}
    </>
  );
}
