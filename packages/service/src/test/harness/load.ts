/**
 * A limited load of the most common brand calls. It records everything that was acknowledged, to read it again later.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";

export type Answer = { status: number; body: Record<string, unknown> };
export type Call = (path: string, input?: { body?: unknown; key?: string; idempotencyKey?: string }) => Promise<Answer>;

/** Returns calls to a URL. A call that fails on the network has status 0. */
export function callsTo(url: string, apiKey: string): Call {
  return async (path, { body, key = apiKey, idempotencyKey } = {}) => {
    try {
      const response = await fetch(`${url}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          authorization: key,
          "content-type": "application/json",
          ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : {} };
    } catch (error) {
      return { status: 0, body: { message: String(error instanceof Error ? (error.cause ?? error) : error) } };
    }
  };
}

/** A webhook receiver that counts the events of each lookup. */
export async function eventReceiver() {
  const arrived = new Map<string, number>();
  let wake = () => {};
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part) => {
      text += part;
    });
    request.on("end", () => {
      const { healthDataUuid } = JSON.parse(text);
      arrived.set(healthDataUuid, (arrived.get(healthDataUuid) ?? 0) + 1);
      response.writeHead(204).end();
      wake();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    arrived,
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`,
    /** Resolves once each lookup has had an event. */
    async all(uuids: Iterable<string>): Promise<void> {
      const wanted = [...uuids];
      while (!wanted.every((uuid) => arrived.has(uuid)))
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    },
    close: () => void server.close(),
  };
}

export type Load = {
  /** Runs until this many more requests succeed. `action` starts when half of them have. */
  run(requests: number, action?: () => Promise<void>): Promise<void>;
  /** Number of requests with the expected status. */
  answered: number;
  /** Requests with another status, and what they returned. */
  failed: string[];
  lookups: Set<string>;
  /** Checks that everything acknowledged exists in its acknowledged state. Returns the number of checks. */
  check(): Promise<number>;
};

const clients = 4;
const primary = "+12125550010";
const letters = "abcdefghij";
/** Stops the load after this many failures, when the service no longer answers. */
const failuresMax = 200;

export function openLoad(call: Call): Load {
  const checks: (() => Promise<void>)[] = [];
  const lookups = new Set<string>();
  const failed: string[] = [];
  let people = 0;
  const load: Load = { run, answered: 0, failed, lookups, check };

  const ask = async (status: number, ...[path, input]: Parameters<Call>): Promise<Answer | null> => {
    const answer = await call(path, input);
    if (answer.status === status) {
      load.answered += 1;
      return answer;
    }
    failed.push(`${input?.body === undefined ? "GET" : "POST"} ${path}: ${answer.status} ${answer.body.message ?? ""}`);
    return null;
  };
  const uuidOf = (answer: Answer, name = "uuid") => String(answer.body[name]);
  const kinds = [
    async () => {
      people += 1;
      const phone = `+1415${String(2_000_000 + people)}`;
      const begun = await ask(201, "/v2/1-click/verifications", { body: { channel: "sms", phone } });
      if (begun === null) return;
      const path = `/v2/1-click/verifications/${uuidOf(begun)}`;
      const sent = await ask(200, `${path}/deliver`, { body: {} });
      checks.push(async () => {
        const { status, body } = await call(path);
        assert.deepEqual([status, body.uuid], [200, begun.body.uuid]);
        if (sent !== null) assert.notEqual(body.status, "pending");
      });
    },
    async () => {
      const made = await ask(201, "/v2/1-click", { body: { phone: primary } });
      if (made === null) return;
      checks.push(async () => {
        const { status, body } = await call(`/v2/1-click/${uuidOf(made)}`);
        assert.deepEqual([status, body], [200, made.body.identity]);
      });
    },
    async () => {
      const idempotencyKey = randomUUID();
      const post = () => ask(201, "/v2/1-click", { body: { phone: primary }, idempotencyKey });
      const first = await post();
      // The key of an interrupted request stays locked for a minute.
      if (first === null) return;
      const second = await post();
      if (second !== null) assert.deepEqual(second.body, first.body);
    },
    async () => {
      people += 1;
      const lastName = [...String(people)].map((digit) => letters.charAt(Number(digit))).join("");
      const person = { fullName: { firstName: "Test", lastName }, birthDate: "1970-01-01", checkAfterAutofill: false };
      const made = await ask(201, "/v2/1-click/health", { body: person });
      if (made !== null) lookups.add(uuidOf(made, "healthDataUuid"));
    },
  ];

  async function run(requests: number, action: () => Promise<void> = async () => {}): Promise<void> {
    const from = load.answered;
    const isDone = () => load.answered - from >= requests || failed.length >= failuresMax;
    let doing: Promise<void> | null = null;
    let isUnderWay = false;
    const client = async (number: number) => {
      for (let turn = number; !isDone() || isUnderWay; turn += 1) {
        if (load.answered - from >= requests / 2 && doing === null) doing = start();
        if (failed.length >= failuresMax) break;
        await kinds[turn % kinds.length]?.();
      }
    };
    const start = async () => {
      isUnderWay = true;
      await action().finally(() => {
        isUnderWay = false;
      });
    };
    await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
    await doing;
  }
  async function check(): Promise<number> {
    const all = checks.splice(0);
    for (const one of all) await one();
    return all.length;
  }
  return load;
}
