import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { Clock, CodeMaker, Random } from "../domain/ports.ts";

export const systemClock: Clock = { now: () => Date.now() };

/** Random values from the operating system's generator. */
export const systemRandom: Random = {
  uuid: () => randomUUID(),
  bytes: (length) => randomBytes(length),
  integer: (below) => randomInt(below),
  cellMarkOf: () => "",
  moved: (uuid) => uuid,
};

/** Six random digits for every phone. */
export function randomCodes(random: Random): CodeMaker {
  return { make: () => String(random.integer(1_000_000)).padStart(6, "0") };
}
