import type { IntegrationType } from "@countersign/contract/brand";
import type { Start, TestPerson } from "@countersign/contract/dashboard-start";
import { readPhone } from "@countersign/contract/typed-text";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { api } from "../api.ts";
import { isKey, keepKey, keptKey } from "../brand/keys-in-memory.ts";
import { Button } from "../controls/button.tsx";
import { TroubleNotice } from "../controls/controls.tsx";
import { CopyBlock, CopyValue } from "../controls/copy.tsx";
import { Link } from "../frame/navigation.tsx";
import { type BrandPageProps, isServed, Load, Loading, may, Page, useAction, useLoad } from "../frame/page.tsx";
import { words } from "../words.ts";
import { ownPage } from "./own-page.ts";
import { Paste } from "./paste.tsx";
import { StartGuide } from "./start-guide.tsx";
import { firstCall, isProving, type Proving, provePhone, unknownKey, type Values } from "./start-snippets.ts";
import { Step, type StepState } from "./step.tsx";
import { isOptional, type StepId, stepsOf } from "./steps.ts";
import { TestPeople } from "./test-people.tsx";
import { type Arrival, type Arrivals, type Progress, useProgress } from "./use-progress.ts";
import { startWords as say } from "./words-start.ts";

/** How many characters of a key are shown to identify it. */
const lastDigits = 4;

/** The start page: steps that the service checks off, and the test people. */
export function StartScreen(props: BrandPageProps) {
  const { brand, environment } = props;
  const params = { brand: brand.uuid, environment };
  const { state } = useLoad(() => api.readStart({ params }), [brand.uuid, environment]);
  return (
    <Page name="start" title={say.title} lead={say.lead}>
      {isServed(props) ? null : <p class="quiet">{words.production.notServed(may(props.me, "developer"))}</p>}
      <Load of={state}>{(start) => <Steps {...props} start={start} />}</Load>
    </Page>
  );
}

function Steps(props: BrandPageProps & { start: Start }) {
  const { me, brand, environment, start } = props;
  const { integrationType: type, demoKey, testPeople } = start;
  const [apiKey, setApiKey] = useState(demoKey ?? keptKey(brand.uuid, environment));
  const served = me.environments.find((one) => one.environment === environment);
  const [person] = testPeople;
  const [phone, setPhone] = useState<string | null>(null);
  const progress = useProgress(props, type, apiKey !== null);
  const values: Values = {
    apiUrl: served?.apiUrl ?? "https://api.example",
    walletUrl: served?.walletUrl ?? "https://wallet.example",
    apiKey: apiKey ?? unknownKey(environment),
    phone: person?.phone ?? phone ?? "+1…",
    code: person?.code ?? null,
  };
  if (!progress.isReady) return <Loading />;
  const rememberKey = (key: string) => {
    keepKey(brand.uuid, environment, key);
    setApiKey(key);
  };
  const phoneField = person === undefined ? <PhoneField onPhone={setPhone} /> : null;
  const parts: Readonly<Record<StepId, ComponentChildren>> = {
    approval: <ToApproval {...props} />,
    key: <KeyStep {...props} {...{ demoKey, apiKey }} hasOne={progress.done.has("key")} onKey={rememberKey} />,
    call: <CallStep {...{ type, values, environment }}>{type === "sdk" ? null : phoneField}</CallStep>,
    prove: isProving(type) ? <ProveStep {...{ type, values }}>{type === "sdk" ? phoneField : null}</ProveStep> : null,
    share: person === undefined ? null : <ShareStep {...{ type, values, person }} />,
    code: <StartGuide type={type} values={values} redirectUrl={start.redirectUrl} />,
    live: <ToProduction {...props} />,
  };
  return (
    <div class="start">
      <StepList
        {...{ type, environment, parts }}
        progress={progress}
        isServed={served !== undefined}
        log={`/brands/${brand.uuid}/${environment}/log`}
        keyDone={
          apiKey === null
            ? say.key.unknown
            : say.key.known(demoKey ?? `…${apiKey.slice(-lastDigits)}`, demoKey !== null)
        }
      />
      {testPeople.length === 0 ? null : <TestPeople people={testPeople} />}
    </div>
  );
}

type StepListProps = Pick<BrandPageProps, "environment"> & {
  type: IntegrationType;
  progress: Progress;
  /** Whether this service can receive calls of this environment. */
  isServed: boolean;
  log: string;
  /** What to show about the key when that step is done. */
  keyDone: string;
  parts: Readonly<Record<StepId, ComponentChildren>>;
};

/** The steps with their states. The first open one is the next. */
function StepList({ type, environment, progress, isServed: canArrive, log, keyDone, parts }: StepListProps) {
  const steps = stepsOf(type, environment);
  const next = steps.find((one) => !progress.done.has(one) && !isOptional(one, type));
  const stateOf = (one: StepId): StepState => {
    if (progress.done.has(one)) return "done";
    return isOptional(one, type) ? "optional" : one === next ? "next" : "later";
  };
  const arrivals: Arrivals = canArrive ? progress.arrivals : {};
  return (
    <ol class="path">
      {steps.map((one, at) => (
        <Step
          key={one}
          id={`start-${one}`}
          place={at + 1}
          title={titleOf(one, type)}
          state={stateOf(one)}
          done={one === "key" ? keyDone : say.done[one]}
          status={
            <Arrived
              arrival={arrivals[one]}
              state={stateOf(one)}
              waiting={one === "call" ? say.arrival.waiting : say.arrival.waitingFor[one === "share" ? one : "prove"]}
              log={log}
            />
          }
        >
          {parts[one]}
        </Step>
      ))}
    </ol>
  );
}

function titleOf(step: StepId, type: IntegrationType): string {
  if (step === "share" && type === "sdk") return say.share.ownPageTitle;
  return step === "prove" && isProving(type) ? say.prove.titles[type] : say.titles[step];
}

type ArrivedProps = { arrival: Arrival | undefined; state: StepState; waiting: string; log: string };

/** Shows whether the call of a step has arrived. */
function Arrived({ arrival, state, waiting, log }: ArrivedProps) {
  const seen = arrival?.seen ?? null;
  if (arrival === undefined || (seen === null && state !== "next")) return null;
  return (
    <p class={seen === null ? "note quiet" : `note ${seen.status < 400 ? "good" : "bad"}`} role="status">
      {seen === null ? (
        arrival.isWaiting ? (
          waiting
        ) : (
          say.arrival.stopped
        )
      ) : (
        <>
          {seen.status < 400 ? say.arrival.arrived(seen) : say.arrival.refused(seen)}{" "}
          <Link to={log}>{say.arrival.log}</Link>
        </>
      )}
    </p>
  );
}

type CallProps = Pick<BrandPageProps, "environment"> & {
  type: IntegrationType;
  values: Values;
  children: ComponentChildren;
};

function CallStep({ type, values, environment, children }: CallProps) {
  return (
    <>
      {children}
      <Paste title={say.call.paste} language="sh" text={firstCall(type, values)} />
      <p>
        {say.call.answer[type]}{" "}
        {type === "sdk" && environment === "sandbox" ? <a href={`${values.walletUrl}/demo`}>{say.call.demo}</a> : null}
      </p>
    </>
  );
}

function ShareStep({ type, values, person }: { type: IntegrationType; values: Values; person: TestPerson }) {
  if (type !== "sdk") return <p>{type === "v1" ? say.share.v1(person.code) : say.share.hosted}</p>;
  return (
    <>
      <Paste title={say.share.ownPage} language="server" text={ownPage(values)} />
      <p>
        {say.share.ownPageThen}{" "}
        <a href={say.share.ownPageUrl} target="_blank" rel="noreferrer">
          {say.share.ownPageUrl}
        </a>
        {say.share.ownPageEnter} <CopyValue text={person.phone} subject={say.people.columns.phone} />{" "}
        {say.share.ownPageCode} <CopyValue text={person.code} subject={say.share.code} />
      </p>
      <p>{say.share.ownPageShare}</p>
    </>
  );
}

function ToApproval({ brand }: BrandPageProps) {
  return (
    <>
      <p>{say.live.lead}</p>
      <p>
        <Link to={`/brands/${brand.uuid}/production/approvals`}>{say.live.request}</Link>
      </p>
    </>
  );
}

/** Links to production, if this service offers it. */
function ToProduction(props: BrandPageProps) {
  const { me, brand } = props;
  const isSetUp = brand.environments.some(({ environment }) => environment === "production");
  const isServedHere = isServed({ me, environment: "production" });
  if (isSetUp && isServedHere) return <ToApproval {...props} />;
  return (
    <>
      <p>{isServedHere ? say.live.lead : words.production.notServed(may(me, "developer"))}</p>
      <p>
        <Link to={`/brands/${brand.uuid}/production/settings/general`}>
          {isServedHere ? words.production.begin : words.production.prepare}
        </Link>
      </p>
    </>
  );
}

function ProveStep({ type, values, children }: { type: Proving; values: Values; children: ComponentChildren }) {
  const { leads, answers, ...prove } = say.prove;
  const pastes = provePhone(type, values);
  const names = pastes.length === 1 ? [prove.paste] : [prove.pasteFirst, prove.pasteThen];
  return (
    <>
      <p>
        {leads[type]} {values.code === null || type === "semiHosted" ? null : prove.sandbox(values.code)}
      </p>
      {children}
      {pastes.map((text, at) => (
        <Paste key={names[at]} title={names[at] ?? ""} language="sh" text={text} />
      ))}
      <p>{answers[type]}</p>
    </>
  );
}

/** Production only: asks for the phone in the commands. Only digits get into the shell. */
function PhoneField({ onPhone }: { onPhone(phone: string | null): void }) {
  const [text, setText] = useState("");
  const [isLeft, setLeft] = useState(false);
  return (
    <div class="narrow">
      <p>{say.call.production}</p>
      <Field
        id="phone"
        label={say.call.phone}
        hint={say.call.phoneHint}
        error={isLeft && readPhone(text) === null ? say.call.phoneWrong : undefined}
        input={{
          type: "tel",
          value: text,
          maxLength: 64,
          autocomplete: "off",
          onBlur: () => setLeft(text !== ""),
          onInput: ({ currentTarget: { value } }) => {
            setText(value);
            onPhone(readPhone(value));
          },
        }}
      />
    </div>
  );
}

type KeyProps = BrandPageProps & {
  demoKey: string | null;
  apiKey: string | null;
  /** Whether the brand has a working key. */
  hasOne: boolean;
  onKey(key: string): void;
};

function KeyStep({ me, brand, environment, demoKey, apiKey, hasOne, onKey }: KeyProps) {
  const [text, setText] = useState("");
  const action = useAction();
  if (apiKey !== null)
    return (
      <>
        <p>{demoKey === null ? say.key.kept : say.key.demo}</p>
        <CopyBlock title={say.key.copy} language="text" text={apiKey} />
      </>
    );
  const params = { brand: brand.uuid, environment };
  const create = () =>
    void action.run(
      () => api.createKey({ params, body: { name: say.key.name, ipRanges: [] } }),
      (made) => onKey(made.apiKey),
    );
  const pasted = (value: string) => {
    setText(value);
    if (isKey(value.trim(), environment)) onKey(value.trim());
  };
  return (
    <div class="narrow">
      <p>{say.key.lead}</p>
      <TroubleNotice trouble={action.trouble} />
      <Field
        id="api-key"
        label={say.key.label}
        error={text.trim() === "" ? undefined : say.key.wrong(environment)}
        input={{
          value: text,
          maxLength: 200,
          autocomplete: "off",
          onInput: (event) => pasted(event.currentTarget.value),
        }}
      />
      {may(me, "developer") ? (
        <Button label={say.key.create} look={hasOne ? "" : "main"} isBusy={action.isBusy} onClick={create} />
      ) : (
        <p class="quiet">{say.key.notYours}</p>
      )}
    </div>
  );
}
