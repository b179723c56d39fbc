/** Change notifications use their own connection, and a silent connection is detected and replaced. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { after, afterEach, test } from "node:test";
import { announceChange, openSignals } from "../../store/signals.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
assert.ok("connectionString" in it.stores.store.connection);
// The test server is reached through its Unix socket.
const server = new URL(it.stores.store.connection.connectionString);

/**
 * The sockets of a relay between us and the database. The relay can go silent without telling either side, as a faulty
 * router does.
 */
const sockets: Socket[] = [];
/** Resolves when a socket has closed, also after an error: the client may cut the connection with a reset. */
const closing = (socket: Socket | undefined) =>
  new Promise<void>((resolve) => {
    if (socket === undefined || socket.closed) resolve();
    else socket.once("close", () => resolve());
  });
/** If true, new connections can log in but receive nothing more. */
let isMute = false;
const ready = Buffer.from("Z\0\0\0\x05I", "latin1");
const relay = createServer((near) => {
  const far = connect(`${server.searchParams.get("host")}/.s.PGSQL.${server.port}`);
  for (const one of [near, far]) one.on("error", () => {});
  // A busy server may refuse a connection. What the client has sent would then keep the other one from ever closing.
  far.on("close", () => near.destroy());
  if (isMute)
    far.on("data", (chunk) => {
      near.write(chunk);
      if (chunk.includes(ready)) far.removeAllListeners("data").pause();
    });
  else far.pipe(near);
  near.pipe(far);
  sockets.push(near, far);
}).listen(0, "127.0.0.1");
await once(relay, "listening");
const through = new URL(server);
through.searchParams.delete("host");
through.hostname = "127.0.0.1";
through.port = String((relay.address() as AddressInfo).port);
const signals = await openSignals({ connectionString: through.href }, () => {}, { beatMs: 1_000 });
after(async () => {
  await signals.close();
  for (const one of sockets) one.destroy();
  relay.close();
});
// A failed test must not leave the next ones without a connection, because they would wait for ever.
afterEach(() => {
  isMute = false;
});
const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise<void>((resolve) => signals.onChange(resolve));
};

test("a signals connection that logs in but gets no answer is closed before the next attempt", async () => {
  isMute = true;
  const first = sockets.length;
  for (const one of sockets) one.unpipe().pause();
  while (sockets.length < first + 6) await once(relay, "connection");
  await Promise.all([closing(sockets[first]), closing(sockets[first + 2])]);
  isMute = false;
  await until(() => signals.connected());
});

test("a signals connection that stops answering is replaced, and the new one gets the next notification", async () => {
  await until(() => signals.connected());
  const before = sockets.length;
  for (const one of sockets) one.unpipe().pause();
  await until(() => !signals.connected());
  await until(() => signals.connected());
  assert.ok(sockets.length > before);
  const notified = new Promise<void>((resolve) => signals.onChange(resolve));
  await it.stores.store.pool.query(announceChange);
  await notified;
  assert.equal(signals.connected(), true);
});

test("signals are closed even if their connection has gone silent", async () => {
  await until(() => signals.connected());
  const first = sockets.length;
  const own = await openSignals({ connectionString: through.href }, () => {}, { endMs: 1 });
  for (const one of sockets.slice(first)) one.unpipe().pause();
  await own.close();
  assert.equal(own.connected(), false);
});

test("signals that are closed during a reconnect stay disconnected and keep no connection", async () => {
  // On a slow machine the other signals could reconnect during this test, and their sockets would be taken for these.
  await signals.close();
  const first = sockets.length;
  const own = await openSignals({ connectionString: through.href }, () => {});
  isMute = true;
  sockets[first]?.destroy();
  await once(relay, "connection");
  const [near, far] = sockets.slice(first + 2);
  assert.ok(near && far);
  await once(far, "pause");
  await own.close();
  isMute = false;
  far.pipe(near);
  await new Promise<unknown>((resolve) => {
    near.once("close", resolve);
    own.onChange(() => own.connected() && resolve(null));
  });
  assert.equal(own.connected(), false);
});
