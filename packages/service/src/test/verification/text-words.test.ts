/** The words of texts, measured in segments as a gateway does. */
import assert from "node:assert/strict";
import test from "node:test";
import type { SmsFormat } from "@countersign/contract/verification";
import { defaultSettings } from "../../domain/brand/settings.ts";
import type { Brand } from "../../domain/deps.ts";
import { OneTimeCode } from "../../domain/one-time-code.ts";
import { isGsm, segmentsOf, type TextParts, verificationText } from "../../domain/verification/texts/text.ts";

const formats: SmsFormat[] = ["code", "link", "codeAndLink", "linkAndCode"];
const link = "https://wallet.example.com/v/0123456789abcdef";
const hosts: Pick<TextParts, "host" | "within">[] = [
  {},
  { host: "wallet.example.com" },
  { host: "wallet.example.com", within: "shop.pied-piper.example.com" },
  { host: "wallet.example.com", within: `${"a".repeat(60)}.${"b".repeat(60)}.example.com` },
  { host: `${"h".repeat(60)}.example`, within: `${"a.".repeat(120)}example.com` },
];
const names = [
  "Piper",
  "A".repeat(100),
  `P${"€".repeat(99)}`,
  "[Piper] ".repeat(12),
  "ООО Рога и копыта".repeat(5),
  "株式会社ハチドリ".repeat(12),
  "Piper 🎉",
  `P${"👩🏽".repeat(24)}`,
  `A${"\u0301".repeat(99)}`,
  "नमस्ते ".repeat(14),
  "Café Zoë Łódź",
];

function words(externalName: string, format: SmsFormat, more: Partial<TextParts> = {}, settings = {}): string {
  const defaults = defaultSettings({ name: externalName, integrationType: "api", consentDeclared: true });
  const brand: Brand = {
    uuid: "",
    customerUuid: "",
    name: "",
    settings: { ...defaults, ...settings },
    settingsVersion: 1,
    hearsSignups: false,
    approvals: new Set(),
    mode: "active",
  };
  return verificationText({ isTest: false }, brand, {
    format,
    code: new OneTimeCode("123456"),
    link,
    style: "plain",
    ...more,
  });
}

test("every text fits in two segments and keeps its code and link, for any brand name and hosts", () => {
  for (const name of names)
    for (const format of formats)
      for (const more of hosts) {
        const text = words(name, format, more);
        assert.ok(segmentsOf(text) <= 2, `${segmentsOf(text)}: ${text}`);
        if (format !== "link") assert.match(text, /\b123456\b/);
        if (format !== "code") assert.ok(text.split("\n").includes(link), text);
        assert.ok(text.isWellFormed(), text);
      }
});

test("shortens a GSM brand name so that a text with an ordinary host fits in one segment", () => {
  for (const name of names.filter(isGsm))
    for (const format of formats)
      for (const more of hosts.slice(0, 2)) {
        const text = words(name, format, more);
        assert.equal(segmentsOf(text), 1, text);
      }
  assert.equal(words("A".repeat(100), "linkAndCode", { host: "wallet.example.com" }).length, 160);
  // Each euro sign takes two septets.
  assert.equal(words(`P${"€".repeat(99)}`, "code").match(/€/g)?.length, 48);
});

test("uses two segments and the whole name when hosts leave fewer than ten characters for the name", () => {
  const within = `${"a".repeat(60)}.example.com`;
  const text = words("Pied Piper Incorporated", "code", { host: "wallet.example.com", within });
  assert.equal(segmentsOf(text), 2);
  assert.match(
    text,
    /for Pied Piper Incorporated\. Do not share it\.\n@a+\.example\.com #123456 @wallet\.example\.com$/,
  );
});

test("a text with a non-GSM name takes two segments, and the name is cut only between characters", () => {
  assert.match(words("Łódź", "code"), /for Łódź\. /);
  assert.equal(segmentsOf(words("Café Zoë Łódź", "code")), 2);
  const text = words(`P${"👩🏽".repeat(24)}`, "code", { host: "wallet.example.com" });
  assert.match(text, /for P(👩🏽){9,23}\. Do not share it\.\n@wallet\.example\.com #123456$/u);
});

test("combines letters with their accents so that the text stays in one segment", () => {
  const text = words("Cafe\u0301 ".repeat(8), "code");
  assert.match(text, /Café Café/);
  assert.equal(segmentsOf(text), 1);
});

test("omits the line that binds the code to a host only when the hosts are longer than a text", () => {
  const bound = (more: Pick<TextParts, "host" | "within">, name = "Piper") =>
    words(name, "code", more).split("\n").at(-1)?.startsWith("@");
  for (const more of hosts.slice(1, 4)) assert.equal(bound(more), true, JSON.stringify(more));
  assert.equal(bound(hosts[4] ?? {}), false);
});

test("a text names the host of the page and of the frame once if they are the same", () => {
  const host = "wallet.example.com";
  assert.match(words("Piper", "code", { host, within: host }), /^[^@]*\n@wallet\.example\.com #123456$/);
});

test("a text names otpOrigin only if it is the host of an allowed origin", () => {
  const settings = (allowedOrigins: string[]) => ({ otpOrigin: "shop.example", allowedOrigins });
  assert.match(words("Piper", "code", {}, settings(["https://shop.example:8443"])), /\n@shop\.example #123456$/);
  for (const origins of [[], ["https://other.example"], ["https://sub.shop.example"], ["shop.example"]])
    assert.doesNotMatch(words("Piper", "code", {}, settings(origins)), /@/);
});

test("printing a code hides its digits", () => {
  const code = new OneTimeCode("907316");
  assert.deepEqual([`${code}`, JSON.stringify({ code }), code.forText()], ["***", '{"code":"***"}', "907316"]);
});
