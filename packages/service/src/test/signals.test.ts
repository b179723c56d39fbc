/** The word of a change has a way of its own, and silence on it is noticed. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { after, test } from "node:test";
import { announceChange, openSignals } from "../store/signals.ts";
import { sandbox } from "./harness.ts";

const it = await sandbox();
assert.ok("connectionString" in it.store.connection);
// The test server is reached by its socket.
const server = new URL(it.store.connection.connectionString);

/** Between us and the database: it can fall silent without a word to either side, as a forgetful router does. */
const sockets: Socket[] = [];
const relay = createServer((near) => {
  const far = connect(`${server.searchParams.get("host")}/.s.PGSQL.${server.port}`);
  for (const one of [near, far]) one.on("error", () => {});
  near.pipe(far).pipe(near);
  sockets.push(near, far);
}).listen(0, "127.0.0.1");
await once(relay, "listening");
const through = new URL(server);
through.searchParams.delete("host");
through.hostname = "127.0.0.1";
through.port = String((relay.address() as AddressInfo).port);
const signals = await openSignals({ connectionString: through.href }, () => {}, { beatMs: 250 });
after(async () => {
  await signals.close();
  for (const one of sockets) one.destroy();
  relay.close();
});
const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise<void>((resolve) => signals.onChange(resolve));
};

test("a connection for signals that falls silent is given up, and another brings the next word", async () => {
  assert.equal(signals.connected(), true);
  const before = sockets.length;
  for (const one of sockets) one.unpipe().pause();
  await until(() => !signals.connected());
  await until(() => signals.connected());
  assert.ok(sockets.length > before);
  const word = new Promise<void>((resolve) => signals.onChange(resolve));
  await it.store.pool.query(announceChange);
  await word;
  assert.equal(signals.connected(), true);
});
