import type { AccountView } from "@countersign/contract/account";
import { useEffect, useRef, useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { deviceNow } from "../../ui/now.ts";
import { dayInWords, readBirthDate } from "../birth-date.ts";
import { inlineTrouble, useLanguage } from "../language.tsx";
import { accountApi } from "./account-api.ts";
import { AccountFrame, useAccountWords } from "./account-frame.tsx";
import { Alert } from "./sign-in.tsx";

type Props = { onBack(): void; onProven(view: AccountView): void; onUnknown?(): void; onOver(code: string): void };

/** Birthday or last digits of the SSN: before values are shown, downloaded or deleted. */
export function ProofScreen({ onBack, onProven, onUnknown, onOver }: Props) {
  const { words } = useLanguage();
  const { say } = useAccountWords();
  const [kind, setKind] = useState<"birthday" | "ssn4">("birthday");
  const isBirthday = kind === "birthday";
  const [typed, setTyped] = useState("");
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), [kind]);
  const refuse = (why: string) => {
    setTrouble(why);
    input.current?.focus();
  };
  const read = readBirthDate(typed, deviceNow());
  const submit = async () => {
    if (isBusy) return;
    if (isBirthday && read.kind !== "day")
      return refuse(read.kind === "none" ? words.birthdayUnread : words.birthdayImpossible);
    if (!isBirthday && !/^\d{4}$/.test(typed.trim())) return refuse(words.ssn4Unread);
    setBusy(true);
    const outcome = await accountApi.proveAccount({
      body: isBirthday && read.kind === "day" ? { birthDate: read.day } : { ssn4: typed.trim() },
    });
    setBusy(false);
    if (outcome.kind === "ok") return onProven(outcome.value);
    const { code } = outcome.trouble;
    if (code === "OVER") return onOver(code);
    // Nobody can prove what nobody knows: what is left is to delete.
    if (code === "OCE013" && onUnknown !== undefined) return onUnknown();
    const why = { OCE012: say.proofMismatch, OCE013: say.proofUnknown, OCE019: say.proofExceeded }[code];
    refuse(why ?? inlineTrouble(words, code));
  };
  const hint = isBirthday
    ? read.kind === "day"
      ? words.birthdayRead(dayInWords(read.day, words.language))
      : words.birthdayHint
    : words.ssn4Hint;
  return (
    <AccountFrame step={kind} title={say.proofTitle} onBack={onBack}>
      <p class="lead">{say.proofText}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field
          id="answer"
          label={isBirthday ? words.birthday : words.ssn4}
          hint={hint}
          error={trouble}
          inputRef={input}
          input={{
            type: "text",
            autoComplete: isBirthday ? "bday" : "off",
            ...(isBirthday ? {} : { inputMode: "numeric" as const }),
            value: typed,
            onInput: (event) => {
              setTyped(event.currentTarget.value);
              setTrouble(undefined);
            },
          }}
        />
        <p class="status" role="status">
          {isBusy ? words.working : ""}
        </p>
        <Alert text={trouble} />
        <div class="actions">
          <button type="submit" class={`button main ${isBusy ? "busy" : ""}`}>
            {words.proceed}
          </button>
          <button
            type="button"
            class="link"
            onClick={() => {
              setKind(isBirthday ? "ssn4" : "birthday");
              setTyped("");
              setTrouble(undefined);
            }}
          >
            {isBirthday ? say.useSsn4 : say.useBirthday}
          </button>
        </div>
      </form>
    </AccountFrame>
  );
}
