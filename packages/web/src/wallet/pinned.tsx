import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useHost } from "./host.ts";
import { SteadyNotice } from "./status.tsx";

/** How many times as high as the text and the buttons a window must be for both to be pinned. */
const windowPerBar = 3.5;
/** The lowest window in which the buttons alone are pinned, in pixels. */
const windowMin = 480;
/** The height of the fade that shows that there is more below, in pixels. `review.css` has the same. */
const fadeHeight = 44;
/** A row counts as hidden if more than this much of it is below the edge, in pixels. */
const hiddenPart = 8;

type Props = {
  /** The text that the person agrees to. It stands directly above the buttons. */
  terms: ComponentChildren;
  /** A problem with the decision. */
  trouble: ComponentChildren;
  buttons: ComponentChildren;
  /** What stands below the buttons. */
  after: ComponentChildren;
};

/**
 * The decision of a review. It is pinned to the bottom of the window, with its text if the window is high enough for
 * both. What is below fades out above it. Elements that get the focus scroll into view above it.
 */
export function Pinned({ terms, trouble, buttons, after }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  const dock = useRef<HTMLDivElement>(null);
  const isBelow = useBelow(bar, dock, trouble);
  const showMore = () => {
    const [next = bar.current?.querySelector("[data-consent]")] = rowsBelow(dock.current);
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    next?.scrollIntoView({ block: "start", behavior });
  };
  return (
    <div class="pinned" ref={bar}>
      {terms}
      <div class="dock" ref={dock}>
        <div class="over">
          {isBelow ? (
            // For the eye and the pointer only: a screen reader and the keyboard reach the rows themselves.
            <button type="button" class="below" tabIndex={-1} aria-hidden="true" onClick={showMore} />
          ) : null}
          <SteadyNotice text={trouble} />
        </div>
        {buttons}
      </div>
      {after}
    </div>
  );
}

type Place = { current: HTMLElement | null };

/** Pins the bar, or only its buttons, and watches whether rows or the text are below it. */
function useBelow(bar: Place, dock: Place, trouble: ComponentChildren): boolean {
  const { embedded } = useHost();
  const [isBelow, setBelow] = useState(false);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const look = () => setBelow(rowsBelow(dock.current).length > 0 || areTermsBelow(bar.current));
    const place = () => {
      const classes = bar.current?.classList;
      classes?.remove("stuck", "short");
      // Where nothing is pinned, a problem makes the bar higher.
      const problem = dock.current?.querySelector<HTMLElement>(".over")?.offsetHeight ?? 0;
      const height = (bar.current?.offsetHeight ?? 0) - problem;
      const { clientHeight } = document.documentElement;
      // A frame is as high as its content.
      const isWhole = !embedded && height * windowPerBar <= clientHeight;
      const isShort = !embedded && !isWhole && clientHeight >= windowMin;
      classes?.toggle("stuck", isWhole);
      classes?.toggle("short", isShort);
      const pinned = isWhole ? height : isShort ? (dock.current?.offsetHeight ?? 0) : -fadeHeight;
      style.setProperty("--bar", `${pinned + fadeHeight}px`);
      look();
    };
    const observer = new ResizeObserver(place);
    for (const one of [dock.current, document.body]) if (one !== null) observer.observe(one);
    window.addEventListener("resize", place);
    window.addEventListener("scroll", look, { passive: true });
    place();
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", place);
      window.removeEventListener("scroll", look);
      style.removeProperty("--bar");
    };
    // A problem hides more.
  }, [trouble]);
  return isBelow;
}

/** The parts of the list that the pinned bar, its problem or its fade hide. */
function rowsBelow(dock: HTMLElement | null): Element[] {
  const over = dock?.closest(".stuck, .short")?.querySelector(".over");
  if (over === undefined || over === null) return [];
  const problem = over.querySelector(".above")?.getBoundingClientRect().height ?? 0;
  const edge = over.getBoundingClientRect().bottom - fadeHeight - problem + hiddenPart;
  return [...document.querySelectorAll(".list > :is(.row, .sources)")].filter(
    (row) => row.getBoundingClientRect().bottom > edge,
  );
}

/** Whether the text is below pinned buttons. */
function areTermsBelow(bar: HTMLElement | null): boolean {
  if (bar === null || !bar.classList.contains("short")) return false;
  const [terms, dock] = [bar.querySelector("[data-consent]"), bar.querySelector(".dock")];
  if (terms === null || dock === null) return false;
  return terms.getBoundingClientRect().bottom > dock.getBoundingClientRect().top + hiddenPart;
}
