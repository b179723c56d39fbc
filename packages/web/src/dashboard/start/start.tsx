import type { Start } from "@countersign/contract/dashboard-start";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { api } from "../api.ts";
import { isKey, keepKey, keptKey } from "../brand/keys-in-memory.ts";
import { Button } from "../controls/button.tsx";
import { Notice, TroubleNotice } from "../controls/controls.tsx";
import { CopyBlock } from "../controls/copy.tsx";
import { Section } from "../controls/section.tsx";
import { type BrandPageProps, isServed, Load, may, Page, useAction, useLoad } from "../frame/page.tsx";
import { words } from "../words.ts";
import { FirstCall } from "./first-call.tsx";
import { ownPage } from "./own-page.ts";
import { StartGuide } from "./start-guide.tsx";
import { firstCall, firstPath, isProving, type Proving, provePhone, type Values } from "./start-snippets.ts";
import { TestPeople } from "./test-people.tsx";
import { startWords as say } from "./words-start.ts";

/** The start page: the API key, a first call, the integration guides and the test people. */
export function StartScreen(props: BrandPageProps) {
  const { brand, environment } = props;
  const params = { brand: brand.uuid, environment };
  const { state } = useLoad(() => api.readStart({ params }), [brand.uuid, environment]);
  return (
    <Page name="start" title={say.title} lead={say.lead}>
      {isServed(props) ? null : <Notice>{words.production.notServed}</Notice>}
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
  const values: Values = {
    apiUrl: served?.apiUrl ?? "https://api.example",
    walletUrl: served?.walletUrl ?? "https://wallet.example",
    apiKey: apiKey ?? `sk_${environment}_…`,
    phone: person?.phone ?? phone ?? "+1…",
    code: person?.code ?? null,
  };
  const have = (key: string) => {
    keepKey(brand.uuid, environment, key);
    setApiKey(key);
  };
  return (
    <div class="start">
      <Section id="start-key" title={say.key.title}>
        {apiKey === null ? (
          <KeyStep {...props} onKey={have} />
        ) : (
          <>
            <p>{demoKey === null ? say.key.kept : say.key.demo}</p>
            <CopyBlock title={say.key.copy} language="text" text={apiKey} />
          </>
        )}
      </Section>
      <Section id="start-call" title={say.call.title}>
        {person === undefined && type !== "sdk" ? <PhoneOf onPhone={setPhone} /> : null}
        <CopyBlock title={say.call.paste} language="sh" text={firstCall(type, values)} />
        <p>
          {say.call.answer[type]}{" "}
          {type === "sdk" && environment === "sandbox" ? (
            <a href={`${values.walletUrl}/demo/sdk`}>{say.call.demo}</a>
          ) : null}
        </p>
        {type === "sdk" && person !== undefined ? (
          <>
            <CopyBlock title={say.call.ownPage} language="server" text={ownPage(values)} />
            <p>{say.call.ownPageThen(person.phone, person.code)}</p>
          </>
        ) : null}
        {served === undefined ? null : (
          <FirstCall brand={brand.uuid} environment={environment} path={firstPath(type)} />
        )}
      </Section>
      {isProving(type) ? (
        <Prove type={type} values={values}>
          {person === undefined && type === "sdk" ? <PhoneOf onPhone={setPhone} /> : null}
        </Prove>
      ) : null}
      <StartGuide type={type} values={values} redirectUrl={start.redirectUrl} />
      {testPeople.length === 0 ? null : <TestPeople people={testPeople} />}
    </div>
  );
}

function Prove({ type, values, children }: { type: Proving; values: Values; children: ComponentChildren }) {
  const { titles, leads, answers, ...prove } = say.prove;
  const pastes = provePhone(type, values);
  const names = pastes.length === 1 ? [prove.paste] : [prove.pasteFirst, prove.pasteThen];
  return (
    <Section id="start-prove" title={titles[type]}>
      <p>
        {leads[type]} {values.code === null || type === "semiHosted" ? null : prove.sandbox(values.code)}
      </p>
      {children}
      {pastes.map((text, at) => (
        <CopyBlock key={names[at]} title={names[at] ?? ""} language="sh" text={text} />
      ))}
      <p>{answers[type]}</p>
    </Section>
  );
}

/** The digits of a US number, without the country's. */
const digitsOf = (text: string) => text.replace(/\D/g, "").replace(/^1(?=\d{10}$)/, "");

/** In production: asks for a phone that the commands use. Only a number goes into the shell. */
function PhoneOf({ onPhone }: { onPhone(phone: string | null): void }) {
  const [text, setText] = useState("");
  const [isLeft, setLeft] = useState(false);
  return (
    <div class="narrow">
      <p>{say.call.production}</p>
      <Field
        id="phone"
        label={say.call.phone}
        hint={say.call.phoneHint}
        error={isLeft && digitsOf(text).length !== 10 ? say.call.phoneWrong : undefined}
        input={{
          type: "tel",
          value: text,
          maxLength: 20,
          autocomplete: "off",
          onBlur: () => setLeft(text !== ""),
          onInput: ({ currentTarget: { value } }) => {
            setText(value);
            onPhone(digitsOf(value).length === 10 ? `+1${digitsOf(value)}` : null);
          },
        }}
      />
    </div>
  );
}

function KeyStep({ me, brand, environment, onKey }: BrandPageProps & { onKey(key: string): void }) {
  const [text, setText] = useState("");
  const action = useAction();
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
        <Button label={say.key.create} look="main" isBusy={action.isBusy} onClick={create} />
      ) : (
        <p class="quiet">{say.key.notYours}</p>
      )}
    </div>
  );
}
