/**
 * Host names for which a service with demo keys answers. It refuses others, because any website can point its own name
 * at this machine (DNS rebinding).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FastifyInstance } from "fastify";
import { assertEnvelope, demoKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const demoOff = await sandbox({}, { DEMO: "off" });
const listeners = ({ app, wallet, dashboard }: typeof it): Record<string, FastifyInstance> => ({
  API: app,
  wallet,
  dashboard,
});
for (const app of [...Object.values(listeners(it)), ...Object.values(listeners(demoOff))]) await app.ready();

const paths = {
  API: [
    "/metrics",
    "/sandbox/messages",
    "/livez",
    "/readyz",
    "/v2/1-click/verifications/channels",
    "/nothing",
    "/docs",
  ],
  wallet: ["/", "/request", "/api/account", "/nothing"],
  dashboard: ["/", "/api/me", "/api/nothing"],
};
const status = async (app: FastifyInstance, url: string, host: string) => {
  const headers = { host, authorization: demoKey, "sec-fetch-site": "none" };
  const answer = await app.inject({ method: "GET", url, headers });
  if (answer.statusCode === 403) assertEnvelope(403, answer.json());
  return answer.statusCode;
};

const foreign: [string, string][] = [
  ["a foreign name that points at this machine", "evil.example:4000"],
  ["a name that starts with localhost", "localhost.evil.example"],
  ["a name that ends with localhost", "evil-localhost"],
  ["a name that contains a loopback address", "127.0.0.1.nip.io"],
  ["an address of another machine", "192.0.2.1"],
  ["the address 0.0.0.0", "0.0.0.0:4000"],
];
for (const [what, host] of foreign) {
  test(`with DEMO on, every listener answers 403 if the host is ${what}`, async () => {
    for (const [name, app] of Object.entries(listeners(it)))
      for (const url of paths[name as keyof typeof paths])
        assert.equal(await status(app, url, host), 403, `${name} ${url}`);
  });
}

test("with DEMO on, every listener answers if the host is localhost or a loopback address", async () => {
  for (const host of ["localhost", "LOCALHOST:4000", "127.0.0.1:4000", "127.8.8.8", "[::1]:4000", "[::1]"])
    for (const [name, app] of Object.entries(listeners(it)))
      for (const url of paths[name as keyof typeof paths].filter((one) => one !== "/api/me"))
        assert.notEqual(await status(app, url, host), 403, `${name} ${url} ${host}`);
});

test("with DEMO off, health probes work with any host", async () => {
  for (const host of ["10.1.2.3:4000", "countersign:4000", "api.example.com"])
    for (const url of ["/livez", "/readyz"]) assert.equal(await status(demoOff.app, url, host), 200, `${url} ${host}`);
});
