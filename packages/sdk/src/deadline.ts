const helloWithinMs = 10_000;
/** The last part of the wait: what came in the first part, and was not handled yet, is handled in it. */
const drainMs = 250;
const onTimeMs = 100;
/** Timers of a hidden page always come late. */
const roundsMax = 10;

/**
 * Calls `expire` when ten seconds have passed in which the page could have heard the frame; answers how to stop it.
 *
 * A page that was busy, frozen or asleep finds its timer and the frame's message due at the same moment, in no
 * particular order. So the timer never decides when it comes late: the page gets the time back that it lost.
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
