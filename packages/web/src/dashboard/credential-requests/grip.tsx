import { useEffect, useRef, useState } from "preact/hooks";
import { words } from "../words.ts";
import type { Place } from "./request-tree.ts";

/** The request that is being dragged: the place of its list, and its position there. */
export type Dragging = { under: string; at: number };
type Props = {
  name: string;
  place: Place;
  setDragging(dragging: Dragging | null): void;
  onMove(by: -1 | 1): void;
};

/** The handle of a request, for dragging or moving with the arrow keys. */
export function Grip({ name, place, setDragging, onMove }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [moves, setMoves] = useState(0);
  // When a node moves, the browser removes its focus.
  useEffect(() => {
    if (moves > 0) button.current?.focus();
  }, [moves]);
  const at = place.at(-1) ?? 0;
  return (
    <button
      ref={button}
      type="button"
      class="grip"
      draggable
      aria-describedby="move-hint"
      onDragStart={(event) => {
        event.dataTransfer?.setData("text/plain", name);
        setDragging({ under: place.slice(0, -1).join("-"), at });
      }}
      onDragEnd={() => setDragging(null)}
      onKeyDown={(event) => {
        if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
        event.preventDefault();
        onMove(event.key === "ArrowUp" ? -1 : 1);
        setMoves(moves + 1);
      }}
    >
      <span aria-hidden="true">⠿</span>
      <span class="hidden">{words.requests.move(name)}</span>
    </button>
  );
}
