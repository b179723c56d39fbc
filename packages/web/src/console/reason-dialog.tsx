import type { ComponentChildren } from "preact";
import type { Outcome } from "../dashboard/api.ts";
import { Button } from "../dashboard/controls/button.tsx";
import { Dialog, TroubleNotice } from "../dashboard/controls/controls.tsx";
import { useAction } from "../dashboard/frame/page.tsx";
import { Form } from "../ui/form.tsx";
import { useReason } from "./reason-field.tsx";
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
  const reason = useReason();
  const action = useAction();
  const submit = () => {
    const given = reason.given();
    if (given === null) return;
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
        {reason.field(brandReads ? say.reason.brandReads : say.reason.kept, action.trouble)}
        <div class="row-actions">
          <Button label={say.reason.cancel} onClick={onClose} />
          <Button label={label} type="submit" look={isDanger ? "danger" : "main"} isBusy={action.isBusy} />
        </div>
      </Form>
    </Dialog>
  );
}
