import { consentTexts } from "@countersign/contract/consent";
import type { PageView, ReviewField } from "@countersign/contract/wallet";
import { useState } from "preact/hooks";
import { api, type Body, bySession, type Outcome } from "../api.ts";
import { ConsentPiece, useConsent } from "../consent.tsx";
import { Frame } from "../frame.tsx";
import { inlineTrouble, useLanguage } from "../language.tsx";
import { Notice } from "../status.tsx";
import { type Choice, isComposite, labelOf, shownValue, type TypedParts, ValueText } from "../values.tsx";
import type { Words } from "../words-en.ts";
import { EditScreen, type Problems } from "./edit.tsx";

type Props = { session: string; view: PageView; onOutcome(outcome: Outcome<PageView>): void };
type Typed = Record<string, TypedParts>;

/** Shows the values to share. The person can choose, correct, and decide. */
export function ReviewScreen({ session, view, onOutcome }: Props) {
  const { words } = useLanguage();
  const fields = view.fields ?? [];
  const [choices, setChoices] = useState<Record<string, number>>({});
  const [typed, setTyped] = useState<Typed>({});
  const [problems, setProblems] = useState<Problems>({});
  const [isEditing, setEditing] = useState(() => fields.some(isNeeded));
  const sharing = useConsent(consentTexts.share);
  const declining = useConsent(consentTexts.decline);
  const decision = useDecision({ session, onOutcome });
  const chosenOf = (field: ReviewField) => field.choices[choices[field.key] ?? 0];

  if (isEditing)
    return (
      <EditScreen
        view={view}
        chosenOf={chosenOf}
        typed={typed}
        problems={problems}
        trouble={decision.trouble}
        onSave={(next) => {
          setTyped(next);
          setProblems({});
          setEditing(false);
        }}
        onCancel={() => {
          setProblems({});
          setEditing(false);
        }}
        onDecline={() => void decision.decide({ share: false, consent: declining.shown })}
      />
    );
  const share = async () => {
    const edits = editsOf(fields, typed);
    const refused = await decision.decide({ share: true, choices, edits, consent: sharing.shown });
    if (Object.keys(refused).length === 0) return;
    setProblems(refused);
    setEditing(true);
  };
  const { name } = view.brand;
  return (
    <Frame step="review" title={words.reviewTitle} brand={view.brand} word={view.title}>
      {view.description === undefined ? null : <p class="lead">{view.description}</p>}
      <p class="lead">{words.reviewText(name)}</p>
      <div class="list">
        {fields.some((field) => field.inputs.length > 0) ? (
          <div class="head">
            <span>{words.yourDetails}</span>
            <button type="button" class="link" onClick={() => setEditing(true)}>
              {words.edit}
            </button>
          </div>
        ) : null}
        {fields.map((field) => (
          <Row
            key={field.key}
            field={field}
            typed={typed[field.key]}
            chosen={choices[field.key] ?? 0}
            onChoose={(index) => setChoices({ ...choices, [field.key]: index })}
          />
        ))}
      </div>
      <p class="fine said" id="consent" data-consent>
        <ConsentPiece piece={sharing.pieces.text} brand={name} />
      </p>
      <p class="status" role="status">
        {decision.isSending ? words.working : ""}
      </p>
      <Notice text={decision.trouble} />
      <div class="actions">
        <button type="button" class="button main" aria-describedby="consent" onClick={() => void share()}>
          {words.share}
        </button>
        <button
          type="button"
          class="button"
          onClick={() => void decision.decide({ share: false, consent: declining.shown })}
        >
          {declining.pieces.button}
        </button>
      </div>
    </Frame>
  );
}

/** Whether the person must enter the value: none was found, and the brand requires it. */
function isNeeded(field: ReviewField): boolean {
  if (field.inputs.length === 0) return false;
  const parts = field.choices[0]?.parts;
  const lacksPart = field.inputs.some(
    (input) => input.mandatory && input.key !== field.key && parts?.[input.key] === undefined,
  );
  const absent = field.choices.length === 0;
  return absent ? field.mandatory === "yes" || lacksPart : lacksPart;
}

function editsOf(fields: ReviewField[], typed: Typed): Record<string, string | TypedParts> {
  return Object.fromEntries(
    fields.flatMap((field): [string, string | TypedParts][] => {
      const parts = typed[field.key];
      if (parts === undefined) return [];
      return [[field.key, isComposite(field) ? parts : (parts[field.key] ?? "")]];
    }),
  );
}

/** Sends the decision. Returns the problems of the typed values. */
function useDecision({ session, onOutcome }: Pick<Props, "session" | "onOutcome">) {
  const { words } = useLanguage();
  const [isSending, setSending] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const decide = async (decision: Body<"decidePage">): Promise<Problems> => {
    if (isSending) return {};
    setSending(true);
    setTrouble(undefined);
    const outcome = await api.decidePage({ ...bySession(session), body: decision });
    setSending(false);
    if (outcome.kind === "ok" || outcome.trouble.code === "OCE015") {
      onOutcome(outcome);
      return {};
    }
    const { problems, code } = outcome.trouble;
    if (problems.length === 0) setTrouble(inlineTrouble(words, code));
    return Object.fromEntries(
      problems.map(({ path }) => [path.replace(/^body\.edits\./, ""), problemText(words, path)]),
    );
  };
  return { decide, isSending, trouble };
}

function problemText(words: Words, path: string): string {
  if (path.endsWith("email")) return words.badEmail;
  if (path.endsWith("ssn")) return words.badSsn;
  if (path.endsWith("zipCode")) return words.badZip;
  if (path.endsWith("state")) return words.badState;
  return path.endsWith("birthDate") ? words.birthdayImpossible : words.badValue;
}

type RowProps = { field: ReviewField; typed: TypedParts | undefined; chosen: number; onChoose(index: number): void };

function Row({ field, typed, chosen, onChoose }: RowProps) {
  const { words } = useLanguage();
  const name = labelOf(words, field);
  const about = field.description === undefined ? null : <p class="about">{field.description}</p>;
  if (field.choices.length > 1 && typed === undefined) {
    return (
      <fieldset class="row">
        <legend class="name">{words.chooseOne(name)}</legend>
        {about}
        {field.choices.map((choice, index) => (
          <label class="choice" key={textOf(choice)}>
            <input type="radio" name={field.key} checked={index === chosen} onChange={() => onChoose(index)} />
            <span class="value">
              <ValueText fieldKey={field.key} choice={choice} />
            </span>
          </label>
        ))}
      </fieldset>
    );
  }
  const value = shownValue(field, field.choices[chosen], typed);
  return (
    <dl class="row">
      <dt class="name">{name}</dt>
      <dd class="value">
        {about}
        {value === null ? (
          <span class={field.mandatory === "yes" ? "needed" : "missing"}>
            {field.mandatory === "yes" ? words.notFoundMandatory : words.notFound}
          </span>
        ) : (
          <ValueText fieldKey={field.key} choice={value} />
        )}
        {typed === undefined || value === null ? null : <span class="tag">{words.typed}</span>}
      </dd>
    </dl>
  );
}

function textOf({ text, parts }: Choice): string {
  return text ?? JSON.stringify(parts);
}
