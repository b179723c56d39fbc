import type { Search } from "lucide";
import { h } from "preact";

export type IconNode = typeof Search;

/** A decorative icon in the size and color of its text. */
export function Icon({ node }: { node: IconNode }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {node.map(([tag, attributes], place) => h(tag, { key: place, ...attributes }))}
    </svg>
  );
}
