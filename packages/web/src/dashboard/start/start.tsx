import type { Start } from "@countersign/contract/dashboard-start";
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
import { StartGuides } from "./start-guides.tsx";
import { firstCall, provePhone, type Values } from "./start-snippets.ts";
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
  const values: Values = {
    apiUrl: served?.apiUrl ?? "https://api.example",
    walletUrl: served?.walletUrl ?? "https://wallet.example",
    apiKey: apiKey ?? `sk_${environment}_…`,
    phone: person?.phone ?? "+1…",
    code: person?.code ?? "…",
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
            <CopyBlock title={say.key.copy} text={apiKey} />
          </>
        )}
      </Section>
      <Section id="start-call" title={say.call.title}>
        {person === undefined ? <p>{say.call.production}</p> : null}
        <CopyBlock title={say.call.paste} text={firstCall(type, values)} />
        <p>{say.call.answer[type]}</p>
        {served === undefined ? null : <FirstCall brand={brand.uuid} environment={environment} />}
      </Section>
      {type === "api" || type === "sdk" ? (
        <Section id="start-prove" title={say.prove.title}>
          <p>{say.prove.lead}</p>
          <CopyBlock title={say.prove.paste} text={provePhone(values)} />
          <p>{say.prove.answer}</p>
        </Section>
      ) : null}
      <StartGuides type={type} values={values} redirectUrl={start.redirectUrl} />
      {testPeople.length === 0 ? null : <TestPeople people={testPeople} />}
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
