/** A second cell in a database of its own, and two processes that open it while they run. */
process.env.STORES = "listed";

import assert from "node:assert/strict";
import { after } from "node:test";
import { composeService } from "../../compose/service.ts";
import { cellOfUuid, slotOf } from "../../domain/cell-number.ts";
import { openMetrics } from "../../http/metrics.ts";
import type { Log } from "../../log.ts";
import { systemClock } from "../../providers/system.ts";
import { announceCells, insertCell } from "../../store/cells/cell-rows.ts";
import { openDatabase } from "../../store/database.ts";
import { codesSentTo, freshPhone } from "./below-http.ts";
import { agreed } from "./consent-shown.ts";
import { cloneDatabase } from "./database-template.ts";
import { eventually } from "./eventually.ts";
import { relayTo } from "./relay.ts";
import { brandClient, demoKey, frameOfKey, injectInto, sandbox, stillClock } from "./sandbox.ts";

const half = 2_048;
export const it = await sandbox();
const { vault } = it.deps;
const database = await cloneDatabase();
const socket = new URL(database.url);
/** A relay in front of the cell's database. Closing it makes the cell unreachable. */
export const relay = await relayTo(`${socket.searchParams.get("host")}/.s.PGSQL.${socket.port}`);
const address = `postgres://${socket.username}@${relay.address}${socket.pathname}`;
export const there = openDatabase({ connectionString: database.url }, () => {}, { poolSize: 2 });
after(async () => {
  relay.close();
  await there.close();
  await database.drop();
});
export const quiet: Log = { info() {}, warn() {}, error() {} };
/** Another process on the same databases, which opens the cell by itself. */
const other = await composeService(
  { config: it.config, log: quiet, ...it.stores, metrics: openMetrics() },
  { sandbox: { clock: stillClock() } },
);
after(other.close);
await other.sandbox.app.ready();
export const otherApi = brandClient(injectInto(other.sandbox.app), demoKey, "/v2");

const indexOf = (phone: string) => vault.index("phone", "sandbox", phone);
export const cellOf = (uuid: string) => cellOfUuid((text) => vault.keyedHash("cell mark", text), uuid);
const isTheirs = (phone: string) => slotOf(indexOf(phone)) < half;
/** A new phone whose slot belongs to the given cell. */
export function phoneOf(cell: 0 | 1): string {
  const phone = freshPhone();
  return isTheirs(phone) === (cell === 1) ? phone : phoneOf(cell);
}
export function judged(phone: string) {
  const found = it.deps.phones.judge(phone);
  assert.ok(found.kind === "supported");
  return found.phone;
}
export const peopleIn = async (db: typeof there.db, phone: string) =>
  (await db.selectFrom("person").select("uuid").where("phone_index", "=", indexOf(phone)).execute()).length;
export const here = it.store.db;
export const signup = async (phone: string, api = it.api) => (await api.createOneClick({ body: { phone } })).body;

/** Lists the cell, and waits until both processes have opened it. */
export async function openCell(): Promise<void> {
  await it.store.home.inTransaction(async (trx) => {
    const dataKey = await vault.createDataKey(trx, "account", 0);
    await insertCell(vault, trx, dataKey, { number: 1, address, from: 0, to: half, opensAt: systemClock.now() });
    await announceCells(trx);
  });
  for (const { homeDeps } of [it, other.sandbox]) {
    // The first reading of the list refuses while the cell is not open yet.
    const count = () => {
      try {
        return homeDeps.cells.all().length;
      } catch {
        return 0;
      }
    };
    await eventually(async () => (count() === 2 ? true : undefined));
  }
}

async function onFrame(path: string, { token, body }: { token?: string; body: unknown }) {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  const response = await it.wallet.inject({ method: "POST", url: path, headers, payload: JSON.stringify(body) });
  return { status: response.statusCode, body: response.json() };
}

export async function openFrame(sessionKey: string): Promise<string> {
  const { body } = await onFrame("/api/session", { body: { sessionKey, frame: frameOfKey(sessionKey) } });
  assert.equal(typeof body.sessionToken, "string", JSON.stringify(body));
  return body.sessionToken;
}

export const continueFrame = (token: string) =>
  onFrame("/api/session/continue", { token, body: { consent: agreed("proveKnown") } });

export async function verified(phone: string, api = it.api): Promise<string> {
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
  await api.deliverVerification({ params: { uuid } });
  const [code = ""] = await codesSentTo(it, phone);
  await api.submitVerificationCode({ params: { uuid }, body: { code } });
  return uuid;
}
