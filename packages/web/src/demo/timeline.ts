/** Shows changes one after another. Calls take a few milliseconds, which is too fast to follow. */

/** The pause between two changes, in milliseconds. */
const gapMs = 280;

export const movesLittle = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** `isQuick`: whether the changes are shown at once. */
export function openTimeline(isQuick: () => boolean) {
  const waiting: (() => void)[] = [];
  let timer: number | undefined;
  const next = () => {
    timer = undefined;
    waiting.shift()?.();
    if (waiting.length > 0) timer = window.setTimeout(next, isQuick() ? 0 : gapMs);
  };
  return {
    add(change: () => void): void {
      waiting.push(change);
      if (timer === undefined) timer = window.setTimeout(next, isQuick() ? 0 : gapMs);
    },
    isIdle: () => waiting.length === 0,
    close(): void {
      window.clearTimeout(timer);
      waiting.length = 0;
    },
  };
}
