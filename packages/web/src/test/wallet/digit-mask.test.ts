import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { dateMask, type Mask, phoneMask, ssn4Mask, ssnMask } from "../../wallet/digit-mask.ts";

/** Types characters one after the other, as a person does. */
const typed = (mask: Mask, text: string) => [...text].reduce((before, key) => mask(before + key, true), "");
/** Deletes from the end until nothing is left, and returns the texts on the way. */
function deleted(mask: Mask, text: string): string[] {
  const texts: string[] = [];
  for (let left = text; left !== ""; texts.push(left)) {
    const next = mask(left.slice(0, -1), false);
    assert.ok(next.length < left.length, `"${left}" cannot be deleted`);
    left = next;
  }
  return texts;
}

test("a phone is formatted while it is typed or pasted, and a country code is dropped", () => {
  assert.equal(typed(phoneMask, "2125550010"), "(212) 555-0010");
  for (const pasted of ["+12125550010", "1 212 555 0010", "212.555.0010", "+1 (212) 555-0010"]) {
    assert.equal(phoneMask(pasted, true), "(212) 555-0010", pasted);
    assert.equal(typed(phoneMask, pasted), "(212) 555-0010", pasted);
  }
  assert.equal(typed(phoneMask, "123"), "1 23");
  assert.equal(typed(phoneMask, "+1212555"), "+1 (212) 555");
  deleted(phoneMask, "1 (212) 555-001");
  for (const other of ["+44 20 7183 8750", "21255500101", "call me", ""]) assert.equal(phoneMask(other, true), other);
});

test("a birthday gets its slashes while it is typed, and other date formats are converted", () => {
  assert.equal(typed(dateMask, "08011989"), "08/01/1989");
  assert.equal(typed(dateMask, "8/1/1989"), "08/01/1989");
  assert.equal(typed(dateMask, "8-1-1989"), "08/01/1989");
  assert.equal(typed(dateMask, "08/01/19899"), "08/01/1989");
  for (const pasted of ["1989-08-01", "8/1/1989", "08.01.1989", "08 01 1989"])
    assert.equal(dateMask(pasted, true), "08/01/1989", pasted);
  assert.equal(dateMask("Aug 1, 1989", true), "Aug 1, 1989");
});

test("SSN digits get their dashes, and letters are left out", () => {
  assert.equal(typed(ssnMask, "000456789"), "000-45-6789");
  assert.equal(ssnMask("000 45 6789 1", true), "000-45-6789");
  assert.equal(ssn4Mask("67a89-1", true), "6789");
});

test("every masked text can be deleted to the end, and typing it again gives the same text", () => {
  const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(digits, fc.constantFrom(dateMask, ssnMask, ssn4Mask), (text, mask) => {
      const full = typed(mask, text);
      deleted(mask, full);
      assert.equal(mask(full, false).replace(/\D/g, ""), full.replace(/\D/g, ""));
    }),
  );
  deleted(phoneMask, "(212) 555-0010");
});
