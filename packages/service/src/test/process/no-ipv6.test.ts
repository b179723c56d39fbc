// alone: patches the network module
/** A machine whose kernel has no IPv6 refuses `::`, the address on which the image listens. */
import assert from "node:assert/strict";
import { Server } from "node:net";
import { after, test } from "node:test";
import fastify from "fastify";
import { listenOn } from "../../service.ts";

const { listen } = Server.prototype;
let code = "";
/** Refuses `::` with `code`. */
function refusing(this: Server, ...given: unknown[]): Server {
  const [at] = given;
  const isAll = typeof at === "object" && at !== null && "host" in at && at.host === "::";
  if (!isAll || code === "") return Reflect.apply(listen, this, given);
  process.nextTick(() => this.emit("error", Object.assign(new Error(`listen ${code}`), { code })));
  return this;
}
Object.assign(Server.prototype, { listen: refusing });
after(() => Object.assign(Server.prototype, { listen }));

async function listening(host: string): Promise<string | undefined> {
  const app = fastify();
  after(() => app.close());
  await listenOn(app, { host, port: 0 });
  const address = app.server.address();
  return typeof address === "object" ? address?.address : undefined;
}

test("without IPv6, a process that should listen on all addresses listens on those of IPv4", async () => {
  for (code of ["EAFNOSUPPORT", "EADDRNOTAVAIL"]) assert.equal(await listening("::"), "0.0.0.0", code);
});

test("another reason not to listen is reported", async () => {
  code = "EADDRINUSE";
  await assert.rejects(listening("::"), { code });
});

test("with IPv6, `::` takes the addresses of both", async () => {
  code = "";
  assert.equal(await listening("::"), "::");
});
