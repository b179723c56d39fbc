import type { AccountView } from "@countersign/contract/account";
import { useState } from "preact/hooks";
import type { Body } from "../api.ts";
import { inlineTrouble, useLanguage } from "../language.tsx";
import { QuestionForm, useTries } from "../question.tsx";
import { accountApi } from "./account-api.ts";
import { AccountFrame, useAccountWords } from "./account-frame.tsx";

type Props = { onBack(): void; onProven(view: AccountView): void; onUnknown?(): void; onOver(code: string): void };

/** Asks for the birthday or the last four of the SSN before values are shown, downloaded, or deleted. */
export function ProofScreen({ onBack, onProven, onUnknown, onOver }: Props) {
  const { words } = useLanguage();
  const { say } = useAccountWords();
  const [input, setInput] = useState<"birthDate" | "ssn4">("birthDate");
  const tries = useTries();
  const isBirthday = input === "birthDate";
  const send = async (body: Body<"amendPage">) => {
    const outcome = await accountApi.proveAccount({ body });
    const follow = (next: () => void) => {
      next();
      return null;
    };
    if (outcome.kind === "ok") return follow(() => onProven(outcome.value));
    const { code } = outcome.trouble;
    if (code === "OVER") return follow(() => onOver(code));
    // Without records, there is nothing to prove. The person can still delete the data.
    if (code === "OCE013" && onUnknown !== undefined) return follow(onUnknown);
    if (code === "OCE012") return { text: words.mismatch(tries.leftAfter(body)), isMismatch: true };
    if (code === "OCE019") tries.clear();
    const why = { OCE013: say.proofUnknown, OCE019: say.proofExceeded }[code];
    return { text: why ?? inlineTrouble(words, code) };
  };
  return (
    <AccountFrame step={isBirthday ? "birthday" : "ssn4"} title={say.proofTitle} onBack={onBack}>
      <p class="lead">{say.proofText}</p>
      <QuestionForm key={input} input={input} send={send}>
        <button type="button" class="link" onClick={() => setInput(isBirthday ? "ssn4" : "birthDate")}>
          {isBirthday ? say.useSsn4 : say.useBirthday}
        </button>
      </QuestionForm>
    </AccountFrame>
  );
}
