import type { Input, Output } from "@countersign/contract/endpoint";
import type { PageView } from "@countersign/contract/wallet";
import { type Outcome as AnyOutcome, browserClient, errorData, type Problem, problemsIn } from "../api/client.ts";
import { type Endpoints, endpoints } from "./endpoints.ts";
import { noteShared, noteView } from "./sharing-state.ts";

/** Why a call failed: the service's error code, or what prevented a response. */
export type Trouble = {
  /**
   * A code of the catalog. `LOST`: no connection. `BUSY`: over a limit. `OVER`: no session. `CHANGED`: the state is
   * another one by now. `BROKEN`: everything else.
   */
  code: string;
  attemptsRemaining?: number;
  /** Why a state ID was refused. */
  reason?: string;
  /** The invalid members, by path. */
  problems: Problem[];
  requestId?: string;
};
export type Outcome<Value> = AnyOutcome<Value, Trouble>;
export type Answer<Name extends keyof Endpoints> = Output<Endpoints[Name]>;
/** A view of the page. `changed`: it replaces one on which the person decided when the page showed something else. */
export type Viewed = PageView & { changed?: true };
export type Body<Name extends keyof Endpoints> = Input<Endpoints[Name]>["body"];

/** How the wallet makes calls and reads errors. The timeout is long enough for the service to ask sources. */
export const walletOptions = { deadlineMs: 25_000, troubleOf, lost: { code: "LOST", problems: [] } };

const client = browserClient<Endpoints, Trouble>(endpoints, { ...walletOptions, credentials: "omit" });

/** The calls of a page. A response with the person's page also updates the sharing state. */
export const api = {
  ...client,
  viewPage: withSharingState(client.viewPage),
  amendPage: withSharingState(client.amendPage),
  decidePage: withSharingState(async (input: Parameters<typeof client.decidePage>[0]) => {
    const wasOffline = !navigator.onLine;
    const outcome = await client.decidePage(input);
    if (input.body.share && outcome.kind === "trouble" && !isUnsent(outcome.trouble, wasOffline)) noteShared("unknown");
    return await orView(outcome, input);
  }),
  takePresentation: withSharingState(client.takePresentation),
  answerStateId: withSharingState(client.answerStateId),
  findInsurance: withSharingState(client.findInsurance),
  chooseInsurance: withSharingState(async (input: Parameters<typeof client.chooseInsurance>[0]) =>
    orView(await client.chooseInsurance(input), input),
  ),
};

/** The answer to a decision, or what the page shows now if the decision was on something else. */
async function orView(
  outcome: Outcome<PageView>,
  { headers = {} }: { headers?: Record<string, string> },
): Promise<Outcome<Viewed>> {
  if (outcome.kind === "ok" || outcome.trouble.code !== "CHANGED") return outcome;
  const now = await client.viewPage({ headers });
  return now.kind === "ok" ? { kind: "ok", value: { ...now.value, changed: true } } : now;
}

/** The part of a call's input that names the session. */
export const bySession = (session: string) => ({ headers: { authorization: `Bearer ${session}` } });

/** Error codes of decisions that certainly released nothing. */
const refusals: readonly string[] = ["ERR001", "OCE015", "OVER", "BUSY", "CHANGED"];

/**
 * Whether a failed decision certainly released nothing. With other errors, the response may have been lost after a
 * release.
 */
function isUnsent({ code }: Trouble, wasOffline: boolean): boolean {
  return refusals.includes(code) || (code === "LOST" && wasOffline);
}

function withSharingState<Input extends unknown[]>(call: (...input: Input) => Promise<Outcome<PageView>>): typeof call {
  return async (...input) => {
    const outcome = await call(...input);
    if (outcome.kind === "ok") noteView(outcome.value);
    return outcome;
  };
}

/** Codes for statuses that come without an error code. */
const bareCodes: Readonly<Record<number, string>> = { 401: "OVER", 409: "CHANGED", 429: "BUSY" };

function troubleOf(status: number, answer: unknown): Trouble {
  const data = errorData(answer);
  return {
    code: typeof data.errorCode === "string" ? data.errorCode : (bareCodes[status] ?? "BROKEN"),
    ...(typeof data.attemptsRemaining === "number" ? { attemptsRemaining: data.attemptsRemaining } : {}),
    ...(typeof data.reason === "string" ? { reason: data.reason } : {}),
    ...(typeof data.requestId === "string" ? { requestId: data.requestId } : {}),
    problems: problemsIn(data),
  };
}
