import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Outcome, problemWith } from "../dashboard/api.ts";
import { Button } from "../dashboard/controls/button.tsx";
import { Dialog, TextArea, TroubleNotice } from "../dashboard/controls/controls.tsx";
import { useAction } from "../dashboard/frame/page.tsx";
import { Form } from "../ui/form.tsx";
import { say } from "./words.ts";

type Props<Value> = {
  title: string;
  text: string;
  action: string;
  isDanger?: boolean;
  /** Whether the brand reads the reason. Otherwise only the audit log has it. */
  brandReads?: boolean;
  children?: ComponentChildren;
  ask(reason: string): Promise<Outcome<Value>>;
  onDone(value: Value): void;
  onClose(): void;
};

/** Asks for the reason of an act, and does it. The dialog stays open if the act fails. */
export function ReasonDialog<Value>(props: Props<Value>) {
  const { title, text, action: label, isDanger = false, brandReads = false, children, ask, onDone, onClose } = props;
  const [reason, setReason] = useState("");
  const [isShort, setShort] = useState(false);
  const action = useAction();
  const submit = () => {
    const given = plainReason(reason);
    if (given === null) return setShort(true);
    void action.run(
      () => ask(given),
      (value) => {
        onClose();
        onDone(value);
      },
    );
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <TroubleNotice trouble={action.trouble} beside={["reason"]} />
      <Form onSubmit={submit}>
        {children}
        <TextArea
          id="reason"
          label={say.reason.label}
          hint={brandReads ? say.reason.brandReads : say.reason.kept}
          error={isShort ? say.reason.short : problemWith(action.trouble, "reason")}
          rows={2}
          maxLength={300}
          value={reason}
          onInput={(value) => {
            setReason(value);
            setShort(false);
          }}
        />
        <div class="row-actions">
          <Button label={say.reason.cancel} onClick={onClose} />
          <Button label={label} type="submit" look={isDanger ? "danger" : "main"} isBusy={action.isBusy} />
        </div>
      </Form>
    </Dialog>
  );
}

/** A reason in one line. Null if it is too short. */
export function plainReason(typed: string): string | null {
  const reason = typed.replace(/\s+/g, " ").trim();
  return reason.length < 3 ? null : reason;
}
