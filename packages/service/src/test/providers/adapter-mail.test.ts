import assert from "node:assert/strict";
import test from "node:test";
import { smtpMail } from "../../providers/smtp/mail.ts";
import { aMail, mailConformance } from "../harness/conformance/mail.ts";
import { fakeTime } from "../harness/fake-time.ts";
import { fakeSmtp, type SmtpFault } from "../harness/vendors/fake-smtp.ts";

async function smtp() {
  const time = fakeTime();
  const server = await fakeSmtp(time);
  const settings = { host: "127.0.0.1", port: server.port, user: "ada", password: "secret", from: "id@example.com" };
  return { time, server, settings, sender: smtpMail({ ...settings, tls: "none" }, time.tools) };
}

mailConformance("SMTP", async () => {
  const { sender, server } = await smtp();
  return { sender, delivered: () => server.mails, close: sender.close };
});

const hows = ["slow", "reset", "close", "half", "garbage", 421, 450, 535, 550] as const;
const places = ["greeting", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "end"];
const faults: SmtpFault[] = places.flatMap((at) => hows.map((how) => ({ at, how })));
const figures = { closed: 0, open: 0 };

for (const fault of faults) {
  test(`SMTP: ${fault.how} at ${fault.at} is not falsely reported as sent`, async () => {
    const { sender, server } = await smtp();
    server.break(fault);
    const outcome = await sender.send(aMail).then(
      () => "sent",
      (error: Error) => error.message,
    );
    // If the server refuses EHLO, the client falls back to HELO, and the server then accepts the email.
    const isTaken = server.mails.length === 1;
    figures[outcome === "sent" && !isTaken ? "open" : "closed"] += 1;
    assert.match(outcome, isTaken ? /^sent$/ : /^smtp: /);
    assert.doesNotMatch(outcome, /example\.com/);
    assert.ok(server.connections() <= 3);
  });
}

test("SMTP: no fault in the table is falsely reported as sent", (context) => {
  context.diagnostic(`SMTP: ${figures.closed} of ${figures.closed + figures.open} closed`);
  assert.deepEqual(figures, { closed: faults.length, open: 0 });
});

test("SMTP: when TLS is required but not offered, no email is sent", async () => {
  const { server, settings, time } = await smtp();
  const sender = smtpMail({ ...settings, tls: "upgrade" }, time.tools);
  await assert.rejects(sender.send(aMail), /smtp/);
  assert.equal(server.mails.length, 0);
});

test("SMTP: a retry has the same Message-ID", async () => {
  const { server, sender } = await smtp();
  server.break({ at: "end", how: "reset" });
  await assert.rejects(sender.send(aMail), /smtp: /);
  server.break(null);
  await sender.send(aMail);
  assert.match(server.mails[0]?.text ?? "", new RegExp(`^Message-ID: <${aMail.id}@example.com>`, "m"));
});

test("SMTP: after repeated failures, the server gets no connections for a while", async () => {
  const { server, sender, time } = await smtp();
  server.break({ at: "greeting", how: "reset" });
  for (let round = 0; round < 6; round += 1) await assert.rejects(sender.send(aMail), /smtp: /);
  server.break(null);
  const before = server.connections();
  await assert.rejects(sender.send(aMail), /breaker open/);
  assert.equal(server.connections(), before);
  time.advance(60_000);
  await sender.send(aMail);
  assert.equal(server.mails.length, 1);
});
