/** One value for each period, the oldest first. Null: there is none. */
type Props = {
  label: string;
  values: readonly (number | null)[];
  /** The part of each value that is bad. */
  bad?: readonly number[];
  /** Names a period with its value, for the pointer. */
  say(place: number): string;
  look?: "bars" | "line";
};

const height = 36;
/** Width of a period in the drawing, which is stretched to the width of its box. */
const step = 10;

/** A small chart without axes. Each period has a title with its figures. */
export function Spark({ label, values, bad = [], say, look = "bars" }: Props) {
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const width = values.length * step;
  // A figure above zero is always visible.
  const heightOf = (value: number) => (value === 0 ? 0 : Math.max(2, (value / most) * (height - 2)));
  return (
    <svg class="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="base" x={0} y={height - 1} width={width} height={1} />
      {look === "line" ? <path class="line" d={lineOf(values, (value) => height - heightOf(value))} /> : null}
      {values.map((value, place) => {
        const [whole, part] = [look === "line" ? 0 : heightOf(value ?? 0), heightOf(bad[place] ?? 0)];
        const at = { x: place * step, width: step };
        return (
          <g key={place}>
            <title>{say(place)}</title>
            <rect class="reach" {...at} y={0} height={height} />
            <rect class="whole" x={at.x + 1} width={step - 2} y={height - whole} height={whole} />
            <rect class="bad" x={at.x + 1} width={step - 2} y={height - part} height={part} />
          </g>
        );
      })}
    </svg>
  );
}

/** A path through the middles of the periods. It has a gap where there is no value, and a short line for a lone one. */
function lineOf(values: readonly (number | null)[], yOf: (value: number) => number): string {
  return values
    .map((value, place) => {
      if (value === null) return "";
      const [x, y] = [(place + 0.5) * step, yOf(value).toFixed(1)];
      const isFirst = (values[place - 1] ?? null) === null;
      const isLone = isFirst && (values[place + 1] ?? null) === null;
      return isLone ? `M${x - step / 3} ${y}H${x + step / 3}` : `${isFirst ? "M" : "L"}${x} ${y}`;
    })
    .join("");
}
