import { useEffect, useRef, useState } from "preact/hooks";

type Looks = {
  everyMs: number;
  max: number;
  isOn?: boolean;
  /** What is polled. A new value restarts the count. */
  of?: string;
};
/** One poll. `isOver` tells whether polling has stopped in the meantime. */
type Look = (isOver: () => boolean) => Promise<void>;

/** Polls while the page is visible, one call at a time, at most `max` times. Returns whether the maximum is reached. */
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
