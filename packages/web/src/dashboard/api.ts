import type { CallInput } from "@countersign/contract/client";
import {
  type Outcome as AnyOutcome,
  browserClient,
  errorData,
  isRecord,
  type Problem,
  problemsIn,
} from "../api/client.ts";
import { type Endpoints, endpoints } from "./endpoints.ts";

/** Why a call failed. */
export type Trouble = {
  /** `changed`: another member saved first. `lost`: no connection. */
  kind: "signedOut" | "forbidden" | "missing" | "changed" | "invalid" | "busy" | "away" | "lost" | "broken";
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

const client = browserClient<Endpoints, Trouble>(endpoints, {
  credentials: "same-origin",
  deadlineMs: 20_000,
  troubleOf,
  lost: { kind: "lost", message: "", problems: [] },
});

/** The calls of the dashboard, by the names of their endpoints in the contract. */
export const api = {
  ...client,
  /** The endpoint reads raw bytes, so the contract declares no body for it. */
  putLogo: ({ image, ...input }: CallInput<Endpoints["putLogo"]> & { image: Blob }) =>
    client.putLogo(Object.assign(input, { body: image })),
};

let onSignedOut: () => void = () => {};
/** Registers a listener for calls that fail because the session has ended. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
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

export function troubleOf(status: number, answer: unknown): Trouble {
  if (status === 401) onSignedOut();
  const message = isRecord(answer) && typeof answer.message === "string" ? answer.message : "";
  const problems = problemsIn(errorData(answer)).map((one) => ({
    path: one.path.replace(/^(body|settings)(\.|$)/, ""),
    // Remove the code in front of a network rule's problem. It is for programs.
    message: one.message.replace(/^[A-Z_]+: /, ""),
  }));
  return { kind: kinds[status] ?? "broken", message, problems };
}
