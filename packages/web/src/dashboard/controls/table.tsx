import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Outcome } from "../api.ts";
import { useAction } from "../frame/page.tsx";
import { words } from "../words.ts";
import { Button } from "./button.tsx";
import { TroubleNotice } from "./controls.tsx";

type Column = string | { title: string; class?: string; isTitleHidden?: true };
type Props = { class?: string; label?: string; columns: readonly Column[]; children: ComponentChildren };

/** A table with one row of column titles. The children are its rows. */
export function Table({ class: kind, label, columns, children }: Props) {
  return (
    <TableBox class={kind}>
      <table aria-label={label}>
        <thead>
          <tr>
            {columns
              .map((column) => (typeof column === "string" ? { title: column } : column))
              .map(({ title, class: columnKind, isTitleHidden }) => (
                <th key={title} scope="col" class={columnKind}>
                  {isTitleHidden ? <span class="hidden">{title}</span> : title}
                </th>
              ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </TableBox>
  );
}

/** A column of numbers. */
export const figure = (title: string): Column => ({ title, class: "figure" });

type BoxProps = {
  class?: string;
  /** The label of the region. A table has its own label. */
  label?: string;
  children: ComponentChildren;
};

/**
 * A box that scrolls if its content is too large. It takes the focus only if it scrolls, so that arrow keys can scroll
 * it.
 */
export function TableBox({ class: kind = "", label, children }: BoxProps) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = ref.current;
    if (box === null) return;
    const measure = () => {
      if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    };
    measure();
    // When its rows change, the table grows but the box does not.
    const observer = new ResizeObserver(measure);
    for (const one of [box, ...box.children]) observer.observe(one);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={ref}
      class={`table-box ${kind}`}
      {...(label === undefined ? {} : { role: "region", "aria-label": label })}
    >
      {children}
    </div>
  );
}

/** A page of lines. `older` is where the next page begins; by default, that is the id of the last line. */
type Lines<Line> = { data: Line[]; hasOlder: boolean; older?: string };
type OlderProps<Line> = {
  first: Lines<Line>;
  /** Loads the lines before that position. */
  ask(before: string): Promise<Outcome<Lines<Line>>>;
  children(lines: readonly Line[]): ComponentChildren;
};

/** Lines, newest first, with a button that loads older ones. */
export function WithOlder<Line extends { id: number | string }>({ first, ask, children }: OlderProps<Line>) {
  const [older, setOlder] = useState<Lines<Line>>({ ...first, data: [] });
  const action = useAction();
  const lines = [...first.data, ...older.data];
  const more = () =>
    void action.run(
      () => ask(older.older ?? String(lines.at(-1)?.id ?? 0)),
      (page) => setOlder({ ...page, data: [...older.data, ...page.data] }),
    );
  return (
    <>
      {children(lines)}
      <TroubleNotice trouble={action.trouble} />
      {older.hasOlder ? (
        <p class="pager">
          <Button label={words.older} onClick={more} />
        </p>
      ) : null}
    </>
  );
}
