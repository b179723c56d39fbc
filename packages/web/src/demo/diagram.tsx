import { useEffect, useRef } from "preact/hooks";
import { arrows, type Place, places, type Row } from "./arrows.ts";
import { Icon } from "./icons.tsx";
import { useScrollable } from "./scrollable.ts";

type Props = {
  rows: readonly Row[];
  current: Row | undefined;
  kind: string;
  /** Whether the diagram's tab is open. A list that is not shown cannot scroll. */
  isShown: boolean;
  nameOf(place: Place): string;
};

/** The calls of the signup in order. Each row is an arrow between two of the columns, and lights up when it happens. */
export function Diagram({ rows, current, kind, isShown, nameOf }: Props) {
  const list = useRef<HTMLOListElement>(null);
  useScrollable(list);
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>(".current");
    if (list.current === null || row === null || row === undefined) return;
    // Only the list scrolls, not the page.
    const { scrollTop, clientHeight } = list.current;
    const bottom = row.offsetTop + row.offsetHeight;
    if (bottom > scrollTop + clientHeight) list.current.scrollTop = bottom - clientHeight;
  }, [current, isShown]);
  const lit = rows.filter(({ state }) => state !== "expected");
  const active = lit.flatMap(({ arrow }) => [arrows[arrow].from, arrows[arrow].to]);
  return (
    <>
      <div class="heads" aria-hidden="true">
        {places.map((place) => (
          <span key={place} class={active.includes(place) ? "head lit" : "head"}>
            <Icon name={place} />
            {nameOf(place)}
          </span>
        ))}
      </div>
      <ol class="calls" aria-label="Calls in order" ref={list}>
        {rows.map((row) => (
          <Call key={row.key} row={row} isCurrent={row.key === current?.key} nameOf={nameOf} />
        ))}
      </ol>
      <p class="legend">
        <span class="key" />a call <span class="key asks" />a call of the {kind}’s server with its API key{" "}
        <span class="key refused" />
        refused
      </p>
    </>
  );
}

function Call({ row, isCurrent, nameOf }: { row: Row; isCurrent: boolean; nameOf(place: Place): string }) {
  const { from, to } = arrows[row.arrow];
  const [start, end] = [places.indexOf(from), places.indexOf(to)];
  const isTime = row.arrow === "later";
  const classes = [
    "call",
    row.state,
    isCurrent && "current",
    isTime && "time",
    end < start && "back",
    from === "server" && to === "countersign" && "asks",
    to === "sources" && !isTime && "far",
  ];
  return (
    <li
      class={classes.filter(Boolean).join(" ")}
      data-arrow={row.arrow}
      style={{ "--first": Math.min(start, end), "--span": Math.abs(end - start) }}
    >
      <span class="words">
        {isTime ? null : (
          <span class="hidden">
            {nameOf(from)} to {nameOf(to)}:{" "}
          </span>
        )}
        {row.title}
        {row.state === "expected" ? <span class="hidden"> (not yet)</span> : null}
        {row.answer === undefined ? null : <span class="answer">{row.answer}</span>}
      </span>
      <span class="line" aria-hidden="true" />
    </li>
  );
}
