import assert from "node:assert/strict";
import test from "node:test";
import type { CredentialType } from "@countersign/contract/credential";
import { defaultSettings, patchSettings } from "../../domain/brand/settings.ts";
import { type CredentialFormats, fillPattern, formatValue } from "../../domain/credential/format.ts";
import { parseDelivered } from "../../domain/credential/parse.ts";

const plain: CredentialFormats = {
  birthDate: "yyyy-MM-dd",
  state: "abbreviation",
  country: "abbreviation",
  fullName: "object",
  address: "object",
};
const format = (type: CredentialType, value: string, changed: Partial<CredentialFormats>, country?: string) =>
  formatValue(type, value, { formats: { ...plain, ...changed }, country });

const birthDates: [string, string][] = [
  ["yyyy-MM-dd", "1989-08-01"],
  ["unixTimestamp", "617976000000"],
  ["MM/dd/yyyy", "08/01/1989"],
  ["M/d/yy", "8/1/89"],
  ["d-M-y", "1-8-1989"],
  ["yyyyMMdd", "19890801"],
  ["yyyy", "1989"],
];
for (const [pattern, expected] of birthDates) {
  test(`a birth date as ${pattern} is ${expected}`, () => {
    assert.equal(format("BirthDateCredential", "1989-08-01", { birthDate: pattern }), expected);
  });
}

test("a delivered year of two digits is read back as the latest one that is not in the future", () => {
  const formats = { ...plain, birthDate: "M/d/yy" };
  for (const [text, year, month, day] of [
    ["8/1/89", 1989, 7, 1],
    ["1/2/26", 2026, 0, 2],
    ["1/3/26", 1926, 0, 3],
  ] as const) {
    const parsed = parseDelivered("BirthDateCredential", text, { formats, today: "2026-01-02" });
    assert.equal(parsed, String(Date.UTC(year, month, day, 12)));
  }
});

test("a date is read back from every pattern, also without separators, and anything else is left as it is", () => {
  const read = (birthDate: string, text: string) =>
    parseDelivered("BirthDateCredential", text, { formats: { ...plain, birthDate }, today: "2026-01-02" });
  for (const [pattern, text] of birthDates)
    if (!["yyyy", "unixTimestamp"].includes(pattern))
      assert.equal(read(pattern, text), String(Date.UTC(1989, 7, 1, 12)), pattern);
  assert.equal(read("Mdyyyy", "1111990"), String(Date.UTC(1990, 10, 1, 12)));
  assert.equal(read("ddMMyy", "010889"), String(Date.UTC(1989, 7, 1, 12)));
  for (const [pattern, text] of [
    ["MM/dd/yyyy", "08-01-1989"],
    ["MM/dd/yyyy", "08/01/1989x"],
    ["MM/dd/yyyy", "/01/1989"],
    ["yyyyMMdd", "1989080"],
    ["MdMdMdMdMdMdMdMdMdMd", `${"1".repeat(40)}x`],
  ] as const)
    assert.equal(read(pattern, text), text, `${pattern} ${text}`);
});

test("a brand's date format has each of y, M and d at most once, in any order", () => {
  const settings = defaultSettings({ name: "Piper", integrationType: "api", consentDeclared: true });
  const problemsOf = (birthDate: string) => {
    const rules = { loopback: true, health: true, stateIds: true, judge: () => null, uuid: () => "" };
    const patched = patchSettings(settings, { credentialFormats: { birthDate } }, rules);
    return patched.kind === "problems" ? patched.problems.map(({ path }) => path) : [];
  };
  for (const birthDate of ["MdMdMdMdMdMdMdMdMdMd", "yyyy-MM-dd/yy", "d/M/d", "//-"])
    assert.deepEqual(problemsOf(birthDate), ["settings.credentialFormats.birthDate"], birthDate);
  for (const birthDate of ["dd/MM/yyyy", "yyyyMMdd", "M", "d-yy", "unixTimestamp"])
    assert.deepEqual(problemsOf(birthDate), [], birthDate);
});

test("a birth date before 1970 is a negative number of milliseconds at noon UTC", () => {
  assert.equal(
    format("BirthDateCredential", "1955-11-20", { birthDate: "unixTimestamp" }),
    String(Date.UTC(1955, 10, 20, 12)),
  );
});

test("an invalid birth date is returned unchanged", () => {
  assert.equal(format("BirthDateCredential", "unknown", { birthDate: "MM/dd/yyyy" }), "unknown");
  assert.equal(
    format("BirthDateCredential", "99999999999999999999", { birthDate: "MM/dd/yyyy" }),
    "99999999999999999999",
  );
});

const regions: [string, string][] = [
  ["CA", "California"],
  ["DC", "District of Columbia"],
  ["PR", "Puerto Rico"],
  ["GU", "Guam"],
];
for (const [code, name] of regions) {
  test(`region ${code} converts to ${name} and back`, () => {
    assert.equal(format("StateCredential", code, { state: "full" }), name);
    assert.equal(format("StateCredential", name, { state: "abbreviation" }), code);
  });
}

test("a region that is unknown or of another country is returned unchanged", () => {
  assert.equal(format("StateCredential", "PA", { state: "full" }, "BR"), "PA");
  assert.equal(format("StateCredential", "PA", { state: "full" }, "US"), "Pennsylvania");
  assert.equal(format("StateCredential", "ZZ", { state: "full" }), "ZZ");
});

test("a country code converts to its full name and back", () => {
  assert.equal(format("CountryCredential", "US", { country: "full" }), "United States of America");
  assert.equal(format("CountryCredential", "United States of America", { country: "abbreviation" }), "US");
  assert.equal(format("CountryCredential", "CA", { country: "full" }), "Canada");
  assert.equal(format("CountryCredential", "nowhere", { country: "full" }), "nowhere");
});

test("values of other types are returned unchanged", () => {
  assert.equal(format("SsnCredential", "000456789", { state: "full" }), "000456789");
});

const name = { firstName: "Richard", middleName: "Harrison", lastName: "Hendricks" };
const place = { line1: "5320 Newell Rd", city: "Palo Alto", state: "CA", country: "US" };
const patterns: [string, Record<string, string>, string][] = [
  ["lastName, firstName", name, "Hendricks, Richard"],
  ["city, country-state", place, "Palo Alto, US-CA"],
  ["lastName, firstName", { firstName: "Richard" }, "Richard"],
  ["lastName, firstName", { lastName: "Hendricks" }, "Hendricks"],
  ["firstName middleName lastName", { ...name, middleName: "" }, "Richard Hendricks"],
  ["lastName, firstName middleName", { lastName: "Hendricks", middleName: "Harrison" }, "Hendricks, Harrison"],
  ["line1 line2, city", place, "5320 Newell Rd, Palo Alto"],
  ["line2 - line1", place, "5320 Newell Rd"],
  ["- city -", place, "Palo Alto"],
  ["nickname, nothing", name, ""],
];
for (const [pattern, parts, expected] of patterns) {
  test(`"${pattern}" filled with ${Object.keys(parts).join(", ")} leaves no stray separator`, () => {
    assert.equal(fillPattern(pattern, new Map(Object.entries(parts))), expected);
  });
}
