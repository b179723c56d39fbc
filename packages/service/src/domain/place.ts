/**
 * How a uuid or a word names the cell that stores it. The last three digits of a uuid and the first three of a word that is
 * found by its hash are the number of the cell, masked with a keyed hash of the rest. So they tell only this service which
 * cell it is: a cell would reveal whether a phone was known before the cell opened. Uuids of cell 0 are random.
 */
import { isUuid } from "@countersign/contract/primitives";
import { slotsMax } from "../store/cell-rows.ts";
import type { Random } from "./ports.ts";

/** How many cells there can be, and into how many slots phones are divided: what three hexadecimal digits can name. */
export const cellsMax = slotsMax;
const digits = 3;

/** The keyed hash of a text. */
export type HashOf = (text: string) => Buffer;

/** The cell that may have made this uuid: one of cell 0 can name any. 0 for a text that is no uuid. */
export function cellOfUuid(hashOf: HashOf, uuid: string): number {
  if (!isUuid(uuid)) return 0;
  const lower = uuid.toLowerCase();
  return unmasked(hashOf, lower.slice(-digits), lower.slice(0, -digits));
}

/** The cell that made this word. Words of versions without cells name any. */
export function cellOfWord(hashOf: HashOf, word: string): number {
  return unmasked(hashOf, word.slice(0, digits), word.slice(digits));
}

/** The slot of a keyed hash. Each cell has some of the slots. */
export function slotOf(hash: Buffer): number {
  return hash.readUInt32BE(0) % cellsMax;
}

/** Makes the uuids and words of a cell: 110 bits of a uuid stay random. */
export function randomOf(cell: number, random: Random, hashOf: HashOf): Random {
  const markOf = (text: string) => (slotOf(hashOf(text)) ^ cell).toString(16).padStart(digits, "0");
  const moved = (uuid: string) => {
    const head = uuid.slice(0, -digits);
    return cell === 0 ? uuid : `${head}${markOf(head)}`;
  };
  return {
    uuid: () => moved(random.uuid()),
    bytes: (length) => random.bytes(length),
    integer: (below) => random.integer(below),
    markOf,
    moved,
  };
}

function unmasked(hashOf: HashOf, mark: string, rest: string): number {
  return /^[0-9a-f]{3}$/.test(mark) ? Number.parseInt(mark, 16) ^ slotOf(hashOf(rest)) : 0;
}
