import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { contrast, inScheme, themePath, themeSheet } from "../brand/theme.ts";

const hex = fc.integer({ min: 0, max: 0xffffff }).map((one) => `#${one.toString(16).padStart(6, "0")}`);
const styling = fc.record({
  primaryColor: hex,
  errorColor: hex,
  mutedColor: hex,
  backgroundColor: hex,
  alignment: fc.constantFrom("left", "center", "right", "stretch"),
  fontFamily: fc.constantFrom("system", "Lato", "x-y; }"),
  inputRadius: fc.integer({ min: 0, max: 40 }),
  buttonRadius: fc.integer({ min: 0, max: 40 }),
  oneClickWord: fc.constant("Signup" as const),
  logoUrl: fc.constant(null),
  successAnimation: fc.constant("full" as const),
});

test("for any brand colors, text and control borders have enough contrast in light and dark mode", () => {
  fc.assert(
    fc.property(styling, (set) => {
      const sheet = themeSheet(themePath(set).slice("/theme/".length));
      assert.ok(sheet !== null);
      for (const rule of sheet.split("@media")) {
        const colors = new Map(
          [...rule.matchAll(/--([a-z-]+):(#[0-9a-fA-F]{6})/g)].map((found) => [found[1], found[2] ?? ""]),
        );
        const between = (one: string, other: string) => contrast(colors.get(one) ?? "", colors.get(other) ?? "");
        const atLeast = rule.includes("color-scheme:dark") ? 5.5 : 4.5;
        for (const surface of ["background", "raised", "around"])
          for (const word of ["text", "primary", "accent", "muted", "error"])
            assert.ok(between(word, surface) >= atLeast, `${word} on ${surface}`);
        for (const [word, surface] of [
          ["primary", "soft"],
          ["accent", "soft-accent"],
        ] as const)
          assert.ok(between("text", surface) >= 4.5 && between(word, surface) >= 3, `${word} on ${surface}`);
        assert.ok(between("on-fill", "fill") >= 4.5 && between("on-fill", "pressed") >= 4.5);
        assert.ok(between("fill-edge", "background") >= 3 && between("edge", "background") >= 3);
      }
    }),
  );
});

test("the sheet of a single color scheme has that scheme's rules only", () => {
  const path = "/theme/0B6E4F-B00020-6B7280-FFFFFF-center-Geist-8-8.css";
  const of = (name: string) => themeSheet(name.slice("/theme/".length)) ?? "";
  const [light, dark] = [of(inScheme(path, "light")), of(inScheme(path, "dark"))];
  assert.ok(of(path).startsWith(light.trimEnd()));
  assert.doesNotMatch(light + dark, /@media/);
  assert.match(dark, /color-scheme:dark/);
});

test("in dark mode, a pale error color becomes deeper with the same hue, and others stay", () => {
  const errorOf = (error: string) =>
    /--error:(#\w+)/.exec(themeSheet(`0B6E4F-${error}-6B7280-FFFFFF-center-Geist-8-8-dark.css`) ?? "")?.[1];
  assert.equal(errorOf("FFC9C9"), "#ff6666");
  assert.equal(errorOf("FF8A80")?.toUpperCase(), "#FF8A80");
});

test("an invalid theme name has no sheet", () => {
  for (const name of [
    "",
    "x.css",
    "0B6E4F-B00020-6B7280-FFFFFF-center-Geist-8-8",
    "0B6E4F-B00020-6B7280-FFFFFF-middle-system-8-8.css",
  ])
    assert.equal(themeSheet(name), null);
});
