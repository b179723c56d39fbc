/**
 * `node tools/prove/timing.ts`: checks whether the time of an answer reveals how much of a secret was right, or whether
 * a person is known. Measures functions and requests in this process; over a network, an attacker sees less. A
 * comparison that is known to leak must be detected, or the results are invalid.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance, InjectOptions } from "fastify";
import { isSigned as isSignedForSdk } from "../../packages/sdk/src/signature.ts";
import { type Composed, compose } from "../../packages/service/src/compose/service.ts";
import { readConfig } from "../../packages/service/src/config/config.ts";
import { compareCode } from "../../packages/service/src/domain/one-time-code.ts";
import { isSigned, sameText, signatureOf } from "../../packages/service/src/providers/signature.ts";
import { isSignedByTwilio, twilioSignature } from "../../packages/service/src/providers/twilio/signature.ts";
import { agreed } from "../../packages/service/src/test/harness/consent-shown.ts";
import { cloneDatabase, useServer } from "../../packages/service/src/test/harness/database-template.ts";
import { chance, tell } from "../../packages/service/src/test/harness/seeded-run.ts";
import { startTestServer } from "../test-server.ts";
import { say } from "./process.ts";
import { compare, type Side, tMax } from "./welch.ts";

const samples = Number(process.env.SAMPLES ?? 10_000);
/** Calls per sample. A single call is too short for the clock. */
const callsOfSample = 20;
/** With `ONLY="a verification"`, only pairs with these words are compared, besides the one that must differ. */
const only = process.env.ONLY ?? "";
const demoKey = "sk_sandbox_demo_api";
const hostedKey = "sk_sandbox_demo_hosted";
const random = chance();
const folder = mkdtempSync(join(tmpdir(), "countersign-timing-"));
let isRight = true;
let judged = 0;

type Pair = [what: string, right: Side, wrong: Side];

async function judge([what, right, wrong]: Pair, expected: "same" | "different" = "same"): Promise<void> {
  if (expected === "same" && !what.includes(only)) return;
  if (expected === "same") judged += 1;
  const { t, meansNs, guess } = await compare([right, wrong], samples, random);
  const holds = Math.abs(t) < tMax === (expected === "same");
  isRight &&= holds;
  const means = meansNs.map((mean) => (mean / 1_000).toFixed(1)).join(" and ");
  say(
    `${holds ? "yes" : "NO "}  ${what}: t ${t.toFixed(2)}, means ${means} µs, one time is guessed with ${percent(guess)}, ${samples} each`,
  );
  tell({ suite: "timing", what, tried: samples * 2, lost: holds ? 0 : 1 });
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** Repeats a call, so that a sample is long enough to measure. */
const often = (call: () => unknown): Side => ({
  run() {
    for (let i = 0; i < callsOfSample; i += 1) call();
  },
});

/** A text that differs only in its last character, and one that differs in its first. */
const almost = (text: string) => text.slice(0, -1) + (text.endsWith("0") ? "1" : "0");
const nothingOf = (text: string) => (text.startsWith("0") ? "1" : "0") + text.slice(1);
const pairOf = (what: string, right: string, call: (given: string) => unknown): Pair => {
  const [last, first] = [almost(right), nothingOf(right)];
  return [
    `${what}: wrong only in the last character, and wrong from the first`,
    often(() => call(last)),
    often(() => call(first)),
  ];
};

/** A naive comparison that stops at the first difference. */
function leaks(given: string, right: string): boolean {
  for (let at = 0; at < right.length; at += 1) if (given[at] !== right[at]) return false;
  return given.length === right.length;
}

async function comparisons(service: Composed): Promise<void> {
  const { vault } = service.accounts;
  const [uuid, code] = [randomUUID(), "493817"];
  const hash = vault.keyedHash(uuid, code);
  const [secret, body] = ["a-secret-of-a-vendor", '{"id":"x","status":"delivered"}'];
  const timestamp = "1767225600";
  const signature = signatureOf(secret, timestamp, body);
  const signed = { secret, now: Number(timestamp) * 1_000 };
  const url = "https://api.example.com/callbacks/texts/x";
  const form = new URLSearchParams({ MessageStatus: "delivered" });
  const twilio = twilioSignature({ url, form }, secret);
  await judge(
    pairOf("a comparison that stops where two texts differ", "x".repeat(2_000), (given) =>
      leaks(given, "x".repeat(2_000)),
    ),
    "different",
  );
  await judge(pairOf("the code of a text or an email", code, (given) => compareCode({ vault }, uuid, given, hash)));
  await judge(pairOf("a secret's text", signature, (given) => sameText(given, signature)));
  await judge(
    pairOf("a vendor's signature of a call", signature, (given) =>
      isSigned({ headers: { "countersign-timestamp": timestamp, "countersign-signature": given }, body }, signed),
    ),
  );
  await judge(
    pairOf("a form's signature", twilio, (given) => isSignedByTwilio({ url, form, signature: given }, secret)),
  );
  const event = { secret, timestamp, body: new TextEncoder().encode(body) };
  const digits = signature.slice("v1=".length);
  const checked = (given: string): Side => ({
    async run() {
      await isSignedForSdk(event, [given]);
    },
  });
  await judge([
    "a webhook's signature, in the SDK: wrong only in the last digit, and wrong from the first",
    checked(almost(digits)),
    checked(nothingOf(digits)),
  ]);
}

let asked = 0;
/** A request whose response must have one of these statuses. */
function asking(app: FastifyInstance, statuses: readonly number[], options: () => InjectOptions): () => Promise<void> {
  return async () => {
    asked += 1;
    const remoteAddress = `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}`;
    const response = await app.inject({ remoteAddress, ...options() });
    if (!statuses.includes(response.statusCode)) throw new Error(`${response.statusCode}: ${response.body}`);
  };
}

async function requests(service: Composed): Promise<void> {
  await keys(service);
  await codes(service);
  await sessionKeys(service);
  await people(service);
}

async function keys({ sandbox: { app } }: Composed): Promise<void> {
  const url = "/v2/1-click/verifications/channels";
  const withKey = (key: string): Side => ({
    run: asking(app, [401], () => ({ method: "GET", url, headers: { authorization: key } })),
  });
  await judge([
    "an API key: wrong only in the last character, and wrong from the first",
    withKey(almost(demoKey)),
    withKey(nothingOf(demoKey)),
  ]);
}

async function codes({ sandbox: { app, wallet }, store }: Composed): Promise<void> {
  const headers = { authorization: demoKey };
  const payload = { channel: "sms", phone: "+12025550143" };
  const begun = await app.inject({ method: "POST", url: "/v2/1-click/verifications", headers, payload });
  const { uuid } = begun.json<{ uuid: string }>();
  /** Gives a verification all its tries back. */
  const reopen = (verification: string) => async () => {
    const values = [verification, 4e12];
    await store.pool.query("update verification set attempts_used = 0, expires_at = $2 where uuid = $1", values);
    await store.pool.query("truncate use_count");
  };
  // The right code is the sandbox's default code.
  const url = `/v2/1-click/verifications/${uuid}/verify`;
  const typed = (code: string): Side => ({
    prepare: reopen(uuid),
    run: asking(app, [400], () => ({ method: "POST", url, headers, payload: { code } })),
  });
  await judge([
    "a code at the interface: wrong only in the last character, and wrong from the first",
    typed("111110"),
    typed("011111"),
  ]);
  const consent = agreed("signIn");
  const own = { "sec-fetch-site": "same-origin" };
  const signIn = await wallet.inject({
    method: "POST",
    url: "/api/sign-in",
    headers: own,
    payload: { phone: "+12125550010", consent },
  });
  const word = signIn.json<{ signIn: string }>().signIn;
  const entered = (code: string): Side => ({
    prepare: reopen(word),
    run: asking(wallet, [400], () => ({
      method: "POST",
      url: "/api/sign-in/code",
      headers: own,
      payload: { signIn: word, code },
    })),
  });
  await judge([
    "a code to sign in: wrong only in the last character, and wrong from the first",
    entered("111110"),
    entered("011111"),
  ]);
}
async function sessionKeys({ sandbox: { app, wallet } }: Composed): Promise<void> {
  const made = await app.inject({
    method: "POST",
    url: "/client/1-click",
    headers: { authorization: "sk_sandbox_demo_sdk" },
  });
  const { sessionKey } = made.json<{ sessionKey: string }>();
  const frameOf = (key: string) => createHash("sha256").update(key).digest("base64url");
  const opened = (key: string): Side => ({
    run: asking(wallet, [401], () => ({
      method: "POST",
      url: "/api/session",
      payload: { sessionKey: key, frame: frameOf(key) },
    })),
  });
  await judge([
    "a session key: wrong only in the last character, and wrong from the first",
    opened(almost(sessionKey)),
    opened(nothingOf(sessionKey)),
  ]);
  const frame = frameOf(sessionKey);
  const framed = (given: string): Side => ({
    run: asking(wallet, [401], () => ({ method: "POST", url: "/api/session", payload: { sessionKey, frame: given } })),
  });
  await judge([
    "a frame's address: wrong only in the last character, and wrong from the first",
    framed(almost(frame)),
    framed(nothingOf(frame)),
  ]);
}

/** Compares phones and addresses that the service knows with ones that it does not. */
async function people(service: Composed): Promise<void> {
  const { sandbox, dashboard, store } = service;
  let known = 0;
  let fresh = knownMax;
  // Known and new phones are spread over the same blocks of numbers, which take different times to judge.
  const phoneAt = (turn: number) => `+1415${String(2_000_000 + ((turn * 7_919) % numbers))}`;
  let prepared = 0;
  const clear = async () => {
    // Run due jobs now, so that the work of one answer does not delay the next.
    await sandbox.worker.runDue();
    // The first calls after a truncation are slower, so it is rare.
    prepared += 1;
    if (prepared % clearEvery === 0) await store.pool.query("truncate use_count, rate_limit");
  };
  const headers = { authorization: demoKey };
  const begin = (phone: string) =>
    asking(sandbox.app, [201], () => ({
      method: "POST",
      url: "/v2/1-click/verifications",
      headers,
      payload: { channel: "sms", phone },
    }))();
  for (let turn = 0; turn < knownMax; turn += 1) {
    await begin(phoneAt(turn));
    await clear();
  }
  const consent = agreed("signIn");
  const own = { "sec-fetch-site": "same-origin" };
  // A text that is seen again is read faster, so a pair uses each phone once.
  const phones = [() => phoneAt(known++ % knownMax), () => phoneAt(fresh++)] as const;
  const signing = (phone: () => string): Side => ({
    prepare: clear,
    run: asking(sandbox.wallet, [201], () => ({
      method: "POST",
      url: "/api/sign-in",
      headers: own,
      payload: { phone: phone(), consent },
    })),
  });
  await judge([
    "signing in: a phone that was seen before, and one that was not",
    signing(phones[0]),
    signing(phones[1]),
  ]);
  const verifying = (phone: () => string): Side => ({ prepare: clear, run: () => begin(phone()) });
  await judge([
    "a verification: a phone that was seen before, and one that was not",
    verifying(phones[0]),
    verifying(phones[1]),
  ]);
  const hosting = (phone: () => string): Side => ({
    prepare: clear,
    run: asking(sandbox.app, [201], () => ({
      method: "POST",
      url: "/v2/1-click",
      headers: { authorization: hostedKey },
      payload: { phone: phone() },
    })),
  });
  await judge([
    "a Hosted 1-Click: a phone that was seen before, and one that was not",
    hosting(phones[0]),
    hosting(phones[1]),
  ]);
  const mailing = (email: string): Side => ({
    async prepare() {
      await store.pool.query("truncate rate_limit, sign_in");
    },
    run: asking(dashboard, [201], () => ({ method: "POST", url: "/api/sign-in", headers: own, payload: { email } })),
  });
  await judge([
    "the dashboard: a member's address, and nobody's",
    mailing("demo@example.com"),
    mailing("none@example.com"),
  ]);
}
/** More than a pair's samples and its warm-up. */
const knownMax = samples + 1_000;
const clearEvery = 20;
/** A prime, so that each turn has another number. */
const numbers = 100_003;

const server = await startTestServer();
try {
  useServer(server.url);
  const database = await cloneDatabase("empty");
  const config = readConfig({
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    MASTER_KEY: "7".repeat(64),
    PUBLIC_API_URL: "http://localhost:4000",
    PUBLIC_WALLET_URL: "http://localhost:4001",
    PUBLIC_DASHBOARD_URL: "http://localhost:4002",
  });
  const quiet = () => {};
  const service = await compose(config, { info: quiet, warn: quiet, error: quiet }, null);
  await service.sandbox.seedDemo("http://localhost:4001");
  await comparisons(service);
  await requests(service);
  await service.close();
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
if (judged === 0) say(`NO   no pair has "${only}" in its name`);
process.exit(isRight && judged > 0 ? 0 : 1);
