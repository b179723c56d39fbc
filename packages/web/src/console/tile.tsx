import type { ComponentChildren } from "preact";

type Props = {
  title: string;
  value: ComponentChildren;
  isBad?: boolean;
  /** A line beside the value. */
  about?: string;
  children?: ComponentChildren;
};

/** A figure with its title, in a `dl` with the class `tiles`. */
export function Tile({ title, value, isBad = false, about, children }: Props) {
  return (
    <div class={isBad ? "tile bad" : "tile"}>
      <dt>{title}</dt>
      <dd>
        <p class="value">
          <strong>{value}</strong>
          {about === undefined ? null : <span class="quiet">{about}</span>}
        </p>
        {children === undefined || children === null || children === "" ? null : <div class="quiet">{children}</div>}
      </dd>
    </div>
  );
}

/** A share from 0 to 1, such as `3%`. A small one keeps two decimals, and is never shown as zero. */
export function shareOf(share: number): string {
  if (share > 0 && share < 0.0001) return "under 0.01%";
  return `${(share * 100).toFixed(share > 0 && share < 0.01 ? 2 : 0)}%`;
}
export const countOf = (count: number) => count.toLocaleString("en-US");
