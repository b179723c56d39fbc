import { crc32, createInflate } from "node:zlib";
import { checkSize, NoPicture } from "./picture-size.ts";

/** Chunks needed to draw the picture. Others hold texts, times, camera data, profiles or more frames. */
const drawing = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);
const signatureBytes = 8;
/** Length, name and checksum of a chunk, in bytes. */
const chunkFrameBytes = 12;
/** Samples per pixel and allowed bit depths, by color type. */
const colors: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};
const paletteType = 3;
const filterMax = 4;
/** First column, first row, column step and row step of the seven passes of an interlaced picture. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

type Chunk = { name: string; data: Buffer; whole: Buffer };
type Rows = { count: number; bytes: number };

/** Removes everything that is not needed to draw the picture. Decompresses the pixels to check them. */
export async function readPng(bytes: Buffer): Promise<Buffer> {
  const chunks = chunksOf(bytes).filter(({ name }) => drawing.has(name));
  const names = chunks.map(({ name }) => name).join(" ");
  if (!/^IHDR( PLTE)?( tRNS)?( IDAT)+ IEND$/.test(names)) throw new NoPicture("is a PNG with misordered parts");
  const rows = rowsOf(chunks[0]?.data ?? Buffer.alloc(0), names.includes("PLTE"));
  await checkPixels(Buffer.concat(chunks.flatMap(({ name, data }) => (name === "IDAT" ? [data] : []))), rows);
  return Buffer.concat([bytes.subarray(0, signatureBytes), ...chunks.map(({ whole }) => whole)]);
}

/** Every chunk up to the end of the picture. Bytes after the end are ignored. */
function chunksOf(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = signatureBytes; at + chunkFrameBytes <= bytes.length; ) {
    const end = at + chunkFrameBytes + bytes.readUInt32BE(at);
    if (end > bytes.length) break;
    const name = bytes.toString("latin1", at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      throw new NoPicture("is a PNG with a damaged part");
    chunks.push({ name, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) });
    if (name === "IEND") return chunks;
    at = end;
  }
  throw new NoPicture("is an incomplete PNG");
}

/** The number of rows and the bytes per row in the decompressed pixels. */
function rowsOf(header: Buffer, hasPalette: boolean): Rows[] {
  if (header.length !== 13) throw new NoPicture("is a PNG with a damaged header");
  const size = { width: header.readUInt32BE(0), height: header.readUInt32BE(4) };
  checkSize(size);
  const [depth = 0, type = -1, packing, filtering, interlacing = 2] = header.subarray(8);
  const color = colors[type];
  const isKnown = color?.depths.includes(depth) === true && packing === 0 && filtering === 0 && interlacing < 2;
  if (color === undefined || !isKnown || (type === paletteType && !hasPalette))
    throw new NoPicture("is a PNG with an invalid header");
  const bits = depth * color.samples;
  const shape = interlacing === 0 ? [[0, 0, 1, 1] as const] : passes;
  return shape.flatMap(([left, top, across, down]) => {
    const width = Math.ceil((size.width - left) / across);
    const count = Math.ceil((size.height - top) / down);
    return width > 0 && count > 0 ? [{ count, bytes: 1 + Math.ceil((width * bits) / 8) }] : [];
  });
}

/** Decompresses the pixels part by part, and keeps none of them: a few bytes can claim many megabytes. */
async function checkPixels(packed: Buffer, rows: Rows[]): Promise<void> {
  const expected = rows.reduce((sum, { count, bytes }) => sum + count * bytes, 0);
  const starts = rowStarts(rows);
  let start = starts.next();
  let length = 0;
  for await (const part of partsOf(packed)) {
    for (; start.done !== true && start.value < length + part.length; start = starts.next())
      if ((part[start.value - length] ?? 0) > filterMax) throw new NoPicture(damaged);
    length += part.length;
    if (length > expected) throw new NoPicture(damaged);
  }
  if (length < expected) throw new NoPicture("is a PNG with too few pixels");
}
const damaged = "is a PNG with damaged image data";

/** Where each row begins. Its first byte names its filter. */
function* rowStarts(rows: Rows[]): Generator<number, undefined> {
  let at = 0;
  for (const { count, bytes } of rows) for (let row = 0; row < count; row += 1, at += bytes) yield at;
}

async function* partsOf(packed: Buffer): AsyncGenerator<Buffer> {
  const inflate = createInflate();
  inflate.end(packed);
  try {
    yield* inflate;
  } catch {
    throw new NoPicture(damaged);
  } finally {
    inflate.destroy();
  }
}
