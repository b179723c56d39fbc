import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { hasTwoOrders, readBirthDate } from "../../wallet/birth-date.ts";

const now = Date.UTC(2026, 0, 2);
const day = (text: string) => {
  const read = readBirthDate(text, now);
  return read.kind === "day" ? read.day : read.kind;
};

test("reads a birth date in the common formats", () => {
  const forms = [
    "08/01/1989",
    "8/1/1989",
    "8-1-1989",
    "08.01.1989",
    "08 01 1989",
    "08011989",
    "1989-08-01",
    "1989/8/1",
  ];
  const worded = [
    "Aug 1, 1989",
    "August 1 1989",
    "1 august 1989",
    "Aug 1st, 1989",
    "1 de agosto de 1989",
    "1 ago 1989",
  ];
  for (const form of [...forms, ...worded]) assert.equal(day(form), "1989-08-01", form);
});

test("reads the month first, unless only the other order is a valid date", () => {
  assert.equal(day("02/03/1990"), "1990-02-03");
  assert.equal(day("23/03/1990"), "1990-03-23");
});

test("knows which dates in digits are another date with the day first", () => {
  for (const text of ["02/03/1990", "2-3-1990", "02031990"]) assert.equal(hasTwoOrders(text), true, text);
  for (const text of ["03/03/1990", "23/03/1990", "03/23/1990", "1990-02-03", "2 de marzo de 1990", "02/03/19"])
    assert.equal(hasTwoOrders(text), false, text);
});

test("distinguishes text that is not a date from an impossible birth date", () => {
  for (const text of ["", "August", "8/1", "8/1/89", "1989", "Foo 1 1989", "Augu 1 1989 1"])
    assert.equal(day(text), "none", text);
  for (const text of ["02/30/1989", "13/13/1989", "01/01/1899", "01/03/2026"])
    assert.equal(day(text), "impossible", text);
});

test("reads every day since 1900 in each format", () => {
  const days = fc.date({ min: new Date(Date.UTC(1900, 0, 1)), max: new Date(now), noInvalidDate: true });
  fc.assert(
    fc.property(days, (date) => {
      const iso = date.toISOString().slice(0, 10);
      const [year = "", month = "", dayOfMonth = ""] = iso.split("-");
      const forms = [
        iso,
        `${month}/${dayOfMonth}/${year}`,
        `${month}${dayOfMonth}${year}`,
        `${Number(month)}-${Number(dayOfMonth)}-${year}`,
      ];
      for (const language of ["en-US", "es-US"])
        forms.push(date.toLocaleDateString(language, { dateStyle: "long", timeZone: "UTC" }));
      for (const form of forms) assert.equal(day(form), iso, form);
    }),
  );
});

test("does not throw for any text", () => {
  fc.assert(fc.property(fc.string(), (text) => void readBirthDate(text, now)));
});
