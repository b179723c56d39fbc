/** The number of segments of a text, with test vectors that follow from 3GPP TS 23.038 and 23.040. */
import assert from "node:assert/strict";
import test from "node:test";
import { segmentsOf } from "../../domain/verification/texts/text.ts";

/** Every character of the GSM default alphabet except the escape, in the order of its table. */
const alphabet =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

const vectors: [what: string, text: string, segments: number][] = [
  ["an empty text", "", 1],
  ["160 letters", "a".repeat(160), 1],
  ["161 letters", "a".repeat(161), 2],
  ["two full segments of 153", "a".repeat(306), 2],
  ["one letter more than two segments", "a".repeat(307), 3],
  ["all 127 characters of the default alphabet", alphabet, 1],
  ["80 euro signs, which take two septets each", "€".repeat(80), 1],
  ["81 euro signs", "€".repeat(81), 2],
  ["the whole extension table in 160 septets", `${"^{}\\[~]|€\f".repeat(7)}${"a".repeat(20)}`, 1],
  ["the whole extension table in 161 septets", `${"^{}\\[~]|€\f".repeat(7)}${"a".repeat(21)}`, 2],
  ["an extended character at the end of a segment, which is not split", `${"a".repeat(152)}€${"a".repeat(152)}`, 3],
  ["a plain character at the end of a segment", `${"a".repeat(305)}`, 2],
  ["a grave accent, which the alphabet does not have", `\`${"a".repeat(69)}`, 1],
  ["70 Cyrillic letters", "я".repeat(70), 1],
  ["71 Cyrillic letters", "я".repeat(71), 2],
  ["134 Cyrillic letters", "я".repeat(134), 2],
  ["135 Cyrillic letters", "я".repeat(135), 3],
  ["one Cyrillic letter among 70 Latin ones", `${"a".repeat(70)}я`, 2],
  ["ç, which the default alphabet has only as a capital", `${"a".repeat(70)}ç`, 2],
  ["Ç", `${"a".repeat(159)}Ç`, 1],
  ["35 emoji of two units each", "😀".repeat(35), 1],
  ["36 emoji", "😀".repeat(36), 2],
  ["an emoji at the end of a segment, which is not split", `${"я".repeat(66)}😀${"я".repeat(66)}`, 3],
];

for (const [what, text, segments] of vectors)
  test(`segments of ${what}: ${segments}`, () => assert.equal(segmentsOf(text), segments));
