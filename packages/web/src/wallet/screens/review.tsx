import { consentTexts } from "@countersign/contract/consent";
import { inLine, inSentence } from "@countersign/contract/names";
import type { PageView, ReviewField, ValueSource } from "@countersign/contract/wallet";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { api, type Body, bySession, type Outcome } from "../api.ts";
import { CallButton } from "../call-button.tsx";
import { ConsentPiece, useConsent } from "../consent.tsx";
import { DecisionBar } from "../decision-bar.tsx";
import { Frame } from "../frame.tsx";
import { useLanguage } from "../language.tsx";
import { sharedSoFar } from "../sharing-state.ts";
import { Progress } from "../status.tsx";
import {
  type Choice,
  isComposite,
  labelInSentence,
  labelOf,
  shownValue,
  type TypedParts,
  ValueText,
} from "../values.tsx";
import type { Words } from "../words-en.ts";
import { Decline, StillGets } from "./decline.tsx";
import { EditScreen, isOneField, type Missing, type Problems } from "./edit.tsx";
import { WalletApp } from "./wallet-app.tsx";

type Props = { session: string; page: string | null; view: PageView; onOutcome(outcome: Outcome<PageView>): void };
type Typed = Record<string, TypedParts>;

/** Shows the values to share. The person can choose, correct, and decide. */
export function ReviewScreen({ session, page, view, onOutcome }: Props) {
  const { words } = useLanguage();
  const fields = view.fields ?? [];
  const [choices, setChoices] = useState<Record<string, number>>({});
  const [typed, setTyped] = useState<Typed>({});
  const [problems, setProblems] = useState<Problems>({});
  const missing = missingOf(words, fields);
  const [mode, setMode] = useState<"missing" | "edit" | "review">(missing.count > 0 ? "missing" : "review");
  const [isSourced, setSourced] = useState(false);
  const sharing = useConsent(consentTexts.share);
  const declining = useConsent(consentTexts.decline);
  const decision = useDecision({ session, onOutcome });
  const chosenOf = (field: ReviewField) => field.choices[choices[field.key] ?? 0];

  const decline = () => void decision.decide({ share: false, consent: declining.shown });
  if (mode !== "review")
    return (
      <EditScreen
        key={mode}
        view={view}
        chosenOf={chosenOf}
        typed={typed}
        problems={problems}
        {...(mode === "missing" ? { missing } : {})}
        other={
          missing.fields.some(({ choices: found }) => found.length === 0) ? <WalletApp {...{ session, page }} /> : null
        }
        running={decision.running}
        trouble={decision.trouble}
        onSave={(next) => {
          setTyped(next);
          setProblems({});
          setMode("review");
        }}
        onCancel={() => {
          setProblems({});
          setMode("review");
        }}
        onDecline={decline}
      />
    );
  const share = async () => {
    const edits = editsOf(fields, typed);
    const refused = await decision.decide({ share: true, choices, edits, consent: sharing.shown });
    if (Object.keys(refused).length === 0) return;
    setProblems(refused);
    setMode("edit");
  };
  const { name } = view.brand;
  const doing = decision.running === "share" ? words.sharing : words.working;
  return (
    <Frame step="review" title={words.reviewTitle(name)} brand={view.brand} word={view.title}>
      {view.description === undefined ? null : <p class="lead">{view.description}</p>}
      <p class="lead">
        {decision.trouble !== undefined && sharedSoFar() === "unknown" ? words.reviewUnsure : words.reviewText}
      </p>
      <Details
        {...{ fields, typed, choices, isSourced }}
        onEdit={() => setMode("edit")}
        onChoose={(key, index) => setChoices({ ...choices, [key]: index })}
        onSources={() => setSourced(!isSourced)}
      />
      <DecisionBar
        terms={
          <p class="fine" id="consent" data-consent>
            <ConsentPiece piece={sharing.pieces.text} brand={name} />
          </p>
        }
        trouble={decision.trouble}
        buttons={
          <div class="actions pair">
            <CallButton
              class="button main"
              aria-describedby="consent"
              busy={decision.running === "share" ? doing : undefined}
              isHeld={decision.running !== null}
              onClick={() => void share()}
            >
              {words.share}
            </CallButton>
            <Decline running={decision.running} onDecline={decline} />
          </div>
        }
        after={<StillGets brand={name} />}
      />
      <Progress text={decision.running === null ? undefined : doing} />
    </Frame>
  );
}

type DetailsProps = {
  fields: ReviewField[];
  typed: Typed;
  choices: Record<string, number>;
  /** Whether each value shows where it comes from. */
  isSourced: boolean;
  onEdit(): void;
  onChoose(key: string, index: number): void;
  onSources(): void;
};

/** The list of values. Optional values that were not found share one line. */
function Details({ fields, typed, choices, isSourced, onEdit, onChoose, onSources }: DetailsProps) {
  const { words } = useLanguage();
  const shownOf = (field: ReviewField) => shownValue(field, field.choices[choices[field.key] ?? 0], typed[field.key]);
  const lacking = fields.filter((field) => field.mandatory !== "yes" && shownOf(field) === null);
  return (
    <div class="list">
      {fields.some((field) => field.inputs.length > 0) ? (
        <div class="head">
          <span>{words.yourDetails}</span>
          <button type="button" class="link" onClick={onEdit}>
            {words.edit}
          </button>
        </div>
      ) : null}
      {fields
        .filter((field) => !lacking.includes(field))
        .map((field) => (
          <Row
            key={field.key}
            field={field}
            typed={typed[field.key]}
            chosen={choices[field.key] ?? 0}
            isSourced={isSourced}
            onChoose={(index) => onChoose(field.key, index)}
          />
        ))}
      {lacking.length === 0 ? null : (
        <p class="row lacking">{words.notFound(inLine(lacking.map((field) => labelOf(words, field))))}</p>
      )}
      <button type="button" class="sources" aria-expanded={isSourced} onClick={onSources}>
        {words.sourcesTitle}
      </button>
    </div>
  );
}

/** What the person must enter before the review: missing values, and missing parts of found ones. */
function missingOf(words: Words, fields: ReviewField[]): Missing {
  const all = fields.flatMap(missingIn);
  const [first] = all;
  const isAddress = all.length === 1 && first?.isWhole === false && first.field.key === "address";
  const named = first?.isWhole === false && !isOneField(first.field) ? first.field.inputs[0] : first?.field;
  return {
    fields: all.map(({ field }) => field),
    count: all.reduce((sum, { count }) => sum + count, 0),
    label: named === undefined ? undefined : labelInSentence(words, named.key),
    address: isAddress ? labelInSentence(words, "address") : undefined,
  };
}

function missingIn(field: ReviewField): { field: ReviewField; count: number; isWhole: boolean }[] {
  const [found] = field.choices;
  const lacking = field.inputs.filter(
    (input) => input.mandatory && (isComposite(field) ? found?.parts?.[input.key] === undefined : found === undefined),
  );
  if (found !== undefined)
    return lacking.length === 0
      ? []
      : [{ field: { ...field, inputs: lacking }, count: lacking.length, isWhole: false }];
  const isNeeded = field.inputs.length > 0 && (field.mandatory === "yes" || lacking.length > 0);
  return isNeeded ? [{ field, count: 1, isWhole: true }] : [];
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

/** Sends the decision. Returns the problems of typed values. */
function useDecision({ session, onOutcome }: Pick<Props, "session" | "onOutcome">) {
  const { words } = useLanguage();
  const [running, setRunning] = useState<"share" | "decline" | null>(null);
  const [trouble, setTrouble] = useState<ComponentChildren>();
  const decide = async (decision: Body<"decidePage">): Promise<Problems> => {
    if (running !== null) return {};
    setRunning(decision.share ? "share" : "decline");
    setTrouble(undefined);
    const outcome = await api.decidePage({ ...bySession(session), body: decision });
    setRunning(null);
    if (outcome.kind === "ok" || outcome.trouble.code === "OCE015") {
      onOutcome(outcome);
      return {};
    }
    const { problems, code } = outcome.trouble;
    if (problems.length === 0) setTrouble(undecided(words, code));
    return Object.fromEntries(
      problems.map(({ path }) => [path.replace(/^body\.edits\./, ""), problemText(words, path)]),
    );
  };
  return { decide, running, trouble };
}

/** The text after a failed decision: what failed, whether details were shared if that is certain, and what to do. */
function undecided({ undecided: failed, soFar, unsure, decideAgain }: Words, code: string) {
  const known = sharedSoFar();
  const kind = code === "LOST" || code === "BUSY" ? code : "BROKEN";
  return [failed[kind], ...(known === "unknown" ? [unsure] : [soFar[known], decideAgain[kind]])];
}

function problemText(words: Words, path: string): string {
  if (path.endsWith("email")) return words.badEmail;
  if (path.endsWith("ssn")) return words.badSsn;
  if (path.endsWith("zipCode")) return words.badZip;
  if (path.endsWith("state")) return words.badState;
  if (path.endsWith("amount")) return words.badAmount;
  return path.endsWith("birthDate") ? words.birthdayImpossible : words.badValue;
}

type RowProps = {
  field: ReviewField;
  typed: TypedParts | undefined;
  chosen: number;
  /** Whether each value shows where it comes from. */
  isSourced: boolean;
  onChoose(index: number): void;
};

function Row({ field, typed, chosen, isSourced, onChoose }: RowProps) {
  const { words } = useLanguage();
  const name = labelOf(words, field);
  const [isChoosing, setChoosing] = useState(false);
  const list = useRef<HTMLFieldSetElement>(null);
  useEffect(() => list.current?.querySelector<HTMLElement>("input:checked")?.focus(), [isChoosing]);
  const hasChoice = field.choices.length > 1 && typed === undefined;
  const description = field.description === undefined ? null : ` · ${field.description}`;
  if (hasChoice && isChoosing) {
    return (
      <fieldset class="row" ref={list}>
        <legend class="name">
          {words.chooseOne(name)}
          {description}
        </legend>
        {field.choices.map((choice, index) => (
          <label class="choice" key={textOf(choice)}>
            <input type="radio" name={field.key} checked={index === chosen} onChange={() => onChoose(index)} />
            <span class="value">
              <ValueText fieldKey={field.key} choice={choice} />
              {isSourced ? <span class="about">{sourcesText(words, choice.sources)}</span> : null}
            </span>
          </label>
        ))}
      </fieldset>
    );
  }
  const value = shownValue(field, field.choices[chosen], typed);
  const notes =
    value === null
      ? []
      : [
          ...(isSourced || typed !== undefined ? [sourcesText(words, value.sources)] : []),
          ...(hasHidden(value) ? [field.key === "birthDate" ? words.wholeDate : words.wholeNumber] : []),
        ];
  return (
    <dl class="row">
      <dt class="name">
        {name}
        {description}
      </dt>
      <dd class="value">
        {value === null ? (
          <span class="needed">{words.notFoundMandatory}</span>
        ) : (
          <ValueText fieldKey={field.key} choice={value} />
        )}
        {notes.map((note) => (
          <span class="about" key={note}>
            {note}
          </span>
        ))}
        {hasChoice ? (
          <button type="button" class="link more" onClick={() => setChoosing(true)}>
            {words.changeChoice(field.choices.length)}
            <span class="hidden"> {name}</span>
          </button>
        ) : null}
      </dd>
    </dl>
  );
}

/** The sources of a value, in one sentence. */
function sourcesText(words: Words, of: ValueSource[]): string {
  const textOfSource = ({ method, issuer }: ValueSource) =>
    issuer !== undefined ? words.fromIssuer(issuer) : method === null ? words.fromRecords : words.from[method];
  const found = new Set(of.map(textOfSource));
  const isTyped = found.delete(words.from.self_attested);
  const [first = words.from.self_attested, ...more] = found;
  const rest = new Intl.ListFormat(words.language).format([first, ...more.map(inSentence)]);
  return isTyped && found.size > 0 ? words.partlyEntered(inSentence(rest)) : rest;
}

/** Whether the row shows masked digits although the whole value is shared. */
function hasHidden(value: Choice): boolean {
  return value.text?.includes("•") === true;
}

function textOf({ text, parts }: Choice): string {
  return text ?? JSON.stringify(parts);
}
