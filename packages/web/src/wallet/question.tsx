import { inSentence } from "@countersign/contract/names";
import { plainText } from "@countersign/contract/typed-text";
import type { PageView } from "@countersign/contract/wallet";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Field } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { deviceNow } from "../ui/now.ts";
import type { Body } from "./api.ts";
import { useAutoSubmit } from "./auto-submit.ts";
import { dayInWords, hasTwoOrders, readBirthDate } from "./birth-date.ts";
import { CallButton } from "./call-button.tsx";
import { dateMask, type Edit, type Mask, maskInput, ssn4Mask } from "./digit-mask.ts";
import { useLanguage } from "./language.tsx";
import { Status } from "./status.tsx";
import type { Words } from "./words-en.ts";

export type QuestionInput = NonNullable<PageView["inputs"]>[number];
type Inputs = Body<"amendPage">;
type Read = { kind: "inputs"; inputs: Inputs } | { kind: "wrong"; why: string };
type Question = {
  label(words: Words): string;
  hint(words: Words, typed: string): string;
  attributes: { inputMode?: "numeric" | "text"; autoComplete: string };
  mask?: Mask;
  /** Whether the text is complete and has one meaning in the current language. It is then sent automatically. */
  isComplete?(typed: string, words: Words): boolean;
  read(typed: string, words: Words): Read;
};

const questions: Record<QuestionInput, Question> = {
  "fullName.firstName": {
    label: (words) => words.firstName,
    hint: (words) => words.firstNameHint,
    attributes: { autoComplete: "given-name" },
    read: (typed, words) =>
      typed.trim() === ""
        ? { kind: "wrong", why: words.required(inSentence(words.firstName)) }
        : { kind: "inputs", inputs: { firstName: typed.trim() } },
  },
  birthDate: {
    label: (words) => words.birthday,
    hint: (words, typed) => {
      const read = readBirthDate(typed, deviceNow());
      if (read.kind !== "day") return words.birthdayHint;
      const day = dayInWords(read.day, words.language);
      return isAmbiguous(typed, words) ? words.birthdayCheck(day) : day;
    },
    attributes: { inputMode: "numeric", autoComplete: "bday" },
    mask: dateMask,
    isComplete: (typed, words) => /^\d\d\/\d\d\/\d{4}$/.test(typed) && !isAmbiguous(typed, words),
    read: (typed, words) => {
      const read = readBirthDate(typed, deviceNow());
      if (read.kind === "day") return { kind: "inputs", inputs: { birthDate: read.day } };
      return { kind: "wrong", why: read.kind === "none" ? words.birthdayUnread : words.birthdayImpossible };
    },
  },
  ssn4: {
    label: (words) => words.ssn4,
    hint: (words) => words.ssn4Hint,
    attributes: { inputMode: "numeric", autoComplete: "off" },
    mask: ssn4Mask,
    isComplete: (typed) => typed.length === 4,
    read: (typed, words) =>
      /^\d{4}$/.test(plainText(typed))
        ? { kind: "inputs", inputs: { ssn4: plainText(typed) } }
        : { kind: "wrong", why: words.ssn4Unread },
  },
};

/** Whether the text is another date to people who write the day first. Only those of English are used to the month. */
function isAmbiguous(typed: string, { language }: Words): boolean {
  return language !== "en" && hasTwoOrders(typed);
}

/** Maximum distinct wrong values of an input. The service has the same limit. */
const triesMax = 3;

/**
 * Counts the distinct wrong values of each input. Earlier visits also count at the service, so fewer tries may be left.
 */
export function useTries() {
  const wrong = useRef(new Set<string>());
  return {
    /** Notes a wrong value. Returns how many tries are left at most. */
    leftAfter(inputs: Inputs): number {
      const [name = ""] = Object.keys(inputs);
      wrong.current.add(JSON.stringify(inputs));
      const used = [...wrong.current].filter((one) => one.startsWith(`{"${name}"`)).length;
      return Math.max(0, triesMax - used);
    },
    /** Clears the counts. The service refuses further tries for now, and later starts from zero. */
    clear: () => wrong.current.clear(),
  };
}

/** `isMismatch`: the service compared the value, and it is wrong. */
type Trouble = { text: string; isMismatch?: boolean };
type Props = {
  input: QuestionInput;
  /** Sends the answer. Returns the problem to show, or null if another screen follows. */
  send(inputs: Inputs): Promise<Trouble | null>;
  /** Actions next to the submit button. */
  children?: ComponentChildren;
};

/**
 * Asks for one input that only the person knows. Use the input as the component's `key`, so that each question starts
 * empty.
 */
export function QuestionForm({ input: asked, send, children }: Props) {
  const { words } = useLanguage();
  const question = questions[asked];
  const [typed, setTyped] = useState("");
  const [trouble, setTrouble] = useState<Trouble>();
  const [isSending, setSending] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const refuse = (next: Trouble) => {
    setTrouble(next);
    input.current?.focus();
  };
  const running = useRef(false);
  const submit = async (text = typed) => {
    sending.cancel();
    if (running.current) return;
    const read = question.read(text, words);
    if (read.kind === "wrong") return refuse({ text: read.why });
    running.current = true;
    setSending(true);
    setTrouble(undefined);
    const next = await send(read.inputs);
    running.current = false;
    setSending(false);
    if (next !== null) refuse(next);
  };
  const sending = useAutoSubmit((text) => void submit(text));
  const type = (event: Edit["event"]) => {
    const box = event.currentTarget;
    const text = question.mask === undefined ? box.value : maskInput({ event, before: typed }, question.mask);
    setTyped(text);
    // Password managers may report a text twice. A repeat must not stop a complete answer that is about to be sent.
    if (text === typed) return;
    sending.cancel();
    setTrouble(undefined);
    if (question.isComplete?.(text, words) === true) sending.complete(box, typed);
  };
  return (
    <Form onSubmit={() => submit()}>
      <Field
        id="answer"
        label={question.label(words)}
        hint={question.hint(words, typed)}
        error={trouble?.text}
        isSteady
        // A hint and a mismatch have one line each, except for the SSN.
        keepsHint={trouble?.isMismatch === true && asked !== "ssn4"}
        inputRef={input}
        input={{
          type: "text",
          ...question.attributes,
          value: typed,
          readOnly: isSending,
          onInput: type,
        }}
      />
      <Status isBusy={isSending} trouble={trouble?.text} doing={words.checking} />
      <div class="actions">
        <CallButton type="submit" class="button main" busy={isSending ? words.checking : undefined}>
          {words.proceed}
        </CallButton>
        {children}
      </div>
    </Form>
  );
}
