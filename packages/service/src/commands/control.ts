/** Sandbox control from the command line: of the sandbox on this machine, or of one elsewhere. */
import { ApiError, client, type Send } from "@countersign/contract/client";
import {
  answerForward,
  createListener,
  deleteSandboxWebhook,
  listenWaitMs,
  takeForwards,
  triggerEvent,
} from "@countersign/contract/listener";
import { readConfig } from "../config/config.ts";
import { invalid } from "../domain/failure.ts";
import { maybeText, type Values } from "./arguments.ts";
import { readReady } from "./ready.ts";

/** Longer than the service makes anybody wait. */
const deadlineMs = listenWaitMs + 10_000;

/** The control calls that the command line makes, and the brand that it named. */
export async function openControl(values: Values) {
  const given = (name: string) => maybeText(values, name);
  const ready = given("api") === undefined || given("key") === undefined ? await readReady(readConfig().dataDir) : null;
  const api = given("api") ?? ready?.environments.sandbox.apiUrl;
  if (api === undefined)
    throw invalid([{ path: "--api", message: "is required: no sandbox runs on this machine's DATA_DIR" }]);
  if (!URL.canParse(api)) throw invalid([{ path: "--api", message: "must be an address" }]);
  // Keys that everybody knows are for the sandbox here, and are sent nowhere else.
  const isHere = api === ready?.environments.sandbox.apiUrl;
  const key = given("key") ?? (isHere ? ready?.demo?.brands[0]?.apiKey : undefined);
  if (key === undefined)
    throw invalid([{ path: "--key", message: "is required: a sandbox key, as there is no demo brand" }]);
  const brand = given("brand");
  return {
    api,
    brand: brand === undefined ? {} : { brand },
    calls: callsTo(api, key),
    /** The same calls, cut short when somebody has had enough. */
    callsUntil: (signal: AbortSignal) => callsTo(api, key, signal),
  };
}
export type Control = Awaited<ReturnType<typeof openControl>>;

function callsTo(api: string, key: string, signal?: AbortSignal) {
  const endpoints = { createListener, takeForwards, answerForward, deleteSandboxWebhook, triggerEvent };
  return client(endpoints, { send: sendTo(api.replace(/\/+$/, ""), key, signal) });
}

/** An answer of the service, or of something that is none. */
function sendTo(api: string, key: string, until?: AbortSignal): Send {
  return async ({ method, path, body, headers }) => {
    const response = await fetch(`${api}${path}`, {
      method,
      headers: { authorization: key, ...headers },
      redirect: "manual",
      signal: AbortSignal.any([AbortSignal.timeout(deadlineMs), ...(until === undefined ? [] : [until])]),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: isJson ? JSON.parse(text) : text,
    };
  };
}

/** What to tell whoever typed the command: the refusal in its own words, or that nobody is there. */
export function controlProblem(error: unknown, api: string): string {
  if (error instanceof ApiError) {
    const { errors } = error.envelope.data;
    const details = Array.isArray(errors) ? `\n${JSON.stringify(errors, null, 2)}` : "";
    return `${api} refused with ${error.status}: ${error.message}${details}\n`;
  }
  return `${api} cannot be reached: ${error instanceof Error ? error.message : String(error)}\n`;
}
