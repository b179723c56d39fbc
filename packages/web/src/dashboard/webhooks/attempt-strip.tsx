import type { AttemptMark } from "@countersign/contract/dashboard-webhooks";
import { useState } from "preact/hooks";
import { Time } from "../controls/controls.tsx";
import { go, Link } from "../frame/navigation.tsx";
import { webhookWords } from "./words-webhooks.ts";

const say = webhookWords.strip;
type Result = AttemptMark["result"];

/** A bar for each of a webhook's last attempts, oldest first. Arrow keys move between them. `base`: the deliveries' path. */
export function AttemptStrip({ marks, base }: { marks: readonly AttemptMark[]; base: string }) {
  const [chosen, setChosen] = useState<number | null>(null);
  if (marks.length === 0) return null;
  const last = marks.length - 1;
  const shown = chosen === null ? undefined : marks[chosen];
  const to = ({ delivery }: AttemptMark) => `${base}/${delivery}`;
  const counts = (["delivered", "failed", "waiting"] as const).flatMap((result) => {
    const count = marks.filter((mark) => mark.result === result).length;
    return count === 0 ? [] : [say.counts[result](count)];
  });
  const move = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const from = chosen ?? last;
    const next = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
    if (next === undefined || marks[next] === undefined) return;
    event.preventDefault();
    const bar = event.currentTarget.children[next];
    if (bar instanceof HTMLElement) bar.focus();
  };
  return (
    <div class="attempt-strip">
      <div class="strip-bars" role="toolbar" aria-label={say.title} tabIndex={-1} onKeyDown={move}>
        {marks.map((mark, at) => (
          <a
            // Marks are only added at the end.
            key={`${mark.delivery} ${mark.at}`}
            href={to(mark)}
            class="strip-bar"
            data-result={mark.result}
            tabIndex={at === (chosen ?? last) ? 0 : -1}
            aria-label={nameOf(mark)}
            onFocus={() => setChosen(at)}
            onMouseEnter={() => setChosen(at)}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
              event.preventDefault();
              // A bar is narrower than a finger, so a tap only chooses it. The line below opens it.
              const isTap = event instanceof PointerEvent && event.pointerType === "touch";
              if (isTap) setChosen(at);
              else go(to(mark));
            }}
          >
            <i />
          </a>
        ))}
      </div>
      <p class="quiet">
        {shown === undefined ? (
          `${say.title}: ${counts.join(", ")}`
        ) : (
          <>
            <b data-result={shown.result}>{say.results[shown.result]}</b>
            {shown.answer === undefined ? null : ` ${shown.answer}`} · <Time at={shown.at} seconds /> ·{" "}
            <Link to={to(shown)}>{shown.event}</Link>
          </>
        )}
      </p>
    </div>
  );
}

function nameOf({ result, answer, event, at }: AttemptMark): string {
  const parts: Readonly<Record<Result, string>> = say.results;
  return [`${parts[result]}${answer === undefined ? "" : ` ${answer}`}`, event, when.format(at)].join(", ");
}

const when = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "medium" });
