/** A careful client: every call is made again while it is told to come back, and nothing else is forgiven. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { ApiError } from "@countersign/contract/client";
import { releaseClaims } from "../store/queue.ts";
import { assertEnvelope, demoKey, type Sandbox } from "./harness.ts";

const triesMax = 5;
export const minute = 60_000;

export type Body = Record<string, unknown>;
type Asked = {
  path: string;
  method?: "GET" | "POST" | "PATCH";
  body?: Body;
  /** Of the brand, or of a page's session. */
  authorization?: string;
  wallet?: true;
};
type Expected = {
  status: number;
  /** What a repetition is told where the first try was done and only its answer lost: error codes, or messages. */
  done?: readonly string[];
  /** What is answered where a provider that broke down is done without. */
  without?: readonly string[];
};
export type Trip = {
  /** Whether what fails is done first, and its answer lost. */
  losesAnswers: boolean;
  /** Null where it was done by a try whose answer was lost. */
  ask(asked: Asked, expected: Expected): Promise<Body | null>;
  /** So much time goes by, and what becomes due is done. */
  pass(ms: number): Promise<void>;
  /** The digits of the newest text to a phone. */
  textedTo(phone: string): Promise<string>;
};

/** With `keyed`, calls that create something carry an `Idempotency-Key`, the same on every try. */
export function openTrip(it: Sandbox, { keyed, losesAnswers }: { keyed: boolean; losesAnswers: boolean }): Trip {
  let cookie = "";
  const send = async ({ path, method, body, authorization, wallet }: Asked, key: string) => {
    const answer = await (wallet === true ? it.wallet : it.app).inject({
      method: method ?? (body === undefined ? "GET" : "POST"),
      url: path,
      headers: {
        ...(wallet === true ? { "sec-fetch-site": "same-origin" } : {}),
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
  /** A claim whose answer was lost is nobody's until its lease ends. */
  const pass = async (ms: number) => {
    await releaseClaims(it.store.db);
    const moved = await refusalOf(() => it.advance(ms));
    if (moved === null) return;
    assert.equal(moved, 503);
    await releaseClaims(it.store.db);
    await it.advance(ms);
  };
  return {
    losesAnswers,
    pass,
    async ask(asked, { status: expected, done = [], without = [] }) {
      let key = randomUUID();
      let hasFailed = false;
      let hasWaited = false;
      for (let tries = 0; tries < triesMax; tries += 1) {
        const { status, body } = await send(asked, key);
        if (status === expected) return body;
        const about = `${asked.method ?? ""} ${asked.path}: ${status} ${JSON.stringify(body)}`;
        // A page says so in words.
        if (asked.path.startsWith("/request/")) {
          assert.equal(status, 503, about);
          hasFailed = true;
          continue;
        }
        assertEnvelope(status, body);
        if (without.includes(String(body.data.errorCode))) return null;
        if (hasFailed && [String(body.data.errorCode), body.message].some((one) => done.includes(one))) return null;
        if (hasFailed && status === 409 && body.message.includes("Idempotency-Key")) {
          // The first try holds the key until it is plain that it came to nothing; what it did is not doubled unasked.
          if (hasWaited) key = randomUUID();
          hasWaited = true;
          await pass(minute);
        } else assert.equal(status, 503, about);
        hasFailed = true;
      }
      return assert.fail(`${asked.path} never succeeded`);
    },
    async textedTo(phone) {
      // A worker that could not look looks again within the second.
      await it.runJobs().catch(() => pass(0));
      for (let tries = 0; tries < triesMax; tries += 1) {
        const { body } = await send(
          { path: `/sandbox/messages?to=${encodeURIComponent(phone)}`, authorization: demoKey },
          "",
        );
        const [text] = Array.isArray(body.data) ? (body.data as { body: string }[]) : [];
        const digits = text === undefined ? undefined : /\d{3}-?\d{3}/.exec(text.body)?.[0];
        if (digits !== undefined) return digits;
        // A text that was not handed over is handed over again within seconds.
        await pass(5_000);
      }
      return assert.fail("no text came");
    },
  };
}

/** The status that a call is refused with, if it is. */
async function refusalOf(call: () => Promise<unknown>): Promise<number | null> {
  try {
    await call();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
}
