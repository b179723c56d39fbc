import { useEffect, useRef } from "preact/hooks";
import { Json } from "./json.tsx";
import { useScrollable } from "./scrollable.ts";
import type { Line } from "./visit.ts";

/** The log of the brand's server: each call that it makes, with the whole answer. */
export function ServerLog({ lines, kind, isShown }: { lines: readonly Line[]; kind: string; isShown: boolean }) {
  const place = useRef<HTMLElement>(null);
  useScrollable(place);
  useEffect(() => {
    const last = place.current?.querySelector<HTMLElement>("details[open]");
    if (place.current !== null && last !== null && last !== undefined) place.current.scrollTop = last.offsetTop - 8;
  }, [lines.length, isShown]);
  const newest = lines.findLast((line) => "call" in line);
  return (
    <section class="log-lines" aria-label={`Log of the ${kind}’s server`} ref={place}>
      <h2>The {kind}’s server</h2>
      {lines.length === 0 ? (
        <p class="quiet">Its calls appear here, with the real answers. It makes two, or three with insurance.</p>
      ) : null}
      {lines.map((line) =>
        "said" in line ? (
          <p key={line.key} class="entry said">
            {line.said}
          </p>
        ) : (
          <details key={line.key} class="entry" open={line.key === newest?.key}>
            <summary>
              <span class="method">{line.call.method}</span>
              <span class="path">{line.call.path}</span>
              <span class={line.call.status < 400 ? "status ok" : "status bad"}>{line.call.status}</span>
              <span class="ms">{line.call.durationMs} ms</span>
            </summary>
            <div class="json-line">
              <span class="json-key">Authorization: </span>
              {line.call.authorization}
            </div>
            <Json value={line.call.answer} />
          </details>
        ),
      )}
    </section>
  );
}
