/** Runs the vendors for a rehearsal, and lets the service's own adapters and commands call them. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test, { after } from "node:test";
import { conformanceIdentity } from "../../commands/conformance.ts";
import { gatewaySms } from "../../providers/sms-gateway/sms.ts";
import { smtpMail } from "../../providers/smtp/mail.ts";
import { systemClock } from "../../providers/system.ts";
import { aMail } from "../harness/conformance/mail.ts";
import { aText } from "../harness/conformance/sms.ts";
import { read, root } from "../harness/deploy-files.ts";
import { eventually } from "../harness/eventually.ts";
import { fakeTime } from "../harness/fake-time.ts";

const folder = mkdtempSync(join(tmpdir(), "countersign-vendors-"));
const secretFile = join(folder, "secret");
const secret = "a secret that only this test knows";
writeFileSync(secretFile, `${secret}\n`);
const env = { ...process.env, SMS_GATEWAY_SECRET: secret, IDENTITY_SOURCE_SECRET_FILE: secretFile };
const child = spawn(process.execPath, [resolve(root, "examples/vendors.mjs")], {
  env: { ...env, PORT: "0", MAIL_PORT: "0" },
});
let printed = "";
child.stdout.setEncoding("utf8").on("data", (part) => {
  printed += part;
});
after(async () => {
  child.kill();
  await once(child, "exit");
  rmSync(folder, { recursive: true });
});
const told = (pattern: RegExp) => eventually(async () => pattern.exec(printed) ?? undefined);
const [, url = ""] = await told(/on (http:\S+)\n/);
const [, mailPort = ""] = await told(/smtp:\/\/127\.0\.0\.1:(\d+)\n/);
// The vendors use the system's clock.
const tools = { ...fakeTime().tools, clock: systemClock };

test("the sample identity source passes the conformance command", async () => {
  const person = { phone: "+16502530000", birthDate: "1990-01-01", unknownPhone: "+16502530009" };
  assert.equal(await conformanceIdentity({ url: `${url}/identity`, secretFile, ...person }), 0);
});

test("the sample gateway and mail server take what the service sends, and print it", async () => {
  const sender = gatewaySms({ url: `${url}/texts`, secret, from: "12345", callbackUrl: null }, tools);
  await sender.send(aText);
  await told(new RegExp(`Text to \\${aText.to}: `));
  const settings = { host: "127.0.0.1", port: Number(mailPort), user: null, password: null, from: "id@example.com" };
  const mail = smtpMail({ ...settings, tls: "none" }, tools);
  await mail.send(aMail);
  await told(/Email:\n[\s\S]*Subject: /);
  mail.close();
});

test("the guide names the program and its ports", async () => {
  const guide = await read("docs/guides/vendors.md");
  const program = await read("examples/vendors.mjs");
  const [, settings = ""] = /## Rehearse without vendors[\s\S]*?```ini\n([\s\S]*?)```/.exec(guide) ?? [];
  for (const [name, path] of [
    ["PORT", "texts"],
    ["PORT", "identity"],
    ["MAIL_PORT", ""],
  ]) {
    const [, port = ""] = new RegExp(`env\\.${name} \\?\\? (\\d+)`).exec(program) ?? [];
    assert.ok(settings.includes(path === "" ? `smtp://127.0.0.1:${port}` : `http://127.0.0.1:${port}/${path}`), name);
  }
});
