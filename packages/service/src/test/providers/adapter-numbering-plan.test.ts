import assert from "node:assert/strict";
import test from "node:test";
import { numberingPlan } from "../../providers/numbering-plan/phone-book.ts";
import { sandboxPeople } from "../../providers/sandbox/people.ts";
import { sandboxPhoneBook } from "../../providers/sandbox/phone-book.ts";
import { phoneBookConformance } from "../harness/conformance/phone-book.ts";

const mainland = numberingPlan({ regions: ["US"] });

phoneBookConformance("the sandbox", () => sandboxPhoneBook());
phoneBookConformance("the numbering plan", () => mainland);

// biome-ignore format: a table
const refused = {
  premium: "+19002345678", "toll-free": "+18002345678", personal: "+15002345678", "invalid area code": "+12001234567",
  "service code": "+17106271234", Jamaica: "+18762345678", Canada: "+14162345678", "Dominican Republic": "+18092345678",
  Bahamas: "+12422345678", Barbados: "+12462345678", "Puerto Rico": "+17872345678", Guam: "+16716461234",
  "too short": "+1650253000", "too long": "+165025300001", "exchange starts with 1": "+16501230000",
};

for (const [what, phone] of Object.entries(refused)) {
  test(`${phone} (${what}) is not supported`, () => assert.deepEqual(mainland.judge(phone), { kind: "unsupported" }));
}

test("an operator can enable US territories, and only the named ones are supported", () => {
  const withIslands = numberingPlan({ regions: ["US", "PR"] });
  assert.equal(withIslands.judge("+17872345678").kind, "supported");
  assert.equal(withIslands.judge("+16716461234").kind, "unsupported");
  assert.equal(withIslands.judge("+18762345678").kind, "unsupported");
});

test("the numbering plan supports no phone number of the sandbox's test people", () => {
  for (const { phone } of Object.values(sandboxPeople)) assert.notEqual(mainland.judge(phone).kind, "supported", phone);
});
