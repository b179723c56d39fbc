import { checkSize, NoPicture } from "./picture-size.ts";

const startOfImage = Buffer.from([0xff, 0xd8]);
const endOfImage = 0xd9;
const scanStart = 0xda;
const tables = { quantization: 0xdb, huffman: 0xc4, restart: 0xdd };
/** Adobe's color information. Without it, some colors are wrong. */
const adobe = 0xee;
/** Baseline, extended and progressive: the frame types that browsers draw. */
const frames: readonly number[] = [0xc0, 0xc1, 0xc2];

type Segment = { marker: number; from: number; to: number };

/**
 * Removes everything that is not needed to draw the picture. Checks that its parts are complete, but decodes no pixels.
 */
export function readJpeg(bytes: Buffer): Buffer {
  const segments = segmentsOf(bytes);
  const before = segments.slice(
    0,
    segments.findIndex(({ marker }) => marker === scanStart),
  );
  const [frame, ...more] = segments.filter(({ marker }) => isFrame(marker));
  const has = (wanted: number) => before.some(({ marker }) => marker === wanted);
  if (frame === undefined || more.length > 0 || !before.includes(frame))
    throw new NoPicture("is a JPEG with misordered parts");
  if (!has(tables.quantization) || !has(tables.huffman)) throw new NoPicture("is a JPEG without its coding tables");
  checkFrame(bytes.subarray(frame.from, frame.to), frame.marker);
  const kept = segments.filter((one) => draws(bytes, one)).map(({ from, to }) => bytes.subarray(from, to));
  return Buffer.concat([startOfImage, ...kept, Buffer.from([0xff, endOfImage])]);
}

/** Every segment up to the end of the picture; a scan includes its pixels. Bytes after the end are ignored. */
function segmentsOf(bytes: Buffer): Segment[] {
  const segments: Segment[] = [];
  for (let at = startOfImage.length; at + 1 < bytes.length; ) {
    if (bytes[at] !== 0xff) throw new NoPicture("is a damaged JPEG");
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) at += 1;
    else if (marker === endOfImage) return segments;
    else {
      const to = endOf(bytes, at, marker);
      segments.push({ marker, from: at, to });
      at = to;
    }
  }
  throw new NoPicture("is an incomplete JPEG");
}

function endOf(bytes: Buffer, at: number, marker: number): number {
  const isBare = marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8);
  const length = at + 4 <= bytes.length ? bytes.readUInt16BE(at + 2) : 0;
  const end = at + 2 + length;
  if (isBare || length < 2 || end > bytes.length) throw new NoPicture("is a damaged JPEG");
  if (marker !== scanStart) return end;
  let next = end;
  while (next < bytes.length && !isMarker(bytes, next)) next += 1;
  if (next === end) throw new NoPicture("is a JPEG without image data");
  return next;
}

/** In image data, 0xFF is followed by zero or by a restart marker. Otherwise it starts the next segment. */
function isMarker(bytes: Buffer, at: number): boolean {
  const next = bytes[at + 1] ?? 0;
  return bytes[at] === 0xff && next !== 0 && !(next >= 0xd0 && next <= 0xd7);
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![tables.huffman, 0xc8, 0xcc].includes(marker);
}

function checkFrame(frame: Buffer, marker: number): void {
  const [precision, samples = 0] = [frame[4], frame[9]];
  if (!frames.includes(marker) || frame.length !== 10 + 3 * samples || precision !== 8 || ![1, 3].includes(samples))
    throw new NoPicture("is an unsupported kind of JPEG");
  checkSize({ width: frame.readUInt16BE(7), height: frame.readUInt16BE(5) });
}

function draws(bytes: Buffer, { marker, from, to }: Segment): boolean {
  if (marker === adobe) return to - from === 16 && bytes.toString("latin1", from + 4, from + 9) === "Adobe";
  return isFrame(marker) || marker === scanStart || Object.values(tables).includes(marker);
}
