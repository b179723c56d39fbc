import assert from "node:assert/strict";
import { createHash, createHmac, randomBytes } from "node:crypto";
import test from "node:test";
import { asKey, hmac, listedBytesMin, newKeyBytes, openBytes, sealBytes } from "../../store/seal.ts";

const key = asKey(newKeyBytes());
const place = { table: "person", row: "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21" };
const plain = Buffer.from("000456789");
/** The error of bytes that were not sealed here. Another error would be a mistake of the test. */
const foreign = /not a sealed value|unable to authenticate data/;

test("a sealed value opens again, and two seals of one value differ", () => {
  const [one, two] = [sealBytes(key, place, plain), sealBytes(key, place, plain)];
  assert.deepEqual([openBytes(key, place, one), openBytes(key, place, two)], [plain, plain]);
  assert.ok(!one.subarray(1, 29).equals(two.subarray(1, 29)));
  assert.ok(!one.subarray(29).equals(two.subarray(29)));
  assert.ok(!one.includes(plain));
});

test("a sealed value with a changed bit, missing bytes or an added byte does not open", () => {
  const sealed = sealBytes(key, place, plain);
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const altered = Buffer.from(sealed);
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.throws(() => openBytes(key, place, altered), foreign, `bit ${bit}`);
  }
  for (let length = 0; length < sealed.length; length += 1)
    assert.throws(() => openBytes(key, place, sealed.subarray(0, length)), foreign, `${length} bytes`);
  assert.throws(() => openBytes(key, place, Buffer.concat([sealed, Buffer.of(0)])), foreign);
});

test("a sealed value does not open in another row or table, or with another key", () => {
  const sealed = sealBytes(key, place, plain);
  assert.throws(() => openBytes(key, { ...place, row: "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a22" }, sealed), foreign);
  assert.throws(() => openBytes(key, { ...place, table: "session" }, sealed), foreign);
  assert.throws(() => openBytes(asKey(newKeyBytes()), place, sealed), foreign);
});

test("a long value is compressed, and its sealed length says little about it", () => {
  const longs = Array.from({ length: 100 }, (_, more) => Buffer.from("A sentence about a person. ".repeat(120 + more)));
  const sealed = longs.map((long) => sealBytes(key, place, long));
  assert.deepEqual(
    sealed.map((one) => openBytes(key, place, one)),
    longs,
  );
  assert.deepEqual([...new Set(sealed.map(({ length }) => length))], [1 + 12 + 16 + 128]);
});

test("a shorter value is not compressed, but padded from 1,024 bytes on", () => {
  const lengthOf = (bytes: number) => sealBytes(key, place, Buffer.alloc(bytes)).length - (1 + 12 + 16);
  assert.equal(lengthOf(1_023), 1_023);
  assert.deepEqual([1_024, 1_151, 1_152, 3_071].map(lengthOf), [1_152, 1_152, 1_280, 3_072]);
});

test("long values of every length open again", () => {
  const text = createHash("sha512").update("text").digest("hex").repeat(26);
  for (let length = 1_000; length <= text.length; length += 1) {
    const long = Buffer.from(text.slice(0, length));
    assert.deepEqual(openBytes(key, place, sealBytes(key, place, long)), long);
  }
});

test("a packed value with a changed byte does not open, and neither does one that claims another format", () => {
  for (const [format, length] of [
    [3, 1_200],
    [2, 3_600],
  ] as const) {
    const sealed = sealBytes(key, place, Buffer.alloc(length, "long "));
    assert.equal(sealed[0], format);
    for (let at = 0; at < sealed.length; at += 1) {
      const altered = Buffer.from(sealed);
      altered[at] = (altered[at] ?? 0) ^ 1;
      assert.throws(() => openBytes(key, place, altered), foreign, `byte ${at}`);
    }
    for (const other of [0, 1, 2, 3, 4].filter((one) => one !== format)) {
      const claimed = Buffer.from(sealed);
      claimed[0] = other;
      assert.throws(() => openBytes(key, place, claimed), foreign);
    }
  }
});

test("a keyed hash is the HMAC-SHA-256 of its parts with their lengths", () => {
  for (const text of ["", "a", "+12125550010", "señal", "x".repeat(200)]) {
    const expected = createHmac("sha256", key)
      .update(`5:phone${Buffer.byteLength(text)}:${text}`)
      .digest();
    assert.deepEqual(hmac(key, "phone", text), expected);
  }
});

test("a value that is longer than the buffer for compression opens again, and the caller's bytes stay", () => {
  const long = Buffer.alloc(100_000, "long ");
  const before = Buffer.from(long);
  assert.deepEqual(openBytes(key, place, sealBytes(key, place, long)), before);
  assert.deepEqual(long, before);
});

test("a keyed hash depends on the key and on where its parts are split", () => {
  assert.ok(!hmac(key, "ab", "c").equals(hmac(key, "a", "bc")));
  assert.ok(!hmac(key, "abc").equals(hmac(key, "ab", "c")));
  assert.ok(!hmac(key, "abc").equals(hmac(asKey(newKeyBytes()), "abc")));
  assert.ok(hmac(key, "abc").equals(hmac(key, Buffer.from("abc"))));
});

test("a very long value keeps at least half of its length, so its sealed length tells how much memory it needs", () => {
  const long = Buffer.alloc(1_000_000, "A");
  const sealed = sealBytes(key, place, long);
  assert.ok(sealed.length >= long.length / 2);
  assert.deepEqual(openBytes(key, place, sealed), long);
  const picture = Buffer.from(randomBytes(500_000).toString("base64"));
  assert.ok(sealBytes(key, place, picture).length < picture.length * 0.8, "a picture is still compressed");
});

test("a listed value keeps at least half of its length already above 8 KiB", () => {
  const [short, long] = [Buffer.alloc(listedBytesMin, "A"), Buffer.alloc(listedBytesMin + 1, "A")];
  assert.ok(sealBytes(key, place, short, listedBytesMin).length < 200);
  const sealed = sealBytes(key, place, long, listedBytesMin);
  assert.ok(sealed.length >= long.length / 2);
  assert.deepEqual(openBytes(key, place, sealed), long);
});
