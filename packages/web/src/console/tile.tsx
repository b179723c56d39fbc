import type { ComponentChildren } from "preact";

type Props = { title: string; value: string; isBad?: boolean; children?: ComponentChildren };

/** A figure with its title, in a `dl` with the class `tiles`. */
export function Tile({ title, value, isBad = false, children }: Props) {
  return (
    <div class={isBad ? "tile bad" : "tile"}>
      <dt>{title}</dt>
      <dd>
        <strong>{value}</strong>
        {children === undefined || children === null || children === "" ? null : <span class="quiet">{children}</span>}
      </dd>
    </div>
  );
}

/** A share from 0 to 1, such as `3 %`. */
export const shareOf = (share: number) => `${(share * 100).toFixed(share > 0 && share < 0.01 ? 2 : 0)} %`;
export const countOf = (count: number) => count.toLocaleString("en-US");
