import { consentTexts, sharedDetails } from "@countersign/contract/consent";
import { inLine } from "@countersign/contract/names";
import type { BrandLook, PageView, ReviewField } from "@countersign/contract/wallet";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { api, type Body, bySession, type Outcome } from "../api.ts";
import { CallButton } from "../call-button.tsx";
import { ConsentPiece, onView, useConsent } from "../consent.tsx";
import { DecisionBar } from "../decision-bar.tsx";
import { Frame } from "../frame.tsx";
import { useHost } from "../host.ts";
import { actionTrouble, useLanguage } from "../language.tsx";
import { sharedSoFar } from "../sharing-state.ts";
import { canUseStateId, StateIdButton } from "../state-id.tsx";
import { ChangedNotice, Problem, Progress } from "../status.tsx";
import { isComposite, labelInSentence, labelOf, shownValue, type TypedParts } from "../values.tsx";
import type { Words } from "../words-en.ts";
import { IdConflicts } from "./confirm-id.tsx";
import { Decline, StillGets } from "./decline.tsx";
import { EditScreen, isOneField, type Missing } from "./edit.tsx";
import type { Problems } from "./edit-reading.ts";
import { Row } from "./review-row.tsx";

type Props = { session: string; page: string | null; view: PageView; onOutcome(outcome: Outcome<PageView>): void };
type Typed = Record<string, TypedParts>;

/** Shows the values to share. The person can choose, correct, and decide. */
export function ReviewScreen({ session, page, view, onOutcome }: Props) {
  const { words } = useLanguage();
  const fields = view.fields ?? [];
  const [choices, setChoices] = useState<Record<string, number>>({});
  const [typed, setTyped] = useState<Typed>({});
  const [leftOut, setLeftOut] = useState<readonly string[]>([]);
  const [problems, setProblems] = useState<Problems>({});
  const missing = missingOf(words, fields);
  const [mode, setMode] = useState<"missing" | "edit" | "review">(missing.count > 0 ? "missing" : "review");
  const sharing = useConsent(consentTexts.share);
  const declining = useConsent(consentTexts.decline);
  const decision = useDecision({ session, onOutcome });
  const chosenOf = (field: ReviewField) => field.choices[choices[field.key] ?? 0];

  const offersId = mode === "missing" && view.stateId?.state === "offered" && canUseStateId();
  const decline = () => void decision.decide({ share: false, consent: onView(declining.shown, view) });
  if (mode !== "review")
    return (
      <EditScreen
        key={mode}
        view={view}
        fields={fields.filter(({ key }) => !leftOut.includes(key))}
        chosenOf={chosenOf}
        typed={typed}
        problems={problems}
        {...(mode === "missing" ? { missing } : {})}
        other={
          offersId ? (
            <div class="other">
              <StateIdButton session={session} orType onOutcome={onOutcome} />
              <p class="about">{words.stateId.says}</p>
            </div>
          ) : null
        }
        instead={<WalletApp {...{ session, page, missing }} isBesideId={offersId} />}
        isTypingSecond={offersId}
        running={decision.running}
        trouble={decision.trouble}
        onSave={(next, emptied) => {
          setTyped({ ...Object.fromEntries(leftOut.flatMap((key) => asEntry(key, typed[key]))), ...next });
          setLeftOut([...leftOut, ...emptied]);
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
  const kept = fields.filter(({ key }) => !leftOut.includes(key));
  const shared = kept.filter((field) => shownValue(field, chosenOf(field), typed[field.key]) !== null);
  const share = async () => {
    const edits = editsOf(kept, typed);
    const consent = onView(sharing.shown, view);
    const refused = await decision.decide({ share: true, choices, edits, leftOut: [...leftOut], consent });
    if (Object.keys(refused).length === 0) return;
    setProblems(refused);
    setMode("edit");
  };
  const hasId = shared.some((field) =>
    shownValue(field, chosenOf(field), typed[field.key])?.sources.some(({ method }) => method === "government_id"),
  );
  const { name } = view.brand;
  const doing = decision.running === "share" ? words.sharing : words.working;
  return (
    <Frame step="review" title={words.reviewTitle(name)} brand={view.brand} word={view.title}>
      <p class="lead">
        {decision.trouble !== undefined && sharedSoFar() === "unknown"
          ? words.reviewUnsure
          : (view.description ?? words.reviewText)}
      </p>
      <ChangedNotice view={view} />
      <IdConflicts view={view} />
      <Details
        {...{ fields, typed, choices, leftOut }}
        onEdit={() => setMode("edit")}
        onChoose={(key, index) => setChoices({ ...choices, [key]: index })}
        onSwitch={(key) => setLeftOut(leftOut.includes(key) ? leftOut.filter((one) => one !== key) : [...leftOut, key])}
      />
      <Deciding
        {...{ brand: view.brand, shared, leftOut, text: sharing.pieces.text, hasId, decision, doing }}
        onShare={() => void share()}
        onDecline={decline}
      />
      <Progress text={decision.running === null ? undefined : doing} />
    </Frame>
  );
}

type DecidingProps = {
  brand: BrandLook;
  /** The details to share. */
  shared: readonly ReviewField[];
  leftOut: readonly string[];
  /** The text that Share agrees to. */
  text: string;
  /** Whether a detail to share comes from a state ID. */
  hasId: boolean;
  decision: Pick<ReturnType<typeof useDecision>, "running" | "trouble">;
  /** What the running call does. */
  doing: string;
  onShare(): void;
  onDecline(): void;
};

/** The text and the buttons of the decision. */
function Deciding({ brand, shared, leftOut, text, hasId, decision, doing, onShare, onDecline }: DecidingProps) {
  const { words } = useLanguage();
  const { running, trouble } = decision;
  const isNothing = shared.length === 0 && leftOut.length > 0;
  return (
    <DecisionBar
      terms={
        <p class="fine" id="consent" tabIndex={-1} data-consent>
          {isNothing ? (
            words.nothingOn
          ) : (
            <ConsentPiece piece={text} brand={brand.name} details={sharedDetails(shared, words.language, { hasId })} />
          )}
        </p>
      }
      trouble={trouble}
      buttons={(isUnread) => (
        <div class="actions pair">
          <CallButton
            class="button main"
            aria-describedby="consent"
            busy={running === "share" ? doing : undefined}
            isHeld={running !== null || isNothing}
            onClick={onShare}
          >
            {isUnread ? words.readOn : shared.length === 0 ? words.share : words.shareCount(shared.length)}
          </CallButton>
          <Decline running={running} onDecline={onDecline} />
        </div>
      )}
      after={<StillGets brand={brand} />}
    />
  );
}

type DetailsProps = {
  fields: ReviewField[];
  typed: Typed;
  choices: Record<string, number>;
  /** The keys of the details that the person does not share. */
  leftOut: readonly string[];
  onEdit(): void;
  onChoose(key: string, index: number): void;
  onSwitch(key: string): void;
};

/** The list of values. Optional values that were not found share one line. */
function Details({ fields, typed, choices, leftOut, onEdit, onChoose, onSwitch }: DetailsProps) {
  const { words } = useLanguage();
  const shownOf = (field: ReviewField) => shownValue(field, field.choices[choices[field.key] ?? 0], typed[field.key]);
  // The head stays while every detail is off, so that the list does not move.
  const editable = fields.filter(({ inputs }) => inputs.length > 0);
  const lacking = fields.filter((field) => field.mandatory !== "yes" && shownOf(field) === null);
  return (
    <div class="list">
      {editable.length > 0 ? (
        <div class="head">
          <span>{words.yourDetails}</span>
          <button
            type="button"
            class="link"
            disabled={editable.every(({ key }) => leftOut.includes(key))}
            onClick={onEdit}
          >
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
            isLeftOut={leftOut.includes(field.key)}
            onChoose={(index) => onChoose(field.key, index)}
            onSwitch={() => onSwitch(field.key)}
          />
        ))}
      {lacking.length === 0 ? null : (
        <p class="row lacking">{words.notFound(inLine(lacking.map((field) => labelOf(words, field))))}</p>
      )}
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
    (input) =>
      input.mandatory === "yes" && (isComposite(field) ? found?.parts?.[input.key] === undefined : found === undefined),
  );
  if (found !== undefined)
    return lacking.length === 0
      ? []
      : [{ field: { ...field, inputs: lacking }, count: lacking.length, isWhole: false }];
  const isNeeded = field.inputs.length > 0 && (field.mandatory === "yes" || lacking.length > 0);
  return isNeeded ? [{ field, count: 1, isWhole: true }] : [];
}

function asEntry(key: string, parts: TypedParts | undefined): [string, TypedParts][] {
  return parts === undefined ? [] : [[key, parts]];
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

type WalletAppProps = { session: string; page: string | null; missing: Missing; isBesideId: boolean };

/**
 * Lets a wallet app on this device add what is missing. It returns to this browser, so a page that an attacker forwards
 * never gets the person's details. Not available in a frame, because the wallet app could not return to it.
 */
function WalletApp({ session, page, missing, isBesideId }: WalletAppProps) {
  const { words } = useLanguage();
  const { embedded } = useHost();
  const [request, setRequest] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const isUseful = missing.fields.some(({ choices }) => choices.length === 0);
  if (embedded || page === null || !isUseful) return null;
  const begin = async () => {
    setTrouble(undefined);
    setBusy(true);
    const outcome = await api.beginPresentation({ ...bySession(session), body: { page } });
    setBusy(false);
    if (outcome.kind === "ok") return setRequest(outcome.value.request);
    const { code } = outcome.trouble;
    setTrouble(code === "BROKEN" ? words.walletAppNone : actionTrouble(words, code));
  };
  if (request !== undefined)
    return (
      <div class="other">
        <p class="about">{words.walletAppText}</p>
        <a class="button" href={request}>
          {words.walletAppOpen}
        </a>
      </div>
    );
  return (
    <div class="other">
      <CallButton class="link" busy={isBusy ? words.working : undefined} onClick={() => void begin()}>
        {isBesideId ? words.walletAppBesideId : words.walletApp}
      </CallButton>
      <Problem text={trouble} />
    </div>
  );
}
