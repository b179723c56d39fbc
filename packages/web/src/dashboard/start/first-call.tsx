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

/**
 * Waits for the call of this page's first command, and shows it when it succeeds. A failure is shown only if it arrived
 * after the page was opened.
 */
export function FirstCall({ brand, environment, path }: { brand: string; environment: Environment; path: string }) {
  const [seen, setSeen] = useState<LogLine | null>(null);
  const [isWaiting, setWaiting] = useState(true);
  useEffect(() => {
    let asks = 0;
    let isHere = true;
    let before: ReadonlySet<string> | null = null;
    const stop = () => {
      clearInterval(timer);
      setWaiting(false);
    };
    const ask = async () => {
      if (document.hidden) return;
      asks += 1;
      const filter = { method: "POST", route: path } as const;
      const outcome = await api.searchLog({ params: { brand, environment }, body: { filter } });
      if (!isHere) return;
      if (outcome.kind === "trouble") return stop();
      const calls = outcome.value.data.filter(({ route }) => route === path);
      const known = before ?? new Set(calls.map(({ id }) => id));
      before = known;
      const found = calls.find(({ status }) => status < 400) ?? calls.find(({ id }) => !known.has(id));
      if (found !== undefined) setSeen(found);
      if ((found !== undefined && found.status < 400) || asks >= asksMax) stop();
    };
    const timer = setInterval(() => void ask(), askEveryMs);
    void ask();
    return () => {
      isHere = false;
      clearInterval(timer);
    };
  }, [brand, environment, path]);
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
          {seen.status < 400 ? say.arrived(seen) : say.refused(seen)}{" "}
          <Link to={`/brands/${brand}/${environment}/log`}>{say.log}</Link>
        </>
      )}
    </p>
  );
}
