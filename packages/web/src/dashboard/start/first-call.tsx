import type { Environment } from "@countersign/contract/brand";
import type { LogLine } from "@countersign/contract/dashboard-reporting";
import { useEffect, useState } from "preact/hooks";
import { api } from "../api.ts";
import { Link } from "../frame/navigation.tsx";
import { startWords } from "./words-start.ts";

const say = startWords.arrival;
/** Polling interval and limit. An abandoned page must not keep the session alive. */
const askEveryMs = 3_000;
const asksMax = 200;

/** Waits for the brand's first call and shows it when it arrives. */
export function FirstCall({ brand, environment }: { brand: string; environment: Environment }) {
  const [seen, setSeen] = useState<LogLine | null>(null);
  const [isWaiting, setWaiting] = useState(true);
  useEffect(() => {
    let asks = 0;
    let isHere = true;
    const stop = () => {
      clearInterval(timer);
      setWaiting(false);
    };
    const ask = async () => {
      if (document.hidden) return;
      asks += 1;
      const outcome = await api.searchLog({ params: { brand, environment }, body: { filter: {} } });
      if (!isHere) return;
      const newest = outcome.kind === "ok" ? outcome.value.data[0] : undefined;
      if (newest !== undefined) setSeen(newest);
      if (newest !== undefined || outcome.kind === "trouble" || asks >= asksMax) stop();
    };
    const timer = setInterval(() => void ask(), askEveryMs);
    void ask();
    return () => {
      isHere = false;
      clearInterval(timer);
    };
  }, [brand, environment]);
  return (
    <p class={seen === null ? "note quiet" : `note ${seen.status < 400 ? "good" : "bad"}`} role="status">
      {seen === null ? (
        isWaiting ? (
          say.waiting
        ) : (
          say.stopped
        )
      ) : (
        <>
          {say.arrived(seen)} <Link to={`/brands/${brand}/${environment}/log`}>{say.log}</Link>
        </>
      )}
    </p>
  );
}
