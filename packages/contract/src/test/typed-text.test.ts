import assert from "node:assert/strict";
import test from "node:test";
import { digitsIn, isNeverIssued, plainPhone, plainText, readPhone } from "../typed-text.ts";

const us = "+12125550010";

test("a US number is read however another program writes it", () => {
  for (const [how, text] of [
    ["plain", "2125550010"],
    ["E.164", "+12125550010"],
    ["marks for text direction, as contacts copy it", "\u202d+1 (212) 555-0010\u202c"],
    ["isolates", "\u2066(212) 555-0010\u2069"],
    ["left-to-right and right-to-left marks", "\u200e212\u200f5550010\u200e"],
    ["zero-width characters and a byte order mark", "\ufeff212\u200b555\u200d00\u206010"],
    ["a variation selector of a PDF", "+1\ufe0d-212-555-0010"],
    ["the first character is a mark", "\u200e2125550010"],
    ["soft hyphens", "212\u00ad555\u00ad0010"],
    ["no-break, narrow and figure spaces", "212\u00a0555\u202f00\u200710"],
    ["an ideographic space and line ends", "212\u3000555\r\n0010\t"],
    ["hyphens that do not break", "212\u2011555\u20110010"],
    ["an en dash and an em dash", "212\u2013555\u20140010"],
    ["minus signs", "212\u2212555\u22120010"],
    ["the long vowel mark of Japanese keyboards", "212\u30fc555\u30fc0010"],
    ["dots, also raised ones", "212.555\u00b70010"],
    ["bullets", "212 \u2022 555 \u2022 0010"],
    ["slashes", "212/555-0010"],
    [
      "wide digits and signs",
      "\uff0b\uff11\uff08\uff12\uff11\uff12\uff09\uff15\uff15\uff15\uff0d\uff10\uff10\uff11\uff10",
    ],
    ["Arabic digits", "\u0662\u0661\u0662\u0665\u0665\u0665\u0660\u0660\u0661\u0660"],
    ["Devanagari digits", "\u0968\u0967\u0968\u096b\u096b\u096b\u0966\u0966\u0967\u0966"],
    ["bold mathematical digits", "\u{1d7d0}\u{1d7cf}\u{1d7d0}5550010"],
    ["keycap emoji", "2\ufe0f\u20e31\ufe0f\u20e32\ufe0f\u20e35550010"],
    ["a link", "tel:+12125550010"],
    ["a link with parameters", "tel:+1-212-555-0010;phone-context=+1"],
    ["a link with spaces", "TEL:%2B1%20212%20555%200010"],
    ["a link to a text", "sms:+12125550010?body=Hi"],
    ["prefixes for calls abroad", "001 212 555 0010"],
    ["the American prefix for calls abroad", "011 1 212 555 0010"],
    ["a country code in brackets", "+(1) 212-555-0010"],
    ["words before it", "Mobile: +1 (212) 555-0010"],
    ["words behind it", "(212) 555-0010 (cell)"],
  ] as const)
    assert.equal(readPhone(text), us, how);
});

test("a text without exactly one US number is not read", () => {
  for (const text of [
    "",
    "call me",
    "212555001",
    "21255500101",
    "1234567890",
    "+44 20 7183 8750",
    "+442071838",
    "+2125550010",
    "212-555-0010 x123",
    "2125550010 or 2125550011",
    "1-800-FLOWERS",
    "(\u2022\u2022\u2022) \u2022\u2022\u2022-0010",
  ])
    assert.equal(readPhone(text), null, text);
});

test("codes and dates get plain digits and separators", () => {
  assert.equal(digitsIn("\u200e111\u2011111\u00a0"), "111111");
  assert.equal(digitsIn("\uff11\uff11\uff11 \u0661\u0661\u0661"), "111111");
  assert.equal(plainText("08\u204401\u22151989"), "08/01/1989");
  assert.equal(plainText("\u200f\uff11\uff19\uff18\uff19\uff0d08\u201001"), "1989-08-01");
  assert.equal(plainText("1\u00ba de agosto"), "1o de agosto");
});

test("a number of another country keeps its digits", () => {
  assert.equal(plainPhone("tel:+44\u00a020\u00a07183\u00a08750"), "+44 20 7183 8750");
});

test("an SSN that was never issued is known, and an ITIN or a test person's SSN is possible", () => {
  for (const digits of ["666123456", "123006789", "123450000"]) assert.equal(isNeverIssued(digits), true, digits);
  for (const digits of ["012345678", "900701234", "000456789"]) assert.equal(isNeverIssued(digits), false, digits);
});
