/** GSM 03.38, basic alphabet: one septet per character. Without the escape character, which no text contains. */
const basic = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** GSM 03.38, extension table: two septets per character (an escape and a character), which stay in one segment. */
const extension = new Set("\f^{}\\[~]|€");

/** Size of the only segment of a text, and of each segment of a longer one, in septets or UTF-16 units. */
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
