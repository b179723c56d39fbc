import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { go } from "../frame/navigation.tsx";
import { bucketMs, type ChartProps, instantOf, unitOf } from "./chart-series.ts";

/** Height of the chart in pixels. Its width is that of its box. */
const height = 176;
/** The steps of the axis of values: whole numbers. */
const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000, 1_000_000];

/**
 * Half the width of the longest time label, in pixels. Labels are centered on their times, so the first and the last
 * label each need half their width outside the chart.
 */
const labelHalf: Readonly<Record<ChartProps["bucket"], number>> = { day: 24, hour: 46, minute: 56 };

/**
 * The drawing of a chart. `onPoint` gets the index of the bucket under the pointer. A click on a bar opens its calls.
 */
export function Drawing(props: ChartProps & { onPoint(place: number | null): void }) {
  const box = useRef<HTMLDivElement>(null);
  const scheme = useScheme();
  const key = JSON.stringify([props.at, props.series, scheme]);
  useEffect(() => {
    const target = box.current;
    if (target === null) return;
    const chart = new uPlot(optionsOf(props, target), dataOf(props), target);
    let tapped: number | null | undefined = null;
    chart.over.addEventListener("click", (event) => {
      // Touch has no hover, so the first tap shows the values.
      const isFirst = event instanceof PointerEvent && event.pointerType === "touch" && chart.cursor.idx !== tapped;
      tapped = chart.cursor.idx;
      if (!isFirst) open(chart, props);
    });
    const observer = new ResizeObserver(() => chart.setSize({ width: target.clientWidth, height }));
    observer.observe(target);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [key]);
  return <div ref={box} class="drawing" />;
}

/** Redraws the chart when the color scheme changes. */
function useScheme(): boolean {
  const query = "(prefers-color-scheme: dark)";
  const [isDark, setDark] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const media = window.matchMedia(query);
    const listener = () => setDark(media.matches);
    media.addEventListener("change", listener);
    return () => media.removeEventListener("change", listener);
  }, []);
  return isDark;
}

/** For each series, the sum of it and of all series below it. Lines are not stacked. */
function stacked({ series, unit }: ChartProps): (number | null)[][] {
  const below: number[] = [];
  return series.map(({ values }) =>
    values.map((value, place) => {
      if (unit === "ms") return value;
      const sum = (below[place] ?? 0) + (value ?? 0);
      below[place] = sum;
      return sum;
    }),
  );
}

/** The drawing order: the highest bars first, so that lower ones cover them. Lines keep their order. */
function inDrawingOrder<One>(unit: ChartProps["unit"], series: readonly One[]): One[] {
  return unit === "ms" ? [...series] : series.toReversed();
}

function dataOf(props: ChartProps): uPlot.AlignedData {
  const half = props.unit === "ms" ? 0 : bucketMs[props.bucket] / 2;
  return [props.at.map((instant) => instant + half), ...inDrawingOrder(props.unit, stacked(props))];
}

function optionsOf(
  { at, bucket, series, unit, onPoint }: Parameters<typeof Drawing>[0],
  target: HTMLElement,
): uPlot.Options {
  const style = getComputedStyle(target);
  const color = (name: string) => style.getPropertyValue(name);
  const bars = uPlot.paths.bars?.({ size: [0.8, 48] });
  const axis = { stroke: color("--muted"), font: `12px ${color("--font")}`, ticks: { show: false } };
  return {
    width: target.clientWidth,
    height,
    padding: [8, labelHalf[bucket], 0, 0],
    ms: 1,
    tzDate: (instant) => uPlot.tzDate(new Date(instant), "Etc/UTC"),
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { range: [at[0] ?? 0, (at.at(-1) ?? 0) + bucketMs[bucket]] },
      y: { range: (_, _least, most) => [0, Math.max(1, most ?? 0) * 1.05] },
    },
    axes: [
      {
        ...axis,
        // Keeps the labels clear of the lowest label on the other axis.
        gap: 10,
        size: 32,
        space: 100,
        grid: { show: false },
        values: (_, splits) => splits.map((one) => instantOf(one, bucket)),
      },
      {
        ...axis,
        size: Math.max(unit === "ms" ? 64 : 44, labelHalf[bucket]),
        incrs: steps,
        grid: { stroke: color("--line"), width: 1 },
        values: (_, splits) => splits.map((one) => unitOf(one, unit)),
      },
    ],
    series: [
      {},
      ...inDrawingOrder(unit, series).map(({ label, tone, isDashed }) => {
        const paint = color(`--tone-${tone}`);
        return unit === "ms"
          ? {
              ...{ label, stroke: paint, width: 2, points: { show: true, size: 5, fill: paint } },
              ...(isDashed === true ? { dash: [6, 6] } : {}),
            }
          : { label, fill: paint, width: 0, points: { show: false }, ...(bars === undefined ? {} : { paths: bars }) };
      }),
    ],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  };
}

/** Opens the calls of the bucket under the pointer, or only those of the series under it. */
function open({ cursor, posToVal }: uPlot, props: ChartProps): void {
  const { at, bucket, series, unit, pathOf } = props;
  const from = at[cursor.idx ?? -1];
  if (from === undefined) return;
  const value = posToVal(cursor.top ?? 0, "y");
  const sums = stacked(props).map((values) => values[cursor.idx ?? -1] ?? 0);
  // An empty bucket has no calls to show.
  if (sums.every((sum) => sum === 0)) return;
  const place = unit === "ms" ? -1 : sums.findIndex((sum) => sum >= value);
  go(pathOf({ from, to: from + bucketMs[bucket] }, series[place]?.name));
}
