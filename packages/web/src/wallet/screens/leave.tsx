import type { PageView } from "@countersign/contract/wallet";
import { useState } from "preact/hooks";
import type { Outcome } from "../api.ts";
import { CallButton } from "../call-button.tsx";
import { actionTrouble, useLanguage } from "../language.tsx";
import { Problem, Progress } from "../status.tsx";

type Props = {
  /** A text before the button, in the same line. */
  before?: string | undefined;
  label: string;
  /** The ID of a text that says what the button does. */
  describedBy?: string;
  ask(): Promise<Outcome<PageView>>;
  onOutcome(outcome: Outcome<PageView>): void;
};

/** A button that skips a screen. After a failed call it shows the problem, and can be pressed again. */
export function Leave({ before, label, describedBy, ask, onOutcome }: Props) {
  const { words } = useLanguage();
  const [isSending, setSending] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const leave = async () => {
    setSending(true);
    setTrouble(undefined);
    const outcome = await ask();
    setSending(false);
    if (outcome.kind === "ok" || outcome.trouble.code === "OCE015") return onOutcome(outcome);
    setTrouble(actionTrouble(words, outcome.trouble.code));
  };
  const button = (
    <CallButton
      class="link"
      aria-describedby={describedBy}
      busy={isSending ? words.working : undefined}
      onClick={() => void leave()}
    >
      {label}
    </CallButton>
  );
  return (
    <>
      {before === undefined ? (
        button
      ) : (
        <p class="help line">
          {before} {button}
        </p>
      )}
      <Problem text={trouble} />
      <Progress text={isSending ? words.working : undefined} />
    </>
  );
}
