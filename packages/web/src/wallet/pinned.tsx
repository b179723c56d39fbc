import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useHost } from "./host.ts";
import { useLanguage } from "./language.tsx";

/** How many times as high as the pinned decision a window must be. */
const windowPerBar = 3;
/** A row counts as hidden if more than this much of it is below the edge, in pixels. */
const hiddenPart = 8;

/**
 * The decision, with the text that it agrees to. In a window that is high enough it stays at the bottom, says how many
 * rows are below, and what the keyboard focuses scrolls to above it.
 */
export function Pinned({ children }: { children: ComponentChildren }) {
  const { words } = useLanguage();
  const { embedded } = useHost();
  const bar = useRef<HTMLDivElement>(null);
  const [below, setBelow] = useState(0);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const count = () => setBelow(rowsBelow(bar.current).length);
    const place = () => {
      const height = bar.current?.offsetHeight ?? 0;
      // A frame is as high as its content.
      const isPinned = !embedded && height * windowPerBar <= window.innerHeight;
      bar.current?.classList.toggle("stuck", isPinned);
      style.setProperty("--bar", isPinned ? `${height}px` : "0px");
      count();
    };
    const observer = new ResizeObserver(place);
    if (bar.current !== null) observer.observe(bar.current);
    observer.observe(document.body);
    window.addEventListener("resize", place);
    window.addEventListener("scroll", count, { passive: true });
    place();
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", place);
      window.removeEventListener("scroll", count);
      style.removeProperty("--bar");
    };
  }, []);
  const showMore = () => {
    const [next] = rowsBelow(bar.current);
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    next?.scrollIntoView({ block: "start", behavior });
  };
  return (
    <div class="pinned" ref={bar}>
      {below === 0 ? null : (
        // For the eye and the pointer only: a screen reader and the keyboard reach the rows themselves.
        <button type="button" class="below" tabIndex={-1} aria-hidden="true" onClick={showMore}>
          {words.moreBelow(below)}
        </button>
      )}
      {children}
    </div>
  );
}

/** The rows of the list that the pinned bar hides. */
function rowsBelow(bar: HTMLElement | null): Element[] {
  if (bar === null || !bar.classList.contains("stuck")) return [];
  const edge = bar.getBoundingClientRect().top + hiddenPart;
  return [...document.querySelectorAll(".list > .row")].filter((row) => row.getBoundingClientRect().bottom > edge);
}
