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
  /** The invalid members, by path. */
  problems: Problem[];
};
export type Outcome<Value> = AnyOutcome<Value, Trouble>;

/** The problem of one body member, to show next to its field. */
export function problemWith(trouble: Trouble | null, member: string): string | undefined {
  return trouble?.problems.find(({ path }) => path === `body.${member}`)?.message;
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

function troubleOf(status: number, answer: unknown): Trouble {
  if (status === 401) onSignedOut();
  const message = isRecord(answer) && typeof answer.message === "string" ? answer.message : "";
  return { kind: kinds[status] ?? "broken", message, problems: problemsIn(errorData(answer)) };
}
