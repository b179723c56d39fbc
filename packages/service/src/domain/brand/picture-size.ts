/** Minimum and maximum side of a logo in pixels, and the maximum ratio of its sides. Pages show it at 40 pixels or less. */
const sideMin = 16;
const sideMax = 512;
const ratioMax = 2;

/** Thrown while a picture is read. The sender gets the message. */
export class NoPicture extends Error {}

/** Checks the size before anything is decompressed: a few bytes can claim to be a picture larger than memory. */
export function checkSize({ width, height }: { width: number; height: number }): void {
  const [shorter = 0, longer = 0] = [width, height].sort((a, b) => a - b);
  if (shorter < sideMin || longer > sideMax)
    throw new NoPicture(`is ${width} by ${height} pixels; each side must have ${sideMin} to ${sideMax}`);
  if (longer > shorter * ratioMax) throw new NoPicture(`is ${width} by ${height} pixels, which is not nearly square`);
}
