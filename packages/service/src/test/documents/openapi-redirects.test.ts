/**
 * Redirects against the OpenAPI document. Clients and proxies that validate answers follow redirects, so they never see
 * these.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { ClientResponse } from "@countersign/contract/client";
import { demoKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const document = JSON.parse(await readFile(new URL("../../../../../docs/api/v2.json", import.meta.url), "utf8"));

/** Headers of HTTP and of browsers, which every answer has. */
const ofHttp = ["cache-control", "connection", "content-length", "content-security-policy", "date", "referrer-policy"];
const ofBrowsers = ["x-content-type-options", "access-control-allow-origin", "access-control-expose-headers"];
const usual = [...ofHttp, ...ofBrowsers, "keep-alive", "ratelimit-policy"];

function assertDocumented(path: string, method: string, { status, headers, body }: ClientResponse): void {
  assert.equal(status, 302);
  const documented: Record<string, { required?: boolean }> = document.paths[path][method].responses[302].headers;
  const names = Object.keys(documented).map((name) => name.toLowerCase());
  assert.deepEqual(
    Object.keys(headers).filter((name) => !usual.includes(name) && !names.includes(name)),
    [],
  );
  for (const [name, { required }] of Object.entries(documented))
    if (required === true) assert.ok(headers[name.toLowerCase()] !== undefined, name);
  assert.ok(URL.canParse(headers.location ?? ""), "Location is a whole URL");
  assert.ok(body === undefined || body === "", "a redirect has no body");
}

const deviceIp = "::121:2555:0010";
const phone = "+12125550010";
const begun: [string, Record<string, unknown>][] = [
  ["/v2/1-click/verifications", { channel: "autofill", deviceIp }],
  ["/v2/1-click/verifications", { channel: "silent", deviceIp, phone }],
  ["/v2.1/1-click/verifications", { channel: "autofill", deviceIp, unknownMember: 1 }],
  ["/v2.1/1-click/verifications", { channels: ["silent", "autofill", "sms"], deviceIp, phone }],
];
for (const [path, payload] of begun)
  test(`each 302 after POST ${path} of ${JSON.stringify(payload)} is as the document says`, async () => {
    const headers = { authorization: demoKey };
    const first = await it.inject({ method: "POST", url: path, headers, payload });
    assertDocumented(path, "post", first);
    const { pathname } = new URL(first.headers.location ?? "");
    const followed = await it.inject({ method: "GET", url: pathname });
    assertDocumented(
      `${path.slice(0, path.indexOf("/1-click"))}/1-click/verifications/device/{token}`,
      "get",
      followed,
    );
  });
