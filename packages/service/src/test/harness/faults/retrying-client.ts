/** A careful client: it repeats a call while the service asks it to retry, and accepts no other failure. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { ApiError } from "@countersign/contract/client";
import { releaseClaims } from "../../../store/queue.ts";
import { assertEnvelope, demoKey, type Sandbox } from "../sandbox.ts";

const triesMax = 5;
export const minute = 60_000;

export type Body = Record<string, unknown>;
type Call = {
  path: string;
  method?: "GET" | "POST" | "PATCH";
  body?: Body;
  /** The API key of a brand, or the token of a page's session. */
  authorization?: string;
  wallet?: true;
  /** Names the account that the person’s own page shows. */
  own?: Record<string, string>;
};
type Expected = {
  status: number;
  /** Error codes or messages for a retry whose first try succeeded but lost its answer. */
  done?: readonly string[];
  /** Error codes that are allowed when the service continues without the failed provider. */
  without?: readonly string[];
};
export type Trip = {
  /** Whether the failing operation is completed and only its answer is lost. */
  losesAnswers: boolean;
  /** Whether a call of this trip was repeated. */
  hasRetried(): boolean;
  /** Returns null if an earlier try succeeded and lost its answer, or if the error code is one of `without`. */
  ask(call: Call, expected: Expected): Promise<Body | null>;
  /** Moves the clock and runs the jobs that become due. */
  pass(ms: number): Promise<void>;
  /** Returns the codes of new texts to a phone, newest first. Waits for at least one. Returns each code only once. */
  textedTo(phone: string): Promise<[string, ...string[]]>;
};

/** With `keyed`, the brand's calls with a body carry an `Idempotency-Key`, and retries reuse it. */
export function openTrip(it: Sandbox, { keyed, losesAnswers }: { keyed: boolean; losesAnswers: boolean }): Trip {
  let cookie = "";
  let hasRetried = false;
  const readTexts = new Set<string>();
  const send = async ({ path, method, body, authorization, wallet, own }: Call, key: string) => {
    const answer = await (wallet === true ? it.wallet : it.app).inject({
      method: method ?? (body === undefined ? "GET" : "POST"),
      url: path,
      headers: {
        ...(wallet === true ? { "sec-fetch-site": "same-origin", ...own } : {}),
        ...(authorization === undefined ? {} : { authorization }),
        ...(keyed && body !== undefined && wallet !== true ? { "idempotency-key": key } : {}),
        ...(wallet === true && cookie !== "" ? { cookie } : {}),
      },
      ...(body === undefined ? {} : { payload: body }),
    });
    const set = answer.headers["set-cookie"];
    if (typeof set === "string") cookie = set.split(";")[0] ?? "";
    const isJson = answer.headers["content-type"]?.toString().startsWith("application/json") === true;
    const { location } = answer.headers;
    const told: Body = { ...(isJson ? answer.json() : {}), ...(location === undefined ? {} : { location }) };
    return { status: answer.statusCode, body: told };
  };
  /** Release all claims first. A claim whose answer was lost would block its job until the lease ends. */
  const pass = async (ms: number) => {
    for (let tries = 0; tries < triesMax; tries += 1) {
      await releaseClaims(it.store.db);
      const refused = await refusalOf(() => it.advance(ms));
      if (refused === null) return;
      assert.equal(refused, 503);
    }
    assert.fail("the clock never moved");
  };
  return {
    losesAnswers,
    hasRetried: () => hasRetried,
    pass,
    async ask(call, { status: expected, done = [], without = [] }) {
      let key = randomUUID();
      let hasFailed = false;
      let hasWaited = false;
      for (let tries = 0; tries < triesMax; tries += 1) {
        const { status, body } = await send(call, key);
        if (status === expected) return body;
        const message = `${call.method ?? ""} ${call.path}: ${status} ${JSON.stringify(body)}`;
        // A page reports the error as text, without the error envelope.
        if (call.path.startsWith("/request/")) {
          assert.equal(status, 503, message);
          hasFailed = hasRetried = true;
          continue;
        }
        assertEnvelope(status, body);
        if (without.includes(String(body.data.errorCode))) return null;
        if (hasFailed && [String(body.data.errorCode), body.message].some((one) => done.includes(one))) return null;
        if (hasFailed && status === 409 && body.message.includes("Idempotency-Key")) {
          // The first try locks the key until it is known to have failed. Retry once with the same key, so that
          // finished work is not repeated, and only then use a new key.
          if (hasWaited) key = randomUUID();
          hasWaited = true;
          await pass(minute);
        } else assert.equal(status, 503, message);
        hasFailed = hasRetried = true;
      }
      return assert.fail(`${call.path} never succeeded`);
    },
    async textedTo(phone) {
      // A worker that could not read its jobs tries again within a second.
      await it.runJobs().catch(() => pass(0));
      for (let tries = 0; tries < triesMax; tries += 1) {
        const { body } = await send(
          { path: `/sandbox/messages?to=${encodeURIComponent(phone)}`, authorization: demoKey },
          "",
        );
        const texts = Array.isArray(body.data) ? (body.data as { id: string; body: string }[]) : [];
        const unread = texts.filter(({ id }) => !readTexts.has(id));
        for (const { id } of unread) readTexts.add(id);
        const [newest, ...older] = unread.flatMap((text) => /\d{3}-?\d{3}/.exec(text.body)?.[0] ?? []);
        if (newest !== undefined) return [newest, ...older];
        // A text that could not be sent is retried within seconds.
        await pass(5_000);
      }
      return assert.fail("no text arrived");
    },
  };
}

/** Returns the HTTP status of a refused call, or null if the call succeeds. */
async function refusalOf(call: () => Promise<unknown>): Promise<number | null> {
  try {
    await call();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
}
