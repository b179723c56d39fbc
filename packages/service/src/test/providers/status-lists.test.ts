/** Status lists of authorities: only https, only public addresses, no redirect, and nothing too long. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import test, { after } from "node:test";
import { statusLists } from "../../providers/status-lists.ts";

const listType = { "content-type": "application/statuslist+cwt" };
const answers: Record<string, (response: ServerResponse) => void> = {
  "/list": (response) => response.writeHead(200, listType).end(Buffer.of(1, 2, 0xff)),
  "/html": (response) => response.writeHead(200, { "content-type": "text/html" }).end("no list"),
  "/gone": (response) => response.writeHead(404, listType).end(),
  "/moved": (response) => response.writeHead(302, { location: "/list" }).end(),
  "/long": (response) => response.writeHead(200, listType).end(Buffer.alloc(3 * 1_024 * 1_024)),
  "/broken": (response) => response.destroy(),
  // It never answers, so the deadline ends it.
  "/silent": () => {},
};
const server = createServer(({ url = "" }, response) => answers[url]?.(response));
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
const here = statusLists({ loopback: true });
after(async () => {
  await here.close();
  server.closeAllConnections();
  server.close();
});
const read = (path: string, deadlineMs = 5_000) => here.read(`http://127.0.0.1:${port}${path}`, deadlineMs);

test("a list is read byte for byte", async () => {
  assert.deepEqual(await read("/list"), Uint8Array.of(1, 2, 0xff));
});

test("anything else is no list", async () => {
  for (const path of ["/html", "/gone", "/moved", "/long", "/broken"]) assert.equal(await read(path), null, path);
  assert.equal(await read("/silent", 50), null);
});

test("addresses of private networks and without https are not called", async () => {
  const outside = statusLists();
  for (const uri of [
    `http://127.0.0.1:${port}/list`,
    "https://10.0.0.1/list",
    "https://svc.internal/list",
    "file:///etc",
    "x",
  ])
    assert.equal(await outside.read(uri, 5_000), null, uri);
  await outside.close();
});
