import type { AccountView } from "@countersign/contract/account";
import { useState } from "preact/hooks";
import type { Body } from "../api.ts";
import { inlineTrouble, useLanguage } from "../language.tsx";
import { QuestionForm, useTries } from "../question.tsx";
import { accountApi } from "./account-api.ts";
import { AccountFrame, useAccountWords } from "./account-frame.tsx";

type Props = { onBack(): void; onProven(view: AccountView): void; onUnknown?(): void; onOver(code: string): void };

/**
 * Asks for the birthday before values are shown, downloaded, or deleted. After a mismatch, the person may give the last
 * four of the SSN, because the source may have no birthday.
 */
export function ProofScreen({ onBack, onProven, onUnknown, onOver }: Props) {
  const { words } = useLanguage();
  const { say } = useAccountWords();
  const [input, setInput] = useState<"birthDate" | "ssn4">("birthDate");
  /** Right answers that the source needs together with another one. */
  const [kept, setKept] = useState<Body<"amendPage">>({});
  const [hadMismatch, setHadMismatch] = useState(false);
  const tries = useTries();
  const isBirthday = input === "birthDate";
  const other = isBirthday ? "ssn4" : "birthDate";
  const needsMore = Object.keys(kept).length > 0;
  const send = async (body: Body<"amendPage">) => {
    const outcome = await accountApi.proveAccount({ body: { ...kept, ...body } });
    const follow = (next: () => void) => {
      next();
      return null;
    };
    if (outcome.kind === "ok") return follow(() => onProven(outcome.value));
    const { code, problems } = outcome.trouble;
    if (code === "OVER") return follow(() => onOver(code));
    if (problems.some(({ path }) => path === `body.${other}`)) {
      return follow(() => {
        setKept({ ...kept, ...body });
        setInput(other);
      });
    }
    // Without records, there is nothing to prove. The person can still delete the data.
    if (code === "OCE013" && onUnknown !== undefined) return follow(onUnknown);
    if (code === "OCE012") setHadMismatch(true);
    if (code === "OCE012") return { text: words.mismatch(tries.leftAfter(body)), isMismatch: true };
    if (code === "OCE019") tries.clear();
    const why = { OCE013: say.proofUnknown, OCE019: say.proofExceeded }[code];
    return { text: why ?? inlineTrouble(words, code) };
  };
  return (
    <AccountFrame step={isBirthday ? "birthday" : "ssn4"} title={say.proofTitle} onBack={onBack}>
      <p class="lead">{needsMore ? say.proofMore : say.proofText}</p>
      <QuestionForm key={input} input={input} send={send}>
        {hadMismatch && !needsMore && (
          <button type="button" class="link" onClick={() => setInput(other)}>
            {isBirthday ? say.useSsn4 : say.useBirthday}
          </button>
        )}
      </QuestionForm>
    </AccountFrame>
  );
}
