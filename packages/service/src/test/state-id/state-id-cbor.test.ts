import assert from "node:assert/strict";
import { test } from "node:test";
import { cborEncode } from "@owf/mdoc";
import { assertSafeCbor, bytesMax, UnsafeCbor } from "../../domain/state-id/cbor.ts";

const hex = (text: string) => new Uint8Array(Buffer.from(text, "hex"));
const refused = (bytes: Uint8Array, why: RegExp) =>
  assert.throws(
    () => assertSafeCbor(bytes),
    (error) => error instanceof UnsafeCbor && why.test(error.message),
  );

test("what state IDs contain passes", () => {
  for (const text of [
    "00",
    "20",
    "1818",
    "40",
    "43010203",
    "60",
    "63c3a961",
    "80",
    "8101",
    "a0",
    "a10102",
    "f4",
    "f5",
    "f6",
    "f7",
  ])
    assertSafeCbor(hex(text));
  assertSafeCbor(hex("d818428100"));
  assertSafeCbor(hex("c074323032362d30312d30315430303a30303a30305a"));
  assertSafeCbor(hex("d903ec6a323032362d30312d3031"));
});

test("each other form is refused, with its reason", () => {
  const cases: [string, RegExp][] = [
    ["", /truncated/],
    ["18", /truncated/],
    ["4201", /truncated/],
    ["8201", /truncated/],
    ["a1", /truncated/],
    ["0000", /after the end/],
    ["9fff", /indefinite/],
    ["bfff", /indefinite/],
    ["5fff", /indefinite/],
    ["1c", /indefinite/],
    ["1817", /shortest/],
    ["190017", /shortest/],
    ["1a00000017", /shortest/],
    ["1bffffffffffffffff", /shortest/],
    ["580100", /shortest/],
    ["62c328", /UTF-8/],
    ["a201020102", /repeated key/],
    ["a2616101616102", /repeated key/],
    ["a18001", /key of a wrong type/],
    ["a1410001", /key of a wrong type/],
    ["e0", /simple value/],
    ["f820", /long simple value/],
    ["f90000", /float/],
    ["fb3ff0000000000000", /float/],
    ["c249010000000000000000", /unknown tag/],
    ["d81b826645726f726161", /unknown tag/],
    ["d81c80", /unknown tag/],
    ["d9dfff80", /unknown tag/],
    ["d81800", /wrong content/],
    ["d818419f", /indefinite/],
    ["c000", /wrong content/],
    ["d200", /wrong content/],
  ];
  for (const [text, why] of cases) refused(hex(text), why);
});

test("nesting is limited, also through embedded CBOR and through what a signature covers", () => {
  refused(new Uint8Array(100).fill(0x81), /too deep/);
  let embedded: unknown = 0;
  let bytes = cborEncode(embedded);
  for (let at = 0; at < 20; at += 1) {
    embedded = bytes;
    bytes = new Uint8Array(Buffer.concat([hex("d818"), cborEncode(embedded)]));
  }
  refused(bytes, /too deep/);
  let signed = cborEncode(0);
  for (let at = 0; at < 20; at += 1) signed = cborEncode([hex("a10126"), new Map(), signed, hex("00")]);
  refused(signed, /too deep/);
});

test("what a signature covers is checked like the rest", () => {
  const sign1 = (headers: string, payload: string) => cborEncode([hex(headers), new Map(), hex(payload), hex("00")]);
  assertSafeCbor(sign1("a10126", "d8184100"));
  refused(sign1("a201260126", "00"), /repeated key/);
  refused(sign1("a10126", "d81841e0"), /unknown simple value/);
});

test("size and number of items are limited", () => {
  refused(new Uint8Array(bytesMax + 1), /too long/);
  refused(new Uint8Array(Buffer.concat([hex("991388"), Buffer.alloc(5_000)])), /too many items/);
  refused(hex("9affffffff00"), /truncated|too many/);
});
