/**
 * One signup on the stage. It plays the brand's page: it asks the brand's server for a session, shows the wallet with the
 * SDK, and sends the result to the server. Each change follows a real call, text or callback.
 */
import type { ServerCall } from "@countersign/contract/stage";
import { isRecord } from "../api/client.ts";
import { api } from "./api.ts";
import type { ArrowId } from "./arrows.ts";
import type { Scenario } from "./scenarios.ts";
import { type Board, type End, openBoard, type Visit } from "./visit.ts";
import { readCall } from "./wallet-calls.ts";
import { watchCalls } from "./watch-calls.ts";

type SdkResult = { outcome: string; type: string; identityUuid: string | null; healthDataUuid: string | null };
type SdkOptions = {
  sessionKey: string;
  walletUrl: string;
  onResult(result: SdkResult): void;
  onError(error: { reason: string }): void;
};
type SdkClass = new (options: SdkOptions) => { show(place: Element): void; destroy(): void };

declare global {
  interface Window {
    Countersign?: SdkClass;
  }
}

/** How often and how many times the outbox is read for a text. */
const textPollMs = 300;
const textPollsMax = 60;

export type Signup = ReturnType<typeof openSignup>;

export function openSignup(scenario: Scenario, onChange: (visit: Visit) => void) {
  const closing = new AbortController();
  const { signal } = closing;
  const board = openBoard(scenario, (visit) => {
    if (!signal.aborted) onChange(visit);
  });
  let page: string | undefined;
  const onCall = readCall({
    light: board.light,
    onPage: (name) => {
      page = name;
    },
    onText: (to, since) => void readTexts(board, { to, since, signal }),
  });
  watchFrame(onCall, signal);
  return {
    get visit() {
      return board.visit;
    },
    isIdle: board.isIdle,
    isQuick: board.isQuick,
    replay: board.replay,
    /** What the button of the brand's page does. */
    async begin(place: Element): Promise<void> {
      const { screen, trouble } = board.visit;
      if (screen !== "start" || trouble !== undefined) return;
      board.update({ screen: "wallet" });
      const asked = board.light("ask");
      const call = await callAsServer(board, "session", { call: "createSession" });
      const sessionKey = isRecord(call?.answer) ? call.answer.sessionKey : undefined;
      if (signal.aborted || call === null) return;
      if (typeof sessionKey !== "string" || window.Countersign === undefined)
        return board.later(() => ({ trouble: "The service refused a session. Press Restart." }));
      asked({ answer: "session key" });
      const sdk = new window.Countersign({
        sessionKey,
        walletUrl: window.location.origin,
        onResult: (result) => void finish(board, result),
        onError: ({ reason }) => end(board, endOf(reason, undefined)),
      });
      sdk.show(place);
      signal.addEventListener("abort", () => sdk.destroy());
    },
    /** Lets the lifetime of the code pass, for this signup only. */
    async expire(): Promise<void> {
      if (page === undefined) return;
      const passed = board.light("later");
      const outcome = await api.expireStageCode({ body: { page } });
      if (outcome.kind === "trouble") board.update({ trouble: outcome.trouble });
      passed();
    },
    close(): void {
      closing.abort();
      board.close();
    },
  };
}

/** Watches the wallet's calls. The frame's first message comes before its first call. */
function watchFrame(onCall: ReturnType<typeof readCall>, signal: AbortSignal): void {
  const onHello = ({ source, data }: MessageEvent<unknown>) => {
    const frame = document.querySelector<HTMLIFrameElement>("[data-countersign] iframe")?.contentWindow;
    if (frame === null || frame === undefined || source !== frame) return;
    if (isRecord(data) && data.type === "hello") watchCalls(frame, onCall);
  };
  window.addEventListener("message", onHello, { signal });
}

type Body = Parameters<typeof api.callAsBrand>[0]["body"];

/** A call of the brand's server, which the brand's page causes. Null if the stage got no answer. */
async function callAsServer(board: Board, arrow: ArrowId, body: Omit<Body, "brand">): Promise<ServerCall | null> {
  const ended = board.light(arrow);
  const outcome = await api.callAsBrand({ body: { ...body, brand: board.visit.scenario.brand } });
  if (outcome.kind === "trouble") {
    ended({ isRefused: true });
    board.later(() => ({ trouble: outcome.trouble }));
    return null;
  }
  const call = outcome.value;
  ended({ isRefused: call.status >= 400, answer: `${answerOf(call)} · ${call.durationMs} ms` });
  board.addLine({ call });
  return call;
}

type Expected = { to: string; since: number; signal: AbortSignal };

/** Waits until the outbox has the text. */
async function readTexts(board: Board, { to, since, signal }: Expected): Promise<void> {
  const ended = board.light("text");
  for (let polls = 0; polls < textPollsMax && !signal.aborted; polls += 1) {
    const outcome = await api.listStageTexts({ body: { to, since } });
    const [newest] = outcome.kind === "ok" ? outcome.value.data : [];
    if (newest !== undefined && !board.visit.texts.some(({ id }) => id === newest.id)) {
      ended({ answer: "sent", result: "" });
      return board.later(() => ({ texts: [...board.visit.texts, newest] }));
    }
    await new Promise((resolve) => setTimeout(resolve, textPollMs));
  }
  ended({ isRefused: true, answer: "no text arrived" });
}

/** The page sends the result to its server, which reads what it may read. */
async function finish(board: Board, { type, outcome, identityUuid, healthDataUuid }: SdkResult): Promise<void> {
  const told = board.light("result", { title: `Reports ${type}` });
  const uuid = identityUuid ?? undefined;
  const read = uuid === undefined ? null : await callAsServer(board, "read", { call: "readOneClick", uuid });
  const health =
    healthDataUuid !== null && outcome === "shared"
      ? await callAsServer(board, "health", { call: "readHealthLookup", uuid: healthDataUuid })
      : null;
  told();
  end(board, { ...endOf(type, read?.answer), insurance: insuranceIn(health?.answer) });
}

function end(board: Board, ending: End): void {
  const answered = board.light("end");
  board.addLine({ said: ending.why });
  answered(
    ending.isOpen
      ? { answer: "signed up", result: "Richard is signed up" }
      : { answer: "shows its own form", result: "it shows its own form" },
  );
  board.later(() => ({ screen: "end", end: ending }));
}

function answerOf({ status, answer }: ServerCall): string {
  const code = isRecord(answer) && isRecord(answer.data) ? answer.data.errorCode : undefined;
  return typeof code === "string" ? `${status} ${code}` : String(status);
}

const reasons: Readonly<Record<string, string>> = {
  USER_OPTED_OUT: "The person did not share. The server shows its own form.",
  NO_CREDENTIALS_FOUND: "No source knows the person. The server shows its own form.",
  RISK_SCORE_TOO_HIGH: "The risk score is too high. The server shows its own form.",
  MAX_INPUT_ATTEMPTS_EXCEEDED: "The answers were wrong too often. The server shows its own form.",
  MAX_VERIFICATION_CODE_ATTEMPTS_EXCEEDED: "The code was wrong too often. The server shows its own form.",
};

/** What the brand's server does with a result, from what it read itself. */
function endOf(type: string, read: unknown): End {
  const credentials = isRecord(read) && isRecord(read.credentials) ? read.credentials : {};
  const isOpen = Object.keys(credentials).length > 0;
  const why = isOpen
    ? "The server has the details, and signs the person up."
    : (reasons[type] ?? "The session ended. The server shows its own form.");
  return { isOpen, why, credentials, phone: phoneIn(read), insurance: undefined };
}

/** The verified phone in an answer. A refusal has it in `data`. */
function phoneIn(read: unknown): string | undefined {
  const answer = isRecord(read) && isRecord(read.data) ? read.data : read;
  const identifiers = isRecord(answer) && isRecord(answer.identifiers) ? answer.identifiers : {};
  return typeof identifiers.phone === "string" ? identifiers.phone : undefined;
}

/** The plan that the person shared, such as "Aetna, member A484069, active". */
function insuranceIn(answer: unknown): string | undefined {
  const [plan] = isRecord(answer) && Array.isArray(answer.results) ? answer.results : [];
  if (!isRecord(plan)) return undefined;
  const { payer, memberId, eligibility } = plan;
  const parts = [
    isRecord(payer) ? payer.name : undefined,
    memberId && `member ${memberId}`,
    isRecord(eligibility) ? eligibility.coverageStatus : undefined,
  ];
  return parts.filter((part) => typeof part === "string" && part !== "").join(", ");
}
