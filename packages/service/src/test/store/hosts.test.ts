/** Several hosts: connections go to the one that accepts writes, and follow it. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "kysely";
import { readHosts } from "../../config/database-url.ts";
import { openDatabase } from "../../store/database.ts";
import { findHost, NoHost } from "../../store/failover/hosts.ts";
import { isConnectionLost, isDatabaseOutage } from "../../store/outage.ts";
import { announceChange, openSignals } from "../../store/signals.ts";
import { eventually } from "../harness/eventually.ts";
import { ownServer, urlOf } from "../harness/own-servers.ts";

const [a, b] = await Promise.all([ownServer("a"), ownServer("b")]);
await a.demote();
const connectionString = urlOf([a, b], "target_session_attrs=read-write");
const connection = { connectionString, hosts: readHosts(connectionString) };
const store = openDatabase(connection, () => {}, { answerMs: 5_000 });
after(() => store.close());

/** Writes, and returns the name of the server that did it. */
async function writeTo(): Promise<string> {
  const { rows } = await sql<{ name: string }>`update server set name = name returning name`.execute(store.db);
  return rows[0]?.name ?? "none";
}
const failure = () => writeTo().then(assert.fail, (error: unknown) => error);
/** Waits until writes succeed. Until then, each one must fail as an outage. */
const written = () =>
  eventually(() =>
    writeTo().catch((error: unknown) => {
      assert.ok(isDatabaseOutage(error), String(error));
      return undefined;
    }),
  );

test("the first host is read-only, so connections, transactions and notifications use the second", async () => {
  assert.equal(await writeTo(), "b");
  const names = await store.db.inTransaction((trx) => sql<{ name: string }>`select name from server`.execute(trx));
  assert.deepEqual(names.rows, [{ name: "b" }]);
  assert.equal(await findHost(connection.hosts), connection.hosts.urls[1]);
});

test("after a demotion, writes on open connections are outages, and no host is used until one accepts writes", async () => {
  await b.demote();
  const first = await eventually(() =>
    writeTo().then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
  assert.ok(isDatabaseOutage(first) && isConnectionLost(first), String(first));
  const none = await eventually(async () => {
    const error = await failure();
    return error instanceof NoHost ? error : undefined;
  });
  assert.match(none.message, /^no host accepts writes \(127.0.0.1:\d+: it is read-only/);
  assert.ok(isConnectionLost(none));
  await a.promote();
  assert.equal(await written(), "a");
});

test("the connection for notifications follows the host that accepts writes", async () => {
  // This is also how long an answer may take, so a short time would fail on a slow machine.
  const signals = await openSignals(connection, () => {}, { beatMs: 2_000 });
  const until = async (isConnected: boolean) => {
    while (signals.connected() !== isConnected) await new Promise<void>((resolve) => signals.onChange(resolve));
  };
  await a.demote();
  await until(false);
  await b.promote();
  await until(true);
  const notified = new Promise<void>((resolve) => signals.onChange(resolve));
  await b.keeper.query(announceChange);
  await notified;
  await signals.close();
});

test("the connections to a host that stops answering are closed, so waiting statements fail and later ones use another host", async () => {
  assert.equal(await written(), "b");
  b.silence();
  await a.promote();
  const waiting = await failure();
  assert.ok(isConnectionLost(waiting), String(waiting));
  assert.equal(await written(), "a");
});
