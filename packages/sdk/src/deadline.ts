const helloWithinMs = 10_000;
/** The last part of the wait. The page handles the messages that are already queued before the timeout expires. */
const drainMs = 250;
const onTimeMs = 100;
/** Limit on extensions, because timers of a hidden page are always late. */
const roundsMax = 10;

/**
 * Calls `expire` after ten seconds in which the page could have received the frame's hello. Returns a function that
 * cancels the timeout.
 *
 * After a page was busy, frozen or asleep, its timer and the frame's message are due at the same time, in no particular
 * order. A timer that fires late therefore does not expire at once. It waits again, for as long as it was late.
 */
export function startDeadline(expire: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let rounds = 0;
  const wait = (ms: number, then: () => void) => {
    const dueAt = performance.now() + ms;
    timer = setTimeout(() => {
      const lateMs = performance.now() - dueAt;
      rounds += 1;
      if (lateMs > onTimeMs && rounds < roundsMax) wait(Math.min(lateMs, helloWithinMs), then);
      else then();
    }, ms);
  };
  wait(helloWithinMs - drainMs, () => wait(drainMs, expire));
  return () => clearTimeout(timer);
}
