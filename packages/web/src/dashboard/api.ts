import type { CallInput } from "@countersign/contract/client";
import type { memberHeader } from "@countersign/contract/dashboard";
import {
  type Outcome as AnyOutcome,
  browserClient,
  errorData,
  isRecord,
  type Options,
  type Problem,
  problemsIn,
} from "../api/client.ts";
import { type Endpoints, endpoints } from "./endpoints.ts";

/** Why a call failed. */
export type Trouble = {
  /** `changed`: another member saved first. `other`: someone else is signed in by now. `lost`: no connection. */
  kind: "signedOut" | "other" | "forbidden" | "missing" | "changed" | "invalid" | "busy" | "away" | "lost" | "broken";
  message: string;
  /** The invalid members, by path in the body. */
  problems: Problem[];
};
export type Outcome<Value> = AnyOutcome<Value, Trouble>;

/** The problems of a member and its parts, to show next to its field. A list item is named by its line number. */
export function problemWith(trouble: Trouble | null, member: string): string | undefined {
  const placesByMessage = new Map<string, string[]>();
  for (const { path, message } of trouble?.problems ?? []) {
    if (!isBelow(path, member)) continue;
    const [, line, part] = /^(?:\.(\d+))?(?:\.(.+))?$/.exec(path.slice(member.length)) ?? [];
    const where = [line === undefined ? [] : `line ${Number(line) + 1}`, part ?? []].flat().join(" ");
    placesByMessage.set(message, [...(placesByMessage.get(message) ?? []), ...(where === "" ? [] : [where])]);
  }
  const texts = [...placesByMessage].map(([message, places]) =>
    places.length === 0 ? message : `${message} (${places.join(", ")})`,
  );
  return texts.length === 0 ? undefined : texts.join(" ");
}

/** Whether a path is the member's or that of one of its parts. */
export function isBelow(path: string, member: string): boolean {
  return path === member || path.startsWith(`${member}.`);
}

/** The person whom the page shows, by uuid. */
let shownUuid: string | null = null;

/** Every call names this person from now on, so that none acts as someone who signed in in another tab. */
export function nameShown(uuid: string): void {
  shownUuid = uuid;
}

/** Begins a call that names nobody, to read who has just signed in on this page. */
export function askUnnamed<Value>(ask: () => Promise<Value>): Promise<Value> {
  const named = shownUuid;
  shownUuid = null;
  const asked = ask();
  shownUuid = named;
  return asked;
}

/** How the dashboard and the console call. `header`: in which a call names the person whom the page shows. */
export const optionsWith = (header: string): Options<Trouble> => ({
  credentials: "same-origin",
  headers: (): Record<string, string> => (shownUuid === null ? {} : { [header]: shownUuid }),
  deadlineMs: 20_000,
  // Only the answer that the session is someone else's has this header.
  troubleOf: (status, answer, headers) => troubleOf(status, answer, headers.has(header)),
  lost: { kind: "lost", message: "", problems: [] },
});

// The contract's module is too large for a browser, so only its type is used.
const header: typeof memberHeader = "countersign-member";
const client = browserClient<Endpoints, Trouble>(endpoints, optionsWith(header));

/** The calls of the dashboard, by the names of their endpoints in the contract. */
export const api = {
  ...client,
  /** The endpoint reads raw bytes, so the contract declares no body for it. */
  putLogo: ({ image, ...input }: CallInput<Endpoints["putLogo"]> & { image: Blob }) =>
    client.putLogo(Object.assign(input, { body: image })),
};

type Listeners = { signedOut(): void; other(): void };
let listeners: Listeners = { signedOut() {}, other() {} };
/** Registers listeners for calls that fail because the session has ended, or because it is someone else's by now. */
export function whenRefused(next: Listeners): void {
  listeners = next;
}

const kinds: Readonly<Record<number, Trouble["kind"]>> = {
  400: "invalid",
  401: "signedOut",
  403: "forbidden",
  404: "missing",
  409: "changed",
  413: "invalid",
  415: "invalid",
  429: "busy",
  503: "away",
};

function troubleOf(status: number, answer: unknown, isOther: boolean): Trouble {
  if (status === 401) listeners.signedOut();
  if (isOther) listeners.other();
  const message = isRecord(answer) && typeof answer.message === "string" ? answer.message : "";
  const problems = problemsIn(errorData(answer)).map((one) => ({
    path: one.path.replace(/^(body|settings)(\.|$)/, ""),
    // Remove the code in front of a network rule's problem. It is for programs.
    message: one.message.replace(/^[A-Z_]+: /, ""),
  }));
  return { kind: isOther ? "other" : (kinds[status] ?? "broken"), message, problems };
}
