/** Shapes of parts that are loading: a panel, tiles, cards side by side, or the rows of a list. */
type Shape = "panel" | "tiles" | "cards" | "rows";

const counts: Readonly<Record<Shape, number>> = { panel: 1, tiles: 4, cards: 2, rows: 8 };

/** Placeholders in the shape of a page, so that its content moves little when it arrives. */
export function Bones({ of: shapes }: { of: readonly Shape[] }) {
  return (
    <>
      {shapes.map((shape, at) => (
        <div key={at} class={`bones ${shape}`}>
          {Array.from({ length: counts[shape] }, (_, place) => (
            <div key={place} class="bone" />
          ))}
        </div>
      ))}
    </>
  );
}
