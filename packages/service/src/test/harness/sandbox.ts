/**
 * Test setup in one line per file: `const it = await sandbox();`. It starts the real service behind its HTTP interface,
 * with its own PostgreSQL database, a clock that only tests move, and fakes only at ports.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { Approval } from "@countersign/contract/brand";
import { type ClientResponse, client, type Send } from "@countersign/contract/client";
import type { ErrorCode } from "@countersign/contract/errors";
import { catalog, ErrorEnvelope } from "@countersign/contract/errors";
import * as health from "@countersign/contract/health";
import * as issuance from "@countersign/contract/issuance";
import * as control from "@countersign/contract/sandbox";
import * as session from "@countersign/contract/session";
import * as signup from "@countersign/contract/v2";
import * as verify from "@countersign/contract/verification";
import type { FastifyInstance, InjectOptions } from "fastify";
import { urlOf } from "../../compose/database.ts";
import type { ProductionReplaced } from "../../compose/production.ts";
import type { Replaced } from "../../compose/sandbox.ts";
import { composeService } from "../../compose/service.ts";
import { readConfig } from "../../config/config.ts";
import { seedOwners } from "../../domain/member/member.ts";
import { compileCheck } from "../../domain/validate.ts";
import { openMetrics } from "../../http/metrics.ts";
import type { Log } from "../../log.ts";
import type { MovableClock } from "../../providers/sandbox/clock.ts";
import { demoCustomers } from "../../providers/sandbox/demo.ts";
import type { Reports } from "../../store/failover/replica.ts";
import { openStores } from "./stores.ts";

export const demoKey = "sk_sandbox_demo_api";
/** The key of a second tenant, which belongs to another customer. */
export const otherKey = "sk_sandbox_demo_api_2";
export const sdkKey = "sk_sandbox_demo_sdk";

/** Where the console of a test seems to be. */
const operatorUrl = "http://localhost:4003";

/** Friday, January 2, 2026, noon UTC. */
export const testStart = Date.UTC(2026, 0, 2, 12);

const endpoints = {
  createVerification: verify.createVerification,
  deliverVerification: verify.deliverVerification,
  submitVerificationCode: verify.submitVerificationCode,
  readVerification: verify.readVerification,
  readDeviceIp: verify.readDeviceIp,
  readChannels: verify.readChannels,
  createSession: session.createSession,
  createOneClick: signup.createOneClick,
  readOneClick: signup.readOneClick,
  amendOneClick: signup.amendOneClick,
  createHealthLookup: health.createHealthLookup,
  readHealthLookup: health.readHealthLookup,
  listPayers: health.listPayers,
  issueCredentials: issuance.issueCredentials,
  readCredential: issuance.readCredential,
  changeCredential: issuance.changeCredential,
  readSchemaLibrary: issuance.readSchemaLibrary,
  readSchema: issuance.readSchema,
  listMessages: control.listMessages,
  answerText: control.answerText,
  readClock: control.readClock,
  moveClock: control.moveClock,
  resetClock: control.resetClock,
  createSandboxBrand: control.createSandboxBrand,
  readSandboxBrand: control.readSandboxBrand,
  patchSandboxBrand: control.patchSandboxBrand,
  resetSandbox: control.resetSandbox,
};

/** A clock that stands still until sandbox control moves it. */
export function stillClock(start = testStart): MovableClock {
  let offset = 0;
  return {
    now: () => start + offset,
    offsetMs: () => offset,
    setOffset(next) {
      offset = next;
    },
  };
}

const replyChecks = new Map(
  Object.values(endpoints).map((one) => [one, one.reply === undefined ? () => [] : compileCheck(one.reply, "reply")]),
);
const envelopeCheck = compileCheck(ErrorEnvelope, "reply");
const dataChecks = new Map(
  Object.entries(catalog).map(([code, row]) => [
    code,
    compileCheck({ ...row.data, additionalProperties: false }, `${code}.data`),
  ]),
);

/** Checks that an error has the five keys, a request id, and in `data` no other members than those of its code. */
export function assertEnvelope(
  status: number,
  body: unknown,
): asserts body is { code: number; message: string; data: Record<string, unknown> } {
  assert.deepEqual(envelopeCheck(body), []);
  assert.ok(typeof body === "object" && body !== null && "code" in body && "data" in body);
  assert.deepEqual(Object.keys(body).sort(), ["className", "code", "data", "message", "name"]);
  assert.equal(body.code, status);
  const { errorCode, requestId, ...members } = body.data as Record<string, unknown>;
  assert.match(String(requestId), /^[0-9a-f-]{36}$/);
  if (errorCode === undefined) return assert.deepEqual(members, {});
  const check = dataChecks.get(String(errorCode));
  assert.ok(check, `${String(errorCode)} is not in the catalog`);
  assert.deepEqual(check(members), []);
}

export type Sandbox = Awaited<ReturnType<typeof sandbox>>;

const addresses = {
  PUBLIC_API_URL: "http://localhost:4000",
  PUBLIC_WALLET_URL: "http://localhost:4001",
  PUBLIC_DASHBOARD_URL: "http://localhost:4002",
  PUBLIC_OPERATOR_URL: operatorUrl,
};

/** Starts the sandbox of a test file. It is closed, and its database dropped, when the file is done. */
export async function sandbox(
  replaced: Replaced = {},
  environment: Record<string, string> = {},
  real: ProductionReplaced = {},
  reports?: Reports,
) {
  const dataDir = await mkdtemp(join(tmpdir(), "countersign-test-"));
  const lines: { level: string; message: string; fields?: Record<string, unknown> }[] = [];
  const note = (level: string) => (message: string, fields?: Record<string, unknown>) =>
    void lines.push({ level, message, fields });
  const log: Log = { info: note("info"), warn: note("warn"), error: note("error") };
  const stores = await openStores(log, environment.DATABASE_URL);
  const { store, signals } = stores;
  const cells = stores.cells === undefined ? {} : { cells: stores.cells };
  const accountClock = stillClock();
  const config = readConfig({ DATA_DIR: dataDir, ...addresses, DATABASE_URL: urlOf(store), ...environment });
  const resources = { config, log, store, ...cells, signals, metrics: openMetrics(), ...(reports && { reports }) };
  const clocks = { accountClock, sandbox: { clock: stillClock(), ...replaced } };
  // Open connections would keep the test's process alive, so that a failed start would look like a test that hangs.
  const service = await composeService(resources, { ...clocks, production: real }).catch(async (error: unknown) => {
    await stores.closeStores();
    throw error;
  });
  const { dashboard, console: operatorConsole, accounts, production } = service;
  const made = { ...service.sandbox, dashboard, accounts, production, operatorConsole };
  await made.seedDemo("http://localhost:4001");
  await seedOwners(accounts, demoCustomers);
  await Promise.all([made.app.ready(), made.dashboard.ready(), operatorConsole?.ready()]);
  after(async () => {
    await service.close();
    await stores.closeStores();
    await rm(dataDir, { recursive: true, force: true });
    assert.deepEqual(stores.broken.slice(0, 3), [], "a transaction used tables of two holders");
  });

  const inject = injectInto(made.app);
  /** The typed client as a brand uses it. It checks every answer against the contract. */
  const as = (apiKey: string | null, prefix = "/v2") => brandClient(inject, apiKey, prefix);
  const it = {
    ...made,
    /** Set only if the variables turn production on. */
    production,
    metrics: resources.metrics,
    /** The clock of accounts. It is separate from the sandbox's clock and also stands still. */
    accountClock,
    store: stores.seen,
    pools: stores.pools,
    signals,
    /** The dependencies of the cell of a phone's person, for tests below HTTP. */
    async cellOf(phone: string) {
      const judged = made.deps.phones.judge(phone);
      assert.ok(judged.kind === "supported");
      return await made.deps.cells.ofPhone(judged.phone);
    },
    /** For another process on the same databases. */
    stores: { store, ...cells, signals },
    log: lines,
    config,
    inject,
    as,
    api: as(demoKey),
    /** Moves the clock and runs the jobs that become due. */
    advance: (ms: number) => as(demoKey).moveClock({ body: { advanceMs: ms } }),
    /** Runs the jobs that are due now, such as texts, and erases what has expired. */
    async runJobs() {
      const ran = await made.worker.runDue();
      await made.sweeper.sweep();
      return ran;
    },
    /** Creates a brand and returns it with its key and client. */
    async brand(settings: Record<string, unknown> = {}) {
      const { body } = await as(demoKey).createSandboxBrand({ body: { settings } });
      return { ...body, api: as(body.apiKey) };
    },
  };
  after(() => {
    for (const key of Object.keys(it)) Reflect.deleteProperty(it, key);
  });
  return it;
}

/** Sends requests to a listener and returns the answers as a client sees them. */
export function injectInto(app: FastifyInstance): Inject {
  return async (options) => {
    const response = await app.inject(options);
    const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
    const isJson = /^application\/(fhir\+)?json/.test(headers["content-type"] ?? "");
    return { status: response.statusCode, headers, body: isJson ? response.json() : response.body };
  };
}

export type Inject = (options: InjectOptions) => Promise<ClientResponse>;

export function brandClient(inject: Inject, apiKey: string | null, prefix: string) {
  const send: Send = async ({ method, path, query, body, headers }) => {
    const bare = path.slice(prefix.length);
    const response = await inject({
      method,
      url: bare.startsWith("/sandbox/") ? bare : path,
      query,
      headers: { ...(apiKey === null ? {} : { authorization: apiKey }), ...headers },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    checkAnswer(method, bare, response);
    return response;
  };
  const made = client(endpoints, { send, prefix });
  return {
    ...made,
    /** For flows that return the identity at once. */
    async createOneClick(...input: Parameters<typeof made.createOneClick>) {
      const answer = await made.createOneClick(...input);
      const { uuid, identity } = answer.body;
      assert.ok(identity, "the response has no identity");
      return { ...answer, body: { uuid, identity } };
    },
    /** For flows that return the identity later. */
    beginOneClick: made.createOneClick,
  };
}

function checkAnswer(method: string, path: string, response: ClientResponse): void {
  if (response.status >= 400) {
    assertEnvelope(response.status, response.body);
    return;
  }
  const candidates = Object.values(endpoints).filter((one) => one.method === method);
  const matched =
    candidates.find((one) => one.path === path) ??
    candidates.find((one) => new RegExp(`^${one.path.replace(/:\w+/g, "[^/]+")}$`).test(path));
  assert.ok(matched, `${method} ${path} is not in the contract`);
  assert.equal(response.status, matched.status);
  assert.deepEqual(replyChecks.get(matched)?.(response.body), []);
}

/** Returns the hash that the URL of a session's frame contains. */
export function frameOfKey(sessionKey: string): string {
  return createHash("sha256").update(sessionKey).digest("base64url");
}

/** Returns the error that a call is refused with: its code, status, message and data. */
export async function refusal(
  call: Promise<unknown>,
): Promise<{ errorCode: ErrorCode | undefined; status: number; message: string; data: Record<string, unknown> }> {
  const { ApiError } = await import("@countersign/contract/client");
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    const { requestId: _requestId, errorCode, ...data } = error.envelope.data;
    return { errorCode: errorCode as ErrorCode | undefined, status: error.status, message: error.message, data };
  }
  return assert.fail("the call was not refused");
}

/** Removes an approval as the operator does, and notifies all processes. */
export async function takeApproval(it: Sandbox, brandUuid: string, approval: Approval): Promise<void> {
  await it.store.db
    .deleteFrom("brand_approval")
    .where("brand_uuid", "=", brandUuid)
    .where("approval", "=", approval)
    .execute();
  it.signals.changed();
}
