import type { Outcome } from "../dashboard/api.ts";
import { useLoad } from "../dashboard/frame/page.tsx";
import { usePolling } from "../dashboard/frame/use-polling.ts";

const usualMs = 15_000;
/** Polling ends after four hours. */
const pollingMs = 4 * 3_600_000;

/** Figures that are refreshed while the page is visible. The last ones stay if a refresh fails. */
export function useFigures<Value>(ask: () => Promise<Outcome<Value>>, everyMs = usualMs) {
  const { state, put } = useLoad(ask, []);
  const poll = async (isOver: () => boolean) => {
    const outcome = await ask();
    if (!isOver() && outcome.kind === "ok") put(outcome.value);
  };
  usePolling(poll, { everyMs, max: pollingMs / everyMs });
  return state;
}
