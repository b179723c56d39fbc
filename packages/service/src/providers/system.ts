import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { Clock, CodeMaker, Random } from "../domain/ports.ts";

/** The machine's time. */
export const systemClock: Clock = { now: () => Date.now() };

/** Chance from the operating system's generator. */
export const systemRandom: Random = {
  uuid: () => randomUUID(),
  bytes: (length) => randomBytes(length),
  integer: (below) => randomInt(below),
};

/** Six digits that nobody can know, whoever the phone belongs to. */
export function randomCodes(random: Random): CodeMaker {
  return { make: () => String(random.integer(1_000_000)).padStart(6, "0") };
}
