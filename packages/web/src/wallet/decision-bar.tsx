import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useHost } from "./host.ts";
import { SteadyNotice } from "./status.tsx";

/** The text and the buttons are pinned if the window is at least this many times as high. */
const windowPerBar = 3.5;
/** Minimum height of a window in which the buttons alone are pinned, in pixels. */
const windowMin = 480;
/**
 * The height of the fade above the buttons, in pixels. It shows that there is more below. `review.css` has the same.
 */
const fadeHeight = 44;
/** A row counts as hidden if more than this is below the edge, in pixels. */
const hiddenPart = 8;

type Props = {
  /** The text that the person agrees to, directly above the buttons. */
  terms: ComponentChildren;
  /** A problem with the decision. */
  trouble: ComponentChildren;
  /** The buttons. `isUnread`: the text is still below the window, so a press on the main button shows it. */
  buttons(isUnread: boolean): ComponentChildren;
  /** The content below the buttons. */
  after: ComponentChildren;
};

/**
 * The decision of a review. The buttons are pinned to the bottom of the window; so is the text if the window is high
 * enough. The rows fade out above them. Elements that get the focus scroll into view above the fade.
 */
export function DecisionBar({ terms, trouble, buttons, after }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  const dock = useRef<HTMLDivElement>(null);
  const { isBelow, isUnread } = useBelow(bar, dock, trouble);
  const termsOf = () => bar.current?.querySelector("[data-consent]");
  const scrollTo = (one: Element | null | undefined, block: "start" | "end") => {
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    one?.scrollIntoView({ block, behavior });
  };
  const showMore = () => {
    const [next = termsOf()] = rowsBelow(dock.current);
    scrollTo(next, "start");
  };
  // If the text that Share agrees to is below the pinned buttons, the main button shows the text and says so.
  const showTermsFirst = (event: MouseEvent) => {
    const isShare = event.target instanceof Element && event.target.closest(".main") !== null;
    if (!isShare || !areTermsBelow(bar.current)) return;
    event.stopPropagation();
    const terms = bar.current?.querySelector<HTMLElement>("[data-consent]");
    terms?.focus({ preventScroll: true });
    scrollTo(terms, "end");
  };
  return (
    <div class="pinned" ref={bar}>
      {terms}
      <div class="dock" ref={dock} onClickCapture={showTermsFirst}>
        <div class="over">
          {isBelow ? (
            // Only for the pointer. Screen readers and the keyboard reach the rows themselves.
            <button type="button" class="below" tabIndex={-1} aria-hidden="true" onClick={showMore} />
          ) : null}
          <SteadyNotice text={trouble} />
        </div>
        {buttons(isUnread)}
      </div>
      {after}
    </div>
  );
}

type Place = { current: HTMLElement | null };

/** Pins the bar or only its buttons, and watches whether they hide rows or the text. */
function useBelow(bar: Place, dock: Place, trouble: ComponentChildren): { isBelow: boolean; isUnread: boolean } {
  const { embedded } = useHost();
  const [isBelow, setBelow] = useState(false);
  const [isUnread, setUnread] = useState(false);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const look = () => {
      const { scrollTop, clientHeight, scrollHeight } = document.documentElement;
      const isAtEnd = scrollTop + clientHeight >= scrollHeight - 1;
      setBelow(!isAtEnd && (rowsBelow(dock.current).length > 0 || areTermsBelow(bar.current)));
      setUnread(areTermsBelow(bar.current));
    };
    const place = () => {
      const classes = bar.current?.classList;
      classes?.remove("stuck", "short");
      // If nothing is pinned, a problem adds to the bar's height.
      const problem = dock.current?.querySelector<HTMLElement>(".over")?.offsetHeight ?? 0;
      const height = (bar.current?.offsetHeight ?? 0) - problem;
      const { clientHeight } = document.documentElement;
      // Nothing is pinned in a frame, because a frame is as high as its content.
      const isWhole = !embedded && height * windowPerBar <= clientHeight;
      const isShort = !embedded && !isWhole && clientHeight >= windowMin;
      classes?.toggle("stuck", isWhole);
      classes?.toggle("short", isShort);
      // The room for a long problem does not move the buttons, because the page scrolls by as much.
      const topOf = () => dock.current?.getBoundingClientRect().top ?? 0;
      const top = topOf();
      bar.current?.style.setProperty("--problem", `${problem}px`);
      window.scrollBy(0, topOf() - top);
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
    // A problem hides more rows.
  }, [trouble]);
  return { isBelow, isUnread };
}

/** The rows behind the pinned bar, its problem or its fade. */
function rowsBelow(dock: HTMLElement | null): Element[] {
  const over = dock?.closest(".stuck, .short")?.querySelector(".over");
  if (over === undefined || over === null) return [];
  const problem = over.querySelector(".above")?.getBoundingClientRect().height ?? 0;
  const edge = over.getBoundingClientRect().bottom - fadeHeight - problem + hiddenPart;
  return [...document.querySelectorAll(".list > .row")].filter((row) => row.getBoundingClientRect().bottom > edge);
}

/** Whether the text is hidden below the pinned buttons. */
function areTermsBelow(bar: HTMLElement | null): boolean {
  if (bar === null || !bar.classList.contains("short")) return false;
  const [terms, dock] = [bar.querySelector("[data-consent]"), bar.querySelector(".dock")];
  if (terms === null || dock === null) return false;
  return terms.getBoundingClientRect().bottom > dock.getBoundingClientRect().top + hiddenPart;
}
