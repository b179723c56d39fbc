/** Changes answers of wallet apps at random: single bits and bytes, lengths, order, and parts of other answers. */
type Change = (bytes: Buffer, at: number, more: { random: () => number; other: Buffer }) => Buffer;

const below = (random: () => number, most: number) => Math.floor(random() * most);
const lengthOf = (random: () => number) => 1 + below(random, 40);
const joined = (...parts: Uint8Array[]) => Buffer.concat(parts);

const changes: readonly Change[] = [
  (bytes, at, { random }) => joined(bytes.subarray(0, at), flipped(bytes[at] ?? 0, random), bytes.subarray(at + 1)),
  (bytes, at, { random }) => joined(bytes.subarray(0, at), Buffer.of(below(random, 256)), bytes.subarray(at + 1)),
  (bytes, at) => bytes.subarray(0, at),
  (bytes, at, { random }) => joined(bytes.subarray(0, at), bytes.subarray(at + lengthOf(random))),
  (bytes, at, { random }) => joined(bytes.subarray(0, at), randomBytes(random), bytes.subarray(at)),
  (bytes, at, { random }) => joined(bytes.subarray(0, at), bytes.subarray(Math.max(0, at - lengthOf(random)))),
  (bytes, at, { random }) => {
    const [middle, end] = [at + lengthOf(random), at + 2 * lengthOf(random) + 40];
    return joined(bytes.subarray(0, at), bytes.subarray(middle, end), bytes.subarray(at, middle), bytes.subarray(end));
  },
  // A part of another answer at the same place, as when an attacker combines two IDs.
  (bytes, at, { random, other }) => {
    const end = at + below(random, 400);
    return joined(bytes.subarray(0, at), other.subarray(at, end), bytes.subarray(end));
  },
  (bytes, at, { other }) => joined(bytes.subarray(0, at), other.subarray(at)),
];

const flipped = (byte: number, random: () => number) => Buffer.of(byte ^ (1 << below(random, 8)));
const randomBytes = (random: () => number) =>
  Buffer.from(Array.from({ length: lengthOf(random) }, () => below(random, 256)));

/** A changed copy, which can by chance equal the original. `other`: another answer, whose parts it may get. */
export function changedAnswer(bytes: Uint8Array, other: Uint8Array, random: () => number): Uint8Array {
  let changed = Buffer.from(bytes);
  for (let count = 1 + below(random, 3); count > 0; count -= 1) {
    const change = changes[below(random, changes.length)];
    if (change !== undefined)
      changed = Buffer.from(change(changed, below(random, changed.length), { random, other: Buffer.from(other) }));
  }
  return new Uint8Array(changed);
}
