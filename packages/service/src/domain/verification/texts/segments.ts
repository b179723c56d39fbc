/**
 * GSM 03.38, basic alphabet: one septet per character. The escape character is left out, because no text contains it.
 */
const basic = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** GSM 03.38, extension table: an escape and a character, two septets that stay in one segment. */
const extension = new Set("\f^{}\\[~]|€");

/** Size in septets or UTF-16 units: of a text with one segment, and of each segment of a longer text. */
const gsmSizes = { single: 160, part: 153 };
const ucs2Sizes = { single: 70, part: 67 };

/** Whether a text is sent in septets. One character outside the alphabet makes the whole text UCS-2. */
export function isGsm(text: string): boolean {
  return [...text].every((one) => basic.has(one) || extension.has(one));
}

/** The number of segments that a gateway sends and charges for a text. */
export function segmentsOf(text: string): number {
  const characters = [...text];
  const inSeptets = isGsm(text);
  const { single, part } = inSeptets ? gsmSizes : ucs2Sizes;
  // An extension character or a surrogate pair is never split between two segments.
  const sizes = characters.map((one) => (inSeptets ? (extension.has(one) ? 2 : 1) : one.length));
  if (sizes.reduce((sum, size) => sum + size, 0) <= single) return 1;
  let segments = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > part) {
      segments += 1;
      used = 0;
    }
    used += size;
  }
  return segments;
}
