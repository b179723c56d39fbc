import type { ConsentShown } from "@countersign/contract/consent";
import type { SessionStart } from "@countersign/contract/session";
import type { PageIntro, PageView } from "@countersign/contract/wallet";
import { noteShared, noteView } from "./sharing-state.ts";

/** Why a call did not work out: the service's code, or what stood in its way. */
export type Trouble = {
  /** A code of the catalogue; `LOST` without a connection, `BUSY` past a limit, `OVER` without a session, else `BROKEN`. */
  code: string;
  attemptsRemaining?: number;
  /** Which member does not fit, by path. */
  problems: { path: string; message: string }[];
  requestId?: string;
};
export type Outcome<Value> = { kind: "ok"; value: Value } | { kind: "trouble"; trouble: Trouble };

/** Longest wait for an answer, milliseconds: sources are asked in between. */
const deadlineMs = 25_000;

export type Decision = {
  share: boolean;
  choices?: Record<string, number>;
  edits?: Record<string, string | Record<string, string>>;
  consent: ConsentShown;
};
export type InsuranceDetails = { firstName?: string; lastName?: string; birthDate?: string };
export type InsuranceChoice = { plan?: number; payerId?: string; memberId?: string; consent: ConsentShown };
export type Insurer = { payerId: string; name: string };
/** A session that its key opened: its token, its end by the service's time, and what it begins with. */
export type Opened = { sessionToken: string; expiresAt: number; start: SessionStart };
/** What a typed phone leads to: the page that takes the code, or the address that the device opens. */
export type Begun = { page?: string; intro?: PageIntro; location?: string };
export type Inputs = { birthDate?: string; ssn4?: string; firstName?: string };

export const api = {
  intro: (page: string) => call<PageIntro>("GET", `/api/page/${encodeURIComponent(page)}`, {}),
  prove: (page: string, body: { code: string; redirectUrl?: string }) =>
    call<{ sessionToken: string }>("POST", `/api/page/${encodeURIComponent(page)}/code`, { body }),
  resend: (page: string) => call<PageIntro>("POST", `/api/page/${encodeURIComponent(page)}/resend`, {}),
  view: (session: string) => see("GET", "/api/page", { session }),
  amend: (session: string, body: Inputs) => see("POST", "/api/page/inputs", { session, body }),
  decide: async (session: string, body: Decision) => {
    const outcome = await see("POST", "/api/page/decision", { session, body });
    // Whatever is no plain refusal may have lost its answer after the release.
    if (body.share && outcome.kind === "trouble" && !refusals.includes(outcome.trouble.code)) noteShared("unknown");
    return outcome;
  },
  findInsurance: (session: string, body: InsuranceDetails) => see("POST", "/api/page/health", { session, body }),
  chooseInsurance: (session: string, body: InsuranceChoice) =>
    see("POST", "/api/page/health/choice", { session, body }),
  insurers: (search: string) => call<Insurer[]>("GET", `/api/insurers?search=${encodeURIComponent(search)}`, {}),
  open: (body: { sessionKey: string; frame: string }) => call<Opened>("POST", "/api/session", { body }),
  byPhone: (session: string, body: { phone: string; silent: boolean; within?: string; consent: ConsentShown }) =>
    call<Begun>("POST", "/api/session/phone", { session, body }),
  byDevice: (session: string) => call<{ location: string }>("POST", "/api/session/device", { session }),
  goOn: (session: string, body: { consent: ConsentShown }) =>
    call<{ sessionToken: string }>("POST", "/api/session/continue", { session, body }),
};

/** What a decision is refused with before anything came of it. */
const refusals: readonly string[] = ["ERR001", "OCE015", "OVER", "BUSY"];

/** A question that is answered with a view, of which is kept what it says about sharing. */
async function see(method: "GET" | "POST", path: string, what: { session: string; body?: unknown }) {
  const outcome = await call<PageView>(method, path, what);
  if (outcome.kind === "ok") noteView(outcome.value);
  return outcome;
}

/** One question to the service. A cookie goes along only where it is said so. */
export async function call<Value>(
  method: "GET" | "POST" | "DELETE",
  path: string,
  { session, body, cookie = false }: { session?: string; body?: unknown; cookie?: boolean },
): Promise<Outcome<Value>> {
  try {
    const response = await fetch(path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(session === undefined ? {} : { authorization: `Bearer ${session}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      credentials: cookie ? "same-origin" : "omit",
      cache: "no-store",
      signal: AbortSignal.timeout(deadlineMs),
    });
    if (!response.ok) return troubleOf(response.status, await response.json());
    // The service strips every answer to what the contract declares.
    const value: Value = await response.json();
    return { kind: "ok", value };
  } catch {
    return trouble({ code: "LOST" });
  }
}

/** What a status says that comes without a code. */
const bareCodes: Readonly<Record<number, string>> = { 401: "OVER", 429: "BUSY" };

function troubleOf(status: number, answer: unknown): Outcome<never> {
  const data = isRecord(answer) && isRecord(answer.data) ? answer.data : {};
  const code = typeof data.errorCode === "string" ? data.errorCode : (bareCodes[status] ?? "BROKEN");
  return trouble({
    code,
    ...(typeof data.attemptsRemaining === "number" ? { attemptsRemaining: data.attemptsRemaining } : {}),
    ...(typeof data.requestId === "string" ? { requestId: data.requestId } : {}),
    problems: Array.isArray(data.errors) ? data.errors.filter(isProblem) : [],
  });
}

function trouble(about: Partial<Trouble> & { code: string }): Outcome<never> {
  return { kind: "trouble", trouble: { problems: [], ...about } };
}

function isProblem(value: unknown): value is { path: string; message: string } {
  return isRecord(value) && typeof value.path === "string" && typeof value.message === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
