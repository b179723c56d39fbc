import type { PageIntro } from "@countersign/contract/wallet";
import { useEffect, useState } from "preact/hooks";

export type Countdown = { left: number; text: string; isNearlyOver: boolean };
const tickMs = 250;
const nearlyOverSeconds = 60;

/** The time until a code expires. The device counts from the service's time. */
export function useCountdown({ now, expiresAt }: Pick<PageIntro, "now" | "expiresAt">): Countdown {
  const [left, setLeft] = useState(() => secondsFrom(expiresAt - now));
  useEffect(() => {
    const from = performance.now();
    const tick = () => setLeft(secondsFrom(expiresAt - now - (performance.now() - from)));
    tick();
    const timer = window.setInterval(tick, tickMs);
    return () => window.clearInterval(timer);
  }, [now, expiresAt]);
  const minutes = Math.floor(left / 60);
  const text = `${minutes}:${String(left % 60).padStart(2, "0")}`;
  return { left, text, isNearlyOver: left > 0 && left <= nearlyOverSeconds };
}

function secondsFrom(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1000));
}
