import type { AccountView } from "@countersign/contract/account";
import { useState } from "preact/hooks";
import type { Body } from "../api.ts";
import { inlineTrouble, useLanguage } from "../language.tsx";
import { QuestionForm, useTries } from "../question.tsx";
import { accountApi } from "./account-api.ts";
import { AccountFrame, useAccountWords } from "./account-frame.tsx";

type Props = { onBack(): void; onProven(view: AccountView): void; onUnknown?(): void; onOver(code: string): void };

/**
 * Asks for the birthday before values are shown, downloaded, or deleted. Asks for the last four of the SSN too if more
 * than one person has that birthday.
 */
export function ProofScreen({ onBack, onProven, onUnknown, onOver }: Props) {
  const { words } = useLanguage();
  const { say } = useAccountWords();
  const [birthDate, setBirthDate] = useState<string>();
  const tries = useTries();
  const input = birthDate === undefined ? "birthDate" : "ssn4";
  const send = async (typed: Body<"amendPage">) => {
    const day = birthDate ?? typed.birthDate ?? "";
    const outcome = await accountApi.proveAccount({ body: { birthDate: day, ssn4: typed.ssn4 } });
    const follow = (next: () => void) => {
      next();
      return null;
    };
    if (outcome.kind === "ok") {
      const { account } = outcome.value;
      return follow(() => (account === undefined ? setBirthDate(day) : onProven(account)));
    }
    const { code } = outcome.trouble;
    if (code === "OVER") return follow(() => onOver(code));
    // Without known values there is nothing to prove. The person can still delete the data.
    if (code === "OCE013" && onUnknown !== undefined) return follow(onUnknown);
    if (code === "OCE012") return words.mismatch(tries.leftAfter(typed));
    if (code === "OCE019") tries.clear();
    const why = { OCE013: say.proofUnknown, OCE019: say.proofExceeded }[code];
    return why ?? inlineTrouble(words, code);
  };
  return (
    <AccountFrame step={birthDate === undefined ? "birthday" : "ssn4"} title={say.proofTitle} onBack={onBack}>
      <p class="lead">{say.proofText}</p>
      <QuestionForm key={input} input={input} send={send} />
    </AccountFrame>
  );
}
