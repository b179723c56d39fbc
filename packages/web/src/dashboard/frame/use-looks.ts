import { useEffect, useState } from "preact/hooks";

type Looks = { everyMs: number; max: number; isOn?: boolean };

/** Calls `look` regularly while the page is visible, at most `max` times. Returns whether all looks are used up. */
export function useLooks(look: () => unknown, { everyMs, max, isOn = true }: Looks): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    let looks = 0;
    const timer = setInterval(() => {
      if (document.hidden) return;
      looks += 1;
      void look();
      if (looks < max) return;
      clearInterval(timer);
      setOver(true);
    }, everyMs);
    return () => clearInterval(timer);
  }, [isOn]);
  return isOver;
}
