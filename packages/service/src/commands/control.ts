/** Sandbox control from the command line, for the sandbox on this machine or a remote one. */

import { Option } from "@commander-js/extra-typings";
import { ApiError, client, type Send } from "@countersign/contract/client";
import {
  answerForward,
  createListener,
  deleteSandboxWebhook,
  listenWaitMs,
  takeForwards,
  triggerEvent,
} from "@countersign/contract/listener";
import { readDelivery, replayDelivery } from "@countersign/contract/webhook";
import { readConfig } from "../config/config.ts";
import { invalid } from "../domain/failure.ts";
import { brandId, printing, text } from "./arguments.ts";
import { safeLine } from "./output.ts";
import { problemLines } from "./problems.ts";
import { readReady } from "./ready.ts";

/** Timeout of a request in milliseconds, longer than the service makes any caller wait. */
const deadlineMs = listenWaitMs + 10_000;

/** A command that controls a sandbox. */
export function controlCommand(name: string, ...examples: string[]) {
  return printing(name, ...examples)
    .option("--brand <uuid>", "the brand (default: the key's brand)", brandId)
    .option("--api <url>", "the URL of the sandbox's API (default: the sandbox on this machine)", text)
    .addOption(
      new Option("--key <key>", "an API key of the sandbox (default: the key of the demo brand on this machine)")
        // Other users of the machine can read a command's options, but not its environment.
        .env("SANDBOX_KEY")
        .argParser(text),
    );
}
export type ControlOptions = { brand?: string | undefined; api?: string | undefined; key?: string | undefined };

/** The control calls of the command line, and the brand that its options name. */
export async function openControl(given: ControlOptions) {
  const { brand } = given;
  const { dataDir } = readConfig();
  const ready = given.api === undefined || given.key === undefined ? await readReady(dataDir) : null;
  const api = given.api ?? ready?.environments.sandbox.apiUrl;
  if (api === undefined)
    throw invalid([
      { path: "--api", message: `is required: no sandbox runs on ${dataDir}. Change to its folder, or set DATA_DIR` },
    ]);
  if (!URL.canParse(api)) throw invalid([{ path: "--api", message: "must be a URL" }]);
  // Use public demo keys for the sandbox on this machine only, and never send them to another server.
  const isHere = api === ready?.environments.sandbox.apiUrl;
  const key = given.key ?? (isHere ? ready?.demo?.brands[0]?.apiKey : undefined);
  if (key === undefined)
    throw invalid([{ path: "--key", message: "is required: there is no demo brand whose key could be used" }]);
  return {
    api,
    brand: brand === undefined ? {} : { brand },
    calls: callsTo(api, key),
    /** The same calls, which stop when the signal aborts. */
    callsUntil: (signal: AbortSignal) => callsTo(api, key, signal),
  };
}
export type Control = Awaited<ReturnType<typeof openControl>>;

function callsTo(api: string, key: string, signal?: AbortSignal) {
  const listening = { createListener, takeForwards, answerForward, deleteSandboxWebhook };
  return client(
    { ...listening, triggerEvent, readDelivery, replayDelivery },
    { send: sendTo(api.replace(/\/+$/, ""), key, signal) },
  );
}

/** Sends a request. Another server may answer, so the body is parsed only if it is JSON. */
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

/** The error message: the server's own message, or that the server can't be reached. */
export function controlProblem(error: unknown, api: string): string {
  if (error instanceof ApiError) {
    const { errors } = error.envelope.data;
    return `${api} returned ${error.status}: ${safeLine(error.message)}\n${problemLines(errors)}`;
  }
  return `${api} cannot be reached: ${safeLine(error instanceof Error ? error.message : String(error))}\n`;
}
