import type { ComponentChildren } from "preact";

/** A name and its value. A pair whose value is null is left out. */
export type Pair = readonly [name: string, value: ComponentChildren];

/** Names with their values, such as the facts about one call. */
export function Pairs({ of }: { of: readonly Pair[] }) {
  return (
    <dl class="pairs">
      {of.map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
