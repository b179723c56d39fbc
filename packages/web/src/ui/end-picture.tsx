import { type EndPicture, endPictures } from "@countersign/contract/pictures";
import { h } from "preact";

/** The picture of an end. It is decorative, because the text next to it has the same meaning. */
export function Mark({ kind, animated = false }: { kind: EndPicture; animated?: boolean }) {
  const { tone, shapes } = endPictures[kind];
  return (
    <svg class={`mark ${tone} ${animated ? "" : "still"}`} viewBox="0 0 120 96" fill="none" aria-hidden="true">
      {shapes.map(([tag, attributes], place) => h(tag, { key: place, ...attributes }))}
    </svg>
  );
}
