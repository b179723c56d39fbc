import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { type ConsentKind, consentParts, consentTexts, consentWords, provingText } from "../wallet/consent.ts";
import { earlierConsent } from "../wallet/earlier-consent.ts";

/**
 * Hashes of the English and Spanish words of every version that a screen ever showed. Only add lines: a changed text
 * gets a new version, and its former version moves to `earlier-consent.ts`.
 */
const published: Record<string, string> = {
  "proveVerify 2026-11": "57999aa1ef6aca03",
  "proveVerify 2026-11-23": "faae2ca5472bbedf",
  "proveVerify 2026-11-24": "98579704f10c4bb0",
  "proveVerify 2026-11-25": "a3be6a8c1a644ecf",
  "proveKnown 2026-11": "0a1d8865c3d1cb73",
  "proveKnown 2026-11-24": "c1f6b95482dba7b7",
  "proveKnown 2026-11-25": "10980ef423780f43",
  "proveKnownSsn 2026-11": "0a1d8865c3d1cb73",
  "proveKnownSsn 2026-11-23": "a8605a0021227e70",
  "proveKnownSsn 2026-11-24": "0d37f4812c8bb46e",
  "proveKnownSsn 2026-11-25": "0991daf6d4fd0078",
  "proveKnownHealth 2026-11": "0a1d8865c3d1cb73",
  "proveKnownHealth 2026-11-23": "87faccb85ca113d3",
  "proveKnownHealth 2026-11-24": "3b34a30eaf5c729f",
  "proveKnownHealth 2026-11-25": "63e0399ce7aa9e4c",
  "proveKnownSsnAndHealth 2026-11": "0a1d8865c3d1cb73",
  "proveKnownSsnAndHealth 2026-11-23": "e6292ae6efa80f00",
  "proveKnownSsnAndHealth 2026-11-24": "b1982c4184c80022",
  "proveKnownSsnAndHealth 2026-11-25": "318e10fea4fe7b54",
  "proveData 2026-11": "a45284a4425f9f31",
  "proveData 2026-11-23": "a27caea1f626efce",
  "proveData 2026-11-24": "4ee507b5291546f9",
  "proveData 2026-11-25": "887088f4a6ffae9e",
  "proveSsn 2026-11": "3e3f00fe48dc907f",
  "proveSsn 2026-11-23": "6aa35f7aa8b7471a",
  "proveSsn 2026-11-24": "2cf49572610d1095",
  "proveSsn 2026-11-25": "e6a894366d613a8a",
  "proveHealth 2026-11": "2a3dae28fa571342",
  "proveHealth 2026-11-23": "4d635a030b89114f",
  "proveHealth 2026-11-24": "373e9eb61c2d48ad",
  "proveHealth 2026-11-25": "77d019ce906e7603",
  "proveSsnAndHealth 2026-11": "8a7b1a4c0b69d68f",
  "proveSsnAndHealth 2026-11-23": "575b6cbb9fdec854",
  "proveSsnAndHealth 2026-11-24": "de3e0ad1f87c517e",
  "proveSsnAndHealth 2026-11-25": "298550a30be5a6a1",
  "share 2026-11": "212469867e14dc87",
  "share 2026-11-24": "bae492f2266ed5f2",
  "share 2026-11-25": "c8392a93798efdf5",
  "decline 2026-11": "4cfdd85af04b4e4f",
  "decline 2026-11-24": "5a018ce60555665e",
  "leave 2026-11": "544f311d68307a6f",
  "insurance 2026-11": "58236bac69a22670",
  "insurance 2026-11-24": "c06264362f1c4d86",
  "insurance 2026-11-25": "b5391145d395bc75",
  "signIn 2026-11-22": "ac94b512702d60fd",
  "signIn 2026-11-25": "710d833fdb35512f",
  "stop 2026-11-22": "4dd6fc88178ea604",
  "stop 2026-11-23": "d1e38c63787355cf",
  "stop 2026-11-24": "65bdba8be9f592a5",
  "stop 2026-11-24b": "1e1712c623a21c3d",
  "delete 2026-11-22": "fd446c9e2d37eb32",
  "delete 2026-11-23": "799a97437993630d",
  "delete 2026-11-24": "a07f1679f3bbc21e",
  "delete 2026-11-26": "c4b32df811940521",
  "reset 2026-11-22": "bc53fec2281ef3db",
  "reset 2026-11-23": "df26001f52dd1fa9",
  "handOver 2026-11-22": "99e98d40e5263878",
  "handOver 2026-11-23": "63eae8af8a855421",
  "handOver 2026-11-24": "0feeeb420c1fa404",
  "addToWallet 2026-11-24": "c492219d859cf01a",
};

const isKind = (kind: string): kind is ConsentKind => Object.hasOwn(consentTexts, kind);
const kinds = Object.keys(consentTexts).filter(isKind);
const hashOf = (kind: ConsentKind, version: string) => {
  const words = (["en", "es"] as const).map((language) => consentWords(kind, { version, language }, "{brand}"));
  return createHash("sha256").update(JSON.stringify(words)).digest("hex").slice(0, 16);
};

test("a published version of a text is never changed or removed", () => {
  const found: Record<string, string> = {};
  for (const kind of kinds) {
    for (const { version } of [consentTexts[kind], ...earlierConsent[kind]])
      found[`${kind} ${version}`] = hashOf(kind, version);
  }
  assert.deepEqual(found, published);
});

test("both languages have the same pieces, with the links and the brand in the same places", () => {
  for (const kind of kinds) {
    const { en, es } = consentTexts[kind];
    assert.deepEqual(Object.keys(en), Object.keys(es));
    const marks = (pieces: Readonly<Record<string, string>>) =>
      Object.values(pieces).map((piece) => [piece.match(/\((terms|privacy)\)|\{brand\}/g)?.toSorted()]);
    assert.deepEqual(marks(en), marks(es), kind);
  }
});

test("a brand name stays plain text even if it looks like markup", () => {
  for (const name of ["{brand}", "[x](terms)", "$&", "a  b", "]("]) {
    const words = consentWords("share", { version: consentTexts.share.version, language: "en" }, name) ?? "";
    assert.ok(words.includes(` give ${name} these details`), words);
    const links = consentParts(consentTexts.share.en.text, name).filter(({ link }) => link !== undefined);
    assert.deepEqual(links, [
      { text: "Terms of use", link: "terms" },
      { text: "Privacy policy", link: "privacy" },
    ]);
  }
});

test("an unknown version of a text has no words", () => {
  for (const version of ["", "2026-01", "toString", "__proto__", "2026-11 "])
    assert.equal(consentWords("share", { version, language: "en" }, "Hooli"), null);
});

test("the text below the phone names the data that is looked up", () => {
  const textFor = (data: boolean, ssn: boolean, health: boolean, known = false) =>
    provingText({ known, asksFor: { data, ssn, health } });
  assert.deepEqual(
    [textFor(false, false, true), textFor(true, false, false), textFor(true, true, false), textFor(true, false, true)],
    ["proveVerify", "proveData", "proveSsn", "proveHealth"],
  );
  assert.equal(textFor(true, true, true), "proveSsnAndHealth");
  assert.deepEqual(
    [textFor(true, false, false, true), textFor(true, true, false, true), textFor(true, false, true, true)],
    ["proveKnown", "proveKnownSsn", "proveKnownHealth"],
  );
  assert.equal(textFor(true, true, true, true), "proveKnownSsnAndHealth");
});
