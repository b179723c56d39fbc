import assert from "node:assert/strict";
import test from "node:test";
import { maskedAddress } from "../masked-address.ts";

test("a masked URL has the words that its path begins with, and hides what may be a secret", () => {
  for (const [url, masked] of [
    ["https://brand.example", "https://brand.example"],
    ["https://brand.example/receiver", "https://brand.example/receiver"],
    ["https://brand.example/web-hooks/countersign", "https://brand.example/web-hooks/countersign"],
    ["https://brand.example/hook?token=CANARY", "https://brand.example/hook/...NARY"],
    // Digits, capitals and more than 12 letters.
    ["https://brand.example/hooks/T0C4N4RY/B0C4N4RY/xxCANARY", "https://brand.example/hooks/...NARY"],
    ["https://brand.example/sEcReT/canary", "https://brand.example/...nary"],
    ["https://brand.example/canarycanaryx", "https://brand.example/...aryx"],
    // A word after a secret is not shown in full.
    ["https://brand.example/a1b2c3/canary", "https://brand.example/...nary"],
    ["https://brand.example/a1b2c3/in", "https://brand.example/.../in"],
    ["https://user:secret@brand.example/in", "https://brand.example/in"],
    ["https://brand.example:99999/canary", "...nary"],
  ])
    assert.equal(maskedAddress(url ?? ""), masked);
});
