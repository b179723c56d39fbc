import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { Random } from "../domain/ports.ts";

/** Chance from the operating system's generator. */
export const systemRandom: Random = {
  uuid: () => randomUUID(),
  bytes: (length) => randomBytes(length),
  integer: (below) => randomInt(below),
};
