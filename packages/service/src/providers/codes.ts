import type { CodeMaker, Random } from "../domain/ports.ts";

/** Six digits, each as likely as any other, for everybody. */
export function randomCodes(random: Random): CodeMaker {
  return { make: () => String(random.integer(1_000_000)).padStart(6, "0") };
}
