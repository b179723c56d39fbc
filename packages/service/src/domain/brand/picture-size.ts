/** Shortest and longest side of a logo, pixels, and how much longer than the other one side may be. */
const sideMin = 16;
const sideMax = 2_048;
const ratioMax = 2;

/** Thrown while a picture is read, and told to whoever sent it. */
export class NoPicture extends Error {}

/** Before anything is unpacked: a few bytes can claim to be a picture larger than any memory. */
export function checkSize({ width, height }: { width: number; height: number }): void {
  const [shorter = 0, longer = 0] = [width, height].sort((a, b) => a - b);
  if (shorter < sideMin || longer > sideMax)
    throw new NoPicture(`is ${width} by ${height} pixels; each side may have ${sideMin} to ${sideMax}`);
  if (longer > shorter * ratioMax) throw new NoPicture(`is ${width} by ${height} pixels, which is not nearly square`);
}
