import { useEffect, useRef, useState } from "preact/hooks";

type PollOptions = {
  everyMs: number;
  max: number;
  isOn?: boolean;
  /** What is polled. A new value restarts the count. */
  of?: string;
};
/** One poll. `isOver`: whether polling has stopped in the meantime. */
type Poll = (isOver: () => boolean) => Promise<void>;

/** Polls while the page is visible, one call at a time, at most `max` times. Returns whether the maximum is reached. */
export function usePolling(poll: Poll, { everyMs, max, isOn = true, of }: PollOptions): boolean {
  const [isUsedUp, setUsedUp] = useState(false);
  const latest = useRef(poll);
  latest.current = poll;
  useEffect(() => {
    setUsedUp(false);
    if (!isOn) return;
    let polls = 0;
    let isOver = false;
    let isPolling = false;
    const timer = setInterval(async () => {
      if (document.hidden || isPolling) return;
      polls += 1;
      if (polls >= max) {
        clearInterval(timer);
        setUsedUp(true);
      }
      isPolling = true;
      await latest.current(() => isOver);
      isPolling = false;
    }, everyMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [isOn, of]);
  return isUsedUp;
}
