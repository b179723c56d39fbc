import type { Search } from "lucide";
import { h } from "preact";

type Node = typeof Search;

/** A decorative icon in the size and color of its text. */
export function Icon({ node }: { node: Node }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {node.map(([tag, attributes], place) => h(tag, { key: place, ...attributes }))}
    </svg>
  );
}
