import type { IntegrationType } from "@countersign/contract/brand";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { api, problemWith } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { TroubleNotice } from "../controls/controls.tsx";
import { Link } from "../frame/navigation.tsx";
import { may, Page, type PageProps, useAction } from "../frame/page.tsx";
import { words } from "../words.ts";
import { FirstKey, type Made } from "./first-key.tsx";

const say = words.brands;
const types: readonly IntegrationType[] = ["sdk", "api"];
/** Integration types for existing integrations. New ones use none of them. */
const olderTypes: readonly IntegrationType[] = ["hosted", "semiHosted", "nonHosted", "v1"];

/** Creates a brand from a name and a type. Every other setting has a default. */
export function NewBrandScreen({ me }: PageProps) {
  return may(me, "developer") ? (
    <NewBrand />
  ) : (
    <Page name="newBrand" title={say.newTitle} viewOnly={words.viewOnly.newBrand}>
      <Link to="/brands" class="button">
        {words.brands.title}
      </Link>
    </Page>
  );
}

function NewBrand() {
  const [name, setName] = useState("");
  const [type, setType] = useState<IntegrationType>("sdk");
  const [made, setMade] = useState<Made | null>(null);
  const action = useAction();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const create = () =>
    void action.run(() => api.createBrand({ body: { name: name.trim(), integrationType: type } }), setMade);
  const choice = (one: IntegrationType) => (
    <label key={one} class="choice">
      <input type="radio" name="type" checked={one === type} onChange={() => setType(one)} />
      <span>
        <strong>{words.types[one].name}</strong> {one === "sdk" ? <span class="tag">{say.recommended}</span> : null}
        <span class="hint">{words.types[one].says}</span>
      </span>
    </label>
  );
  return (
    <Page name="newBrand" title={say.newTitle} lead={say.newLead}>
      <TroubleNotice trouble={action.trouble} beside={["name"]} />
      <Form class="narrow" onSubmit={create}>
        <Field
          id="name"
          label={say.name}
          hint={say.nameHint}
          error={problemWith(action.trouble, "name")}
          inputRef={field}
          input={{ value: name, maxLength: 100, onInput: (event) => setName(event.currentTarget.value) }}
        />
        <fieldset class="group">
          <legend>{say.type}</legend>
          <p class="about">{say.typeHint}</p>
          {types.map(choice)}
          <details class="fold older-types">
            <summary>{say.olderTypes}</summary>
            {olderTypes.map(choice)}
          </details>
        </fieldset>
        <div class="row-actions">
          <Button label={say.createButton} type="submit" look="main" isBusy={action.isBusy} />
          <Link to="/brands" class="button">
            {words.cancel}
          </Link>
        </div>
      </Form>
      {made === null ? null : <FirstKey {...made} />}
    </Page>
  );
}
