/**
 * The cell number is in three hex digits: the last three of a uuid, or the first three of a token. A keyed hash of the
 * other digits masks it, so only this service can read it. Unmasked, it would reveal whether a phone was known before
 * the cell opened.
 */
import { isUuid } from "@countersign/contract/primitives";
import { slotsMax } from "../store/cells/cell-rows.ts";
import type { Random } from "./ports.ts";

/** Maximum number of cells, and the number of slots for phones: 16³, three hex digits. */
export const cellsMax = slotsMax;
const digits = 3;

/** The keyed hash of a text. */
export type HashOf = (text: string) => Buffer;

/**
 * The cell number in this uuid. Uuids of cell 0 are random, so check that the cell has it. 0 if the text is not a uuid.
 */
export function cellOfUuid(hashOf: HashOf, uuid: string): number {
  if (!isUuid(uuid)) return 0;
  const lower = uuid.toLowerCase();
  return unmasked(hashOf, lower.slice(-digits), lower.slice(0, -digits));
}

/** The cell number in this token. */
export function cellOfToken(hashOf: HashOf, token: string): number {
  return unmasked(hashOf, token.slice(0, digits), token.slice(digits));
}

/** The slot of a keyed hash. Each cell has some of the slots. */
export function slotOf(hash: Buffer): number {
  return hash.readUInt32BE(0) % cellsMax;
}

/** Makes the uuids and the cell marks of a cell: 110 bits of a uuid stay random. */
export function randomOf(cell: number, random: Random, hashOf: HashOf): Random {
  const cellMarkOf = (text: string) => (slotOf(hashOf(text)) ^ cell).toString(16).padStart(digits, "0");
  const moved = (uuid: string) => {
    const head = uuid.slice(0, -digits);
    return cell === 0 ? uuid : `${head}${cellMarkOf(head)}`;
  };
  return {
    uuid: () => moved(random.uuid()),
    bytes: (length) => random.bytes(length),
    integer: (below) => random.integer(below),
    cellMarkOf,
    moved,
  };
}

function unmasked(hashOf: HashOf, mark: string, rest: string): number {
  return /^[0-9a-f]{3}$/.test(mark) ? Number.parseInt(mark, 16) ^ slotOf(hashOf(rest)) : 0;
}
