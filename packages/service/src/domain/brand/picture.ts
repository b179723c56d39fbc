import { readJpeg } from "./picture-jpeg.ts";
import { readPng } from "./picture-png.ts";
import { NoPicture } from "./picture-size.ts";

/** A picture without metadata. */
export type Picture = { type: "png" | "jpg"; bytes: Buffer };

const signatures = {
  png: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  jpg: Buffer.from([0xff, 0xd8, 0xff]),
};

/** Reads a PNG or JPEG, recognized by its content. Throws `NoPicture`. */
export async function readPicture(bytes: Buffer): Promise<Picture> {
  const begins = (signature: Buffer) => bytes.subarray(0, signature.length).equals(signature);
  if (begins(signatures.png)) return { type: "png", bytes: await readPng(bytes) };
  if (begins(signatures.jpg)) return { type: "jpg", bytes: readJpeg(bytes) };
  throw new NoPicture("is neither a PNG nor a JPEG");
}
