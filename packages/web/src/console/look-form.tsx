import type { Environment } from "@countersign/contract/brand";
import { useState } from "preact/hooks";
import { type Outcome, problemWith } from "../dashboard/api.ts";
import { Button } from "../dashboard/controls/button.tsx";
import { Select, TroubleNotice } from "../dashboard/controls/controls.tsx";
import { useAction } from "../dashboard/frame/page.tsx";
import { Field } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { useReason } from "./reason-field.tsx";
import { say } from "./words.ts";

/** Whom the operator asked about. It is kept in the page only, never in a URL. */
export type Asked = { environment: Environment; phone: string };

type Props<Value> = {
  environments: readonly Environment[];
  words: { phone: string; phoneHint: string; look: string };
  ask(body: Asked & { reason: string }): Promise<Outcome<Value>>;
  onAnswer(value: Value, asked: Asked): void;
};

/** Asks for a phone and a reason. Each look is recorded. */
export function LookForm<Value>({ environments, words, ask, onAnswer }: Props<Value>) {
  const [environment, setEnvironment] = useState<Environment>(environments.at(-1) ?? "sandbox");
  const [phone, setPhone] = useState("");
  const [isMissing, setMissing] = useState(false);
  const reason = useReason();
  const action = useAction();
  const submit = () => {
    const given = reason.given();
    const asked = { environment, phone: phone.trim() };
    // Each empty field says so.
    setMissing(asked.phone === "");
    if (given === null || asked.phone === "") return;
    void action.run(
      () => ask({ ...asked, reason: given }),
      (value) => onAnswer(value, asked),
    );
  };
  return (
    <Form class="narrow look" onSubmit={submit}>
      <TroubleNotice trouble={action.trouble} beside={["phone", "reason"]} />
      {environments.length < 2 ? null : (
        <Select
          id="look-environment"
          label={say.environment}
          value={environment}
          choices={environments.map((value) => ({ value, label: say.environments[value] }))}
          onChange={(value) => setEnvironment(environments.find((one) => one === value) ?? environment)}
        />
      )}
      <Field
        id="phone"
        label={words.phone}
        hint={words.phoneHint}
        error={isMissing ? say.reason.noPhone : problemWith(action.trouble, "phone")}
        input={{
          type: "tel",
          autoComplete: "off",
          maxLength: 40,
          value: phone,
          onInput: (event) => {
            setPhone(event.currentTarget.value);
            setMissing(false);
          },
        }}
      />
      {reason.field(say.reason.look, action.trouble)}
      <Button label={words.look} type="submit" look="main" isBusy={action.isBusy} />
    </Form>
  );
}
