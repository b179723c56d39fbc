import { SlidersHorizontal } from "lucide";
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { words } from "../words.ts";
import { Button } from "./button.tsx";

/**
 * Filters that are folded on a phone, below a button with the number of set filters. Larger screens always show them.
 */
export function FoldedFilters({ count, children }: { count: number; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Button
        icon={SlidersHorizontal}
        label={words.filter.show(count)}
        look="fold-button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      />
      <div id={id} class={isOpen ? "folded open" : "folded"}>
        {children}
      </div>
    </>
  );
}

type FoldProps = { title: ComponentChildren; isOpen?: boolean; children: ComponentChildren };

/** A part of a page that unfolds below its title. All foldable parts of the dashboard have the same icon. */
export function Fold({ title, isOpen = false, children }: FoldProps) {
  return (
    <details class="fold" open={isOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
