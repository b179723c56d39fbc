import type { Clock } from "../../domain/ports.ts";
import type { Timer } from "../../providers/timer.ts";
import { noNotes } from "../../providers/vendor.ts";

const start = Date.UTC(2026, 0, 1, 12);

export type FakeTime = ReturnType<typeof fakeTime>;

/** Time that moves only when a test moves it. Pauses end at once, and `lapse` makes deadlines pass. */
export function fakeTime() {
  let now = start;
  const waiting = new Set<{ ms: number; run(): void }>();
  const pauses: number[] = [];
  const clock: Clock = { now: () => now };
  const timer: Timer = {
    after(ms, run) {
      const entry = { ms, run };
      waiting.add(entry);
      return () => waiting.delete(entry);
    },
    async pause(ms) {
      pauses.push(ms);
      now += ms;
    },
  };
  return {
    clock,
    timer,
    tools: { clock, timer, notes: noNotes },
    /** The requested pauses between retries, in milliseconds. */
    pauses,
    advance(ms: number) {
      now += ms;
    },
    /** Makes every pending deadline pass. */
    lapse() {
      for (const entry of [...waiting]) {
        waiting.delete(entry);
        now += entry.ms;
        entry.run();
      }
    },
  };
}
