import { useEffect, useRef, useState } from "preact/hooks";

type Looks = {
  everyMs: number;
  max: number;
  isOn?: boolean;
  /** What is looked at. Another value begins a new count. */
  of?: string;
};
/** Looks once. `isOver` says whether the answer comes too late, because looking has stopped meanwhile. */
type Look = (isOver: () => boolean) => Promise<void>;

/**
 * Calls `look` regularly while the page is visible, at most `max` times, and one call at a time. Returns whether all
 * looks are used up.
 */
export function useLooks(look: Look, { everyMs, max, isOn = true, of }: Looks): boolean {
  const [isUsedUp, setUsedUp] = useState(false);
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    setUsedUp(false);
    if (!isOn) return;
    let looks = 0;
    let isOver = false;
    let isLooking = false;
    const timer = setInterval(async () => {
      if (document.hidden || isLooking) return;
      looks += 1;
      if (looks >= max) {
        clearInterval(timer);
        setUsedUp(true);
      }
      isLooking = true;
      await latest.current(() => isOver);
      isLooking = false;
    }, everyMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [isOn, of]);
  return isUsedUp;
}
