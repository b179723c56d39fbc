import assert from "node:assert/strict";
import test from "node:test";
import type { MailSender } from "../../../domain/ports.ts";

export const aMail = {
  id: "5b1f1b8e-63a5-4c58-9d8f-0c2d4f3a9e10",
  to: "ada@example.com",
  subject: "Sign in",
  body: "Open https://dashboard.example.com/in/abc\n",
  deadlineMs: 10_000,
};

/** Tests that every email adapter must pass. `delivered` returns the emails that were sent. */
export function mailConformance(
  name: string,
  make: () => Promise<{ sender: MailSender; delivered(): { text: string }[]; close(): Promise<void> }>,
): void {
  test(`${name} sends an email with its address, subject, and body`, async () => {
    const { sender, delivered, close } = await make();
    await sender.send(aMail);
    const [mail, ...rest] = delivered();
    assert.equal(rest.length, 0);
    for (const part of [aMail.to, aMail.subject, "https://dashboard.example.com/in/abc"])
      assert.ok(mail?.text.includes(part), part);
    await close();
  });
  test(`${name} sends to exactly one address and prevents header injection`, async () => {
    const { sender, delivered, close } = await make();
    for (const to of ["a@example.com, b@example.com", "a@example.com\r\nBcc: b@example.com", "Ada <a@example.com>", ""])
      await assert.rejects(sender.send({ ...aMail, to }), /the recipient is not one address/);
    assert.equal(delivered().length, 0);
    await sender.send({ ...aMail, subject: "Hello\r\nBcc: b@example.com" });
    const [mail = assert.fail("nothing was sent"), ...rest] = delivered();
    assert.match(mail.text, /^Subject: .*Hello/im);
    assert.doesNotMatch(mail.text, /^Bcc:/im);
    assert.equal(rest.length, 0);
    await close();
  });
}
