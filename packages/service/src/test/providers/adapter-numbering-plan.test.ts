import assert from "node:assert/strict";
import test from "node:test";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { newAreaCodes } from "../../providers/numbering-plan/new-area-codes.ts";
import { numberingPlan } from "../../providers/numbering-plan/phone-book.ts";
import { sandboxPeople } from "../../providers/sandbox/people.ts";
import { sandboxPhoneBook } from "../../providers/sandbox/phones.ts";
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

test("numbers of area codes that are newer than the library's data are supported", () => {
  for (const areaCode of newAreaCodes.keys()) {
    assert.equal(mainland.judge(`+1${areaCode}2340123`).kind, "supported", areaCode);
    for (const exchange of ["034", "134", "211", "911", "555"])
      assert.equal(mainland.judge(`+1${areaCode}${exchange}0123`).kind, "unsupported", `${areaCode} ${exchange}`);
    assert.equal(numberingPlan({ regions: ["PR"] }).judge(`+1${areaCode}2340123`).kind, "unsupported");
  }
  for (const areaCode of ["324", "948", "463", "659", "726", "279", "564"])
    assert.equal(mainland.judge(`+1${areaCode}2340123`).kind, "supported", areaCode);
});

test("the table of new area codes is still needed: the library does not know them all", () => {
  const unknown = [...newAreaCodes.keys()].filter((areaCode) => {
    const number = parsePhoneNumberFromString(`+1${areaCode}2340123`);
    return number?.isValid() !== true;
  });
  assert.notDeepEqual(unknown, [], "delete new-area-codes.ts");
});

test("the sandbox judges area codes as production does, except for the numbers of its test people", () => {
  const book = sandboxPhoneBook();
  for (const phone of ["+16212340123", "+18612340123", "+12122340123", "+12125550010"])
    assert.equal(book.judge(phone).kind, "supported", phone);
  for (const phone of ["+15005550006", "+14165552345", "+10123456788"])
    assert.equal(book.judge(phone).kind, "unsupported", phone);
  for (const [what, phone] of Object.entries(refused))
    if (!what.startsWith("exchange") && !what.startsWith("too"))
      assert.equal(book.judge(phone).kind, "unsupported", `${what} ${phone}`);
  for (const { phone } of Object.values(sandboxPeople)) assert.equal(book.judge(phone).kind, "supported", phone);
});
