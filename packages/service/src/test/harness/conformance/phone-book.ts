import assert from "node:assert/strict";
import test from "node:test";
import type { PhoneBook } from "../../../domain/ports.ts";

/** Tests that every phone book must pass. */
export function phoneBookConformance(name: string, make: () => PhoneBook): void {
  test(`${name} accepts US mobile numbers unchanged`, () => {
    for (const phone of ["+16502530000", "+12122223333", "+14044567890"])
      assert.deepEqual(make().judge(phone), { kind: "supported", phone });
  });
  test(`${name} distinguishes malformed numbers from foreign ones`, () => {
    for (const text of [
      "",
      "6502530000",
      "+1 650 253 0000",
      "+1(650)2530000",
      "+１6502530000",
      "+0650253000",
      "tel:+16502530000",
    ])
      assert.deepEqual(make().judge(text), { kind: "malformed" }, text);
    for (const text of ["+442079460000", "+5511987654321", "+50937000000"])
      assert.deepEqual(make().judge(text), { kind: "foreign" }, text);
  });
}
