/** Images that are built byte by byte, so that each can be wrong in one way. */
import { crc32, deflateSync } from "node:zlib";

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function chunk(name: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

type Png = {
  width?: number;
  height?: number;
  depth?: number;
  type?: number;
  interlaced?: number;
  pixels?: Buffer;
  before?: Buffer[];
  after?: Buffer[];
};

/** A PNG of one color, optionally with more chunks before its pixels or after its end. */
export function png({
  width = 40,
  height = 40,
  depth = 8,
  type = 2,
  interlaced = 0,
  pixels,
  before = [],
  after = [],
}: Png = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, type, 0, 0, interlaced], 8);
  const packed = deflateSync(pixels ?? Buffer.alloc(height * (1 + width * 3)));
  return Buffer.concat([
    pngSignature,
    chunk("IHDR", header),
    ...before,
    chunk("IDAT", packed),
    chunk("IEND"),
    ...after,
  ]);
}

export function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

/** A gray JPEG: tables, a frame, and one scan of identical 8×8 blocks. */
export function jpeg({
  width = 40,
  height = 40,
  frame = 0xc0,
  before = [] as Buffer[],
  after = Buffer.alloc(0),
} = {}): Buffer {
  const size = Buffer.alloc(9);
  size.set([8, 0, 0, 0, 0, 1, 1, 0x11, 0], 0);
  size.writeUInt16BE(height, 1);
  size.writeUInt16BE(width, 3);
  // A Huffman table with a single one-bit code: "no difference" in one table, "end of block" in the other.
  const codes = (kind: number) => Buffer.from([kind, 1, ...new Array<number>(15).fill(0), 0]);
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...before,
    segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)])),
    segment(frame, size),
    segment(0xc4, codes(0x00)),
    segment(0xc4, codes(0x10)),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.alloc(Math.ceil((blocks * 2) / 8)),
    Buffer.from([0xff, 0xd9]),
    after,
  ]);
}
