import { consentTexts } from "@countersign/contract/consent";
import type { PageView } from "@countersign/contract/wallet";
import { useEffect, useRef, useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { deviceNow } from "../../ui/now.ts";
import { api, type Body, bySession, type Outcome } from "../api.ts";
import { dayInWords, readBirthDate } from "../birth-date.ts";
import { useConsent } from "../consent.tsx";
import { Frame, type Step } from "../frame.tsx";
import { inlineTrouble, useLanguage } from "../language.tsx";
import type { Words } from "../words-en.ts";
import { Leave } from "./leave.tsx";

type Input = NonNullable<PageView["inputs"]>[number];
type Read = { kind: "inputs"; inputs: Body<"amendPage"> } | { kind: "wrong"; why: string };
type Kind = {
  step: Step;
  title(words: Words): string;
  label(words: Words): string;
  hint(words: Words, typed: string): string;
  attributes: { inputMode?: "numeric" | "text"; autoComplete: string };
  read(typed: string, words: Words): Read;
};

const kinds: Record<Input, Kind> = {
  "fullName.firstName": {
    step: "firstName",
    title: (words) => words.firstNameTitle,
    label: (words) => words.firstName,
    hint: (words) => words.firstNameHint,
    attributes: { autoComplete: "given-name" },
    read: (typed, words) =>
      typed.trim() === ""
        ? { kind: "wrong", why: words.required }
        : { kind: "inputs", inputs: { firstName: typed.trim() } },
  },
  birthDate: {
    step: "birthday",
    title: (words) => words.birthdayTitle,
    label: (words) => words.birthday,
    hint: (words, typed) => {
      const read = readBirthDate(typed, deviceNow());
      return read.kind === "day" ? words.birthdayRead(dayInWords(read.day, words.language)) : words.birthdayHint;
    },
    attributes: { autoComplete: "bday" },
    read: (typed, words) => {
      const read = readBirthDate(typed, deviceNow());
      if (read.kind === "day") return { kind: "inputs", inputs: { birthDate: read.day } };
      return { kind: "wrong", why: read.kind === "none" ? words.birthdayUnread : words.birthdayImpossible };
    },
  },
  ssn4: {
    step: "ssn4",
    title: (words) => words.ssn4Title,
    label: (words) => words.ssn4,
    hint: (words) => words.ssn4Hint,
    attributes: { inputMode: "numeric", autoComplete: "off" },
    read: (typed, words) =>
      /^\d{4}$/.test(typed.trim())
        ? { kind: "inputs", inputs: { ssn4: typed.trim() } }
        : { kind: "wrong", why: words.ssn4Unread },
  },
};

type Props = { session: string; view: PageView; onOutcome(outcome: Outcome<PageView>): void };

/** First name, birthday or last four of SSN: any one of those that help. */
export function ChallengeScreen({ session, view, onOutcome }: Props) {
  const { words } = useLanguage();
  const offered = view.inputs ?? [];
  const [chosen, setChosen] = useState<Input>(offered[0] ?? "birthDate");
  const current = offered.includes(chosen) ? chosen : (offered[0] ?? "birthDate");
  const kind = kinds[current];
  const { brand } = view;
  return (
    <Frame step={kind.step} title={kind.title(words)} brand={brand} word={view.title}>
      <p class="lead">{words.whyMore(brand.name)}</p>
      <Question key={current} kind={kind} session={session} onOutcome={onOutcome}>
        {offered
          .filter((one) => one !== current)
          .map((one) => (
            <button type="button" class="link" key={one} onClick={() => setChosen(one)}>
              {words.instead[one]}
            </button>
          ))}
        {brand.manualSignup === "hide" ? null : <OptOut session={session} onOutcome={onOutcome} />}
      </Question>
    </Frame>
  );
}

type QuestionProps = Pick<Props, "session" | "onOutcome"> & { kind: Kind; children: preact.ComponentChildren };

function Question({ kind, session, onOutcome, children }: QuestionProps) {
  const { words } = useLanguage();
  const [typed, setTyped] = useState("");
  const [trouble, setTrouble] = useState<string>();
  const [isSending, setSending] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const refuse = (why: string) => {
    setTrouble(why);
    input.current?.focus();
  };
  const submit = async () => {
    if (isSending) return;
    const read = kind.read(typed, words);
    if (read.kind === "wrong") return refuse(read.why);
    setSending(true);
    const outcome = await api.amendPage({ ...bySession(session), body: read.inputs });
    setSending(false);
    if (outcome.kind === "ok" || outcome.trouble.code === "OCE015") return onOutcome(outcome);
    const { code } = outcome.trouble;
    refuse(code === "OCE012" ? words.mismatch : code === "ERR001" ? words.badValue : inlineTrouble(words, code));
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        id="answer"
        label={kind.label(words)}
        hint={kind.hint(words, typed)}
        error={trouble}
        inputRef={input}
        input={{
          type: "text",
          ...kind.attributes,
          value: typed,
          onInput: (event) => {
            setTyped(event.currentTarget.value);
            setTrouble(undefined);
          },
        }}
      />
      <p class="status" role="status">
        {isSending ? words.working : ""}
      </p>
      {trouble === undefined ? null : (
        <p class="hidden" role="alert">
          {trouble}
        </p>
      )}
      <div class="actions">
        <button type="submit" class={`button main ${isSending ? "busy" : ""}`}>
          {words.proceed}
        </button>
        {children}
      </div>
    </form>
  );
}

function OptOut({ session, onOutcome }: Pick<Props, "session" | "onOutcome">) {
  const { pieces, shown } = useConsent(consentTexts.leave);
  const optOut = () => api.decidePage({ ...bySession(session), body: { share: false, consent: shown } });
  return <Leave label={pieces.button} ask={optOut} onOutcome={onOutcome} />;
}
