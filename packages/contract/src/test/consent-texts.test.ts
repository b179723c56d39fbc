import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import {
  type ConsentKind,
  consentParts,
  consentTexts,
  consentWords,
  provingText,
  sharedDetails,
} from "../wallet/consent.ts";

/** Hashes of the English and Spanish words of each text. A changed text gets a new version with its hash. */
const published: Record<string, string> = {
  "proveVerify 2026-11-25": "a3be6a8c1a644ecf",
  "proveKnown 2026-11-25": "10980ef423780f43",
  "proveKnownSsn 2026-11-25": "0991daf6d4fd0078",
  "proveKnownHealth 2026-11-25": "63e0399ce7aa9e4c",
  "proveKnownSsnAndHealth 2026-11-25": "318e10fea4fe7b54",
  "proveData 2026-11-25": "887088f4a6ffae9e",
  "proveSsn 2026-11-25": "e6a894366d613a8a",
  "proveHealth 2026-11-25": "77d019ce906e7603",
  "proveSsnAndHealth 2026-11-25": "298550a30be5a6a1",
  "share 2026-11-29": "461dcfedc713e9a9",
  "decline 2026-11-24": "5a018ce60555665e",
  "leave 2026-11": "544f311d68307a6f",
  "insurance 2026-11-25": "b5391145d395bc75",
  "signIn 2026-11-25": "710d833fdb35512f",
  "stop 2026-11-24": "1e1712c623a21c3d",
  "delete 2026-12-02": "bc768bddf9fd979f",
  "reset 2026-11-23": "df26001f52dd1fa9",
  "handOver 2026-11-24": "0feeeb420c1fa404",
  "addToWallet 2026-11-24": "c492219d859cf01a",
};

const isKind = (kind: string): kind is ConsentKind => Object.hasOwn(consentTexts, kind);
const kinds = Object.keys(consentTexts).filter(isKind);
const hashOf = (kind: ConsentKind, version: string) => {
  const words = (["en", "es"] as const).map((language) =>
    consentWords(kind, { version, language }, "{brand}", "{details}"),
  );
  return createHash("sha256").update(JSON.stringify(words)).digest("hex").slice(0, 16);
};

test("a text with other words has another version", () => {
  const found = kinds.map((kind) => {
    const { version } = consentTexts[kind];
    return [`${kind} ${version}`, hashOf(kind, version)];
  });
  assert.deepEqual(Object.fromEntries(found), published);
});

test("both languages have the same pieces, with the links and the brand in the same places", () => {
  for (const kind of kinds) {
    const { en, es } = consentTexts[kind];
    assert.deepEqual(Object.keys(en), Object.keys(es));
    const marks = (pieces: Readonly<Record<string, string>>) =>
      Object.values(pieces).map((piece) => [piece.match(/\((terms|privacy)\)|\{(brand|details)\}/g)?.toSorted()]);
    assert.deepEqual(marks(en), marks(es), kind);
  }
});

test("a brand name stays plain text even if it looks like markup", () => {
  const details = "your email";
  for (const name of ["{brand}", "{details}", "[x](terms)", "$&", "a  b", "]("]) {
    const words = consentWords("share", { version: consentTexts.share.version, language: "en" }, name, details) ?? "";
    assert.ok(words.includes(` give ${name} your email, and`), words);
    const links = consentParts(consentTexts.share.en.text, name, details).filter(({ link }) => link !== undefined);
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

test("the text of a share names each shared detail once, as the screen and the record do", () => {
  const detail = (key: string) => ({ key, title: "Liveness" });
  const all = ["fullName", "employer", "employerName", "ssn", "liveness"].map(detail);
  assert.equal(sharedDetails(all, "en"), "your full name, employer, Social Security number, and liveness");
  assert.equal(sharedDetails(all.slice(0, 2), "es"), "estos datos: nombre completo y empleador");
  assert.deepEqual(
    [sharedDetails([], "en"), sharedDetails([], "es")],
    ["none of your details", "ninguno de sus datos"],
  );
});
