import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from "node:crypto";

/** Where a sealed value is stored. It is used as associated data, so the value can't be moved to another row. */
export type Place = { table: string; row: string };
/** The place of a row's `sealed` column. */
export const placeOf = (table: string, row: string): Place => ({ table, row });

const format = 1;
const ivBytes = 12;
const tagBytes = 16;
const headBytes = 1 + ivBytes + tagBytes;

function associated(place: Place): Buffer {
  return Buffer.from(`${place.table}|${place.row}|${format}`);
}

/** AES-256-GCM. Layout: format (1 byte), nonce (12), tag (16), ciphertext. */
export function sealBytes(key: KeyObject, place: Place, plain: Buffer): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  cipher.setAAD(associated(place));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.of(format), iv, cipher.getAuthTag(), text]);
}

/** Throws if the bytes, the key or the place differ from the ones used for sealing. */
export function openBytes(key: KeyObject, place: Place, sealed: Buffer): Buffer {
  if (sealed.length < headBytes || sealed[0] !== format) throw new Error("not a sealed value");
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(1, 1 + ivBytes));
  decipher.setAAD(associated(place));
  decipher.setAuthTag(sealed.subarray(1 + ivBytes, headBytes));
  return Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()]);
}

/**
 * Encrypts a row number into an ID that reveals nothing about other rows: one AES-256 block of eight zero bytes and the
 * number. The same number and key always give the same ID.
 */
export function opaqueBytes(key: KeyObject, number: number): Buffer {
  const block = Buffer.alloc(16);
  block.writeBigUInt64BE(BigInt(number), 8);
  const cipher = createCipheriv("aes-256-ecb", key, null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]);
}

/** Null if the bytes were not encrypted with this key. */
export function opaqueNumber(key: KeyObject, bytes: Buffer): number | null {
  if (bytes.length !== 16) return null;
  const decipher = createDecipheriv("aes-256-ecb", key, null).setAutoPadding(false);
  const block = Buffer.concat([decipher.update(bytes), decipher.final()]);
  return block.readBigUInt64BE(0) === 0n ? Number(block.readBigUInt64BE(8)) : null;
}

/** A fresh 256-bit key. */
export function newKeyBytes(): Buffer {
  return randomBytes(32);
}

// On Node 24, a call with a raw buffer as the key takes 13 µs, and with a KeyObject 5 µs.
export function keyOf(bytes: Buffer): KeyObject {
  if (bytes.length !== 32) throw new Error("a key must have 32 bytes");
  return createSecretKey(bytes);
}

export function hmac(key: KeyObject, ...parts: (string | Buffer)[]): Buffer {
  const mac = createHmac("sha256", key);
  // The length prefixes distinguish ("ab", "c") from ("a", "bc").
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:`).update(part);
  return mac.digest();
}
