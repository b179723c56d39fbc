import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** Lets the keyboard scroll an element. */
export function useScrollable(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (place.current !== null) place.current.tabIndex = 0;
  }, []);
}
