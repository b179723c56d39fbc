/** The state ID in the wallet app of the person's phone, which the browser's Digital Credentials API asks for. */
import type { StateIdReason } from "@countersign/contract/errors";
import type { PageView } from "@countersign/contract/wallet";
import { IdCard } from "lucide";
import { useState } from "preact/hooks";
import { Icon } from "../ui/icon.tsx";
import { type Answer, api, bySession, type Outcome } from "./api.ts";
import { CallButton } from "./call-button.tsx";
import { actionTrouble, useLanguage } from "./language.tsx";
import { Problem, Progress } from "./status.tsx";
import { fromTestWallet, testWallet, type WalletAnswer } from "./test-wallet.ts";
import type { Words } from "./words-en.ts";

type Requests = Answer<"askStateId">["requests"];

const hasApi = () => "DigitalCredential" in window;

/** Whether this browser has a way to a state ID. */
export function canUseStateId(): boolean {
  return hasApi() || testWallet() !== undefined;
}

/** Asks the wallet apps of this device, or of a phone that the browser connects to. */
async function fromWalletApp(requests: Requests): Promise<WalletAnswer> {
  // The types of the DOM do not have the API yet.
  const options: object = { digital: { requests }, mediation: "required" };
  const found: unknown = await navigator.credentials.get(options).catch(() => null);
  if (!isObject(found)) return null;
  const asked = requests.find(({ protocol }) => protocol === found.protocol);
  return asked !== undefined && isObject(found.data) ? { protocol: asked.protocol, data: found.data } : null;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Whether a person whom no source knows can use a state ID instead. The page ends only once they do not want to. */
export function offersIdInstead({ step, stateId }: PageView): boolean {
  return step === "error" && stateId?.state === "offered" && canUseStateId();
}

type Props = {
  session: string;
  /** Whether it is the screen's main button. */
  isMain?: boolean;
  /** Whether the person can type on this screen instead. */
  orType?: boolean;
  onOutcome(outcome: Outcome<PageView>): void;
};

/** The button that uses a state ID. Nothing is asked before the person presses it. */
export function StateIdButton({ session, isMain = false, orType = false, onOutcome }: Props) {
  const { words } = useLanguage();
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const use = async (isTest: boolean) => {
    setTrouble(undefined);
    setBusy(true);
    const problem = await useStateId(words, { session, isTest, orType, onOutcome });
    setBusy(false);
    setTrouble(problem ?? undefined);
  };
  const hasOther = trouble !== undefined && hasApi() && testWallet() !== undefined;
  return (
    <>
      <CallButton
        class={isMain ? "button main" : "button"}
        busy={isBusy ? words.stateId.waiting : undefined}
        onClick={() => void use(!hasApi())}
      >
        <span class="with-icon">
          <Icon node={IdCard} />
          {words.stateId.button}
        </span>
      </CallButton>
      <Problem text={trouble} />
      {hasOther ? (
        <CallButton class="link" isHeld={isBusy} onClick={() => void use(true)}>
          {words.stateId.test}
        </CallButton>
      ) : null}
      <Progress text={isBusy ? words.stateId.waiting : undefined} />
    </>
  );
}

/** Asks for the ID and sends the answer. Returns the problem to show, or null if another screen follows. */
async function useStateId(
  words: Words,
  {
    session,
    isTest,
    orType,
    onOutcome,
  }: Required<Pick<Props, "session" | "orType" | "onOutcome">> & { isTest: boolean },
): Promise<string | null> {
  // Browsers open a window only right after the press.
  const opened = isTest ? fromTestWallet() : undefined;
  const asked = await api.askStateId(bySession(session));
  if (asked.kind === "trouble") {
    opened?.close();
    return actionTrouble(words, asked.trouble.code);
  }
  const { request, requests } = asked.value;
  const answer = await (opened === undefined ? fromWalletApp(requests) : opened.answerTo(requests));
  if (answer === null) return refusedText(words, "none", orType);
  const outcome = await api.answerStateId({ ...bySession(session), body: { request, ...answer } });
  if (outcome.kind === "ok" || outcome.trouble.code === "OCE015") {
    onOutcome(outcome);
    return null;
  }
  const { code, reason } = outcome.trouble;
  return isRefusal(reason) ? refusedText(words, reason, orType) : actionTrouble(words, code);
}

/** What the person can do after each refusal. */
const nextAfter = {
  none: "again",
  over: "again",
  unreadable: "again",
  declined: "again",
  notGenuine: "again",
  unknownAuthority: "other",
  expired: "update",
  notYetValid: "other",
  revoked: "other",
  uncheckable: "again",
  otherPerson: "own",
  contradicts: "update",
} as const satisfies Record<"none" | StateIdReason, keyof Words["stateId"]["next"]>;
type Refusal = keyof typeof nextAfter;
const isRefusal = (reason: string | undefined): reason is Refusal =>
  reason !== undefined && Object.hasOwn(nextAfter, reason);

function refusedText({ stateId }: Words, refusal: Refusal, orType: boolean): string {
  return `${stateId.refused[refusal]} ${stateId.next[nextAfter[refusal]][orType ? "orType" : "alone"]}`;
}
