import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { go } from "../frame/navigation.tsx";
import { bucketMs, type ChartProps, labelsOf, ticksOf, unitOf } from "./chart-series.ts";

/** Height of the chart in pixels. Its width is that of its box. */
const height = 200;
/** The steps of the axis of values: whole numbers. */
const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000, 1_000_000];
/** Width of the widest time label with its space, in pixels. Labels are centered, so the last one needs half of it. */
const labelWidth = 64;
/** Bars that are narrower than this touch each other, in pixels. */
const roomForGap = 6;

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

/** Every value is drawn in the middle of its bucket. */
function dataOf(props: ChartProps): uPlot.AlignedData {
  const half = bucketMs[props.bucket] / 2;
  return [props.at.map((instant) => instant + half), ...inDrawingOrder(props.unit, stacked(props))];
}

function optionsOf(
  { at, bucket, series, unit, onPoint }: Parameters<typeof Drawing>[0],
  target: HTMLElement,
): uPlot.Options {
  const style = getComputedStyle(target);
  const color = (name: string) => style.getPropertyValue(name);
  // A bar is as wide as its time, with a line of space to the next one if there is room.
  const gap = target.clientWidth / at.length < roomForGap ? 0 : 1;
  const bars = uPlot.paths.bars?.({ size: [1, Number.POSITIVE_INFINITY], gap });
  const half = bucketMs[bucket] / 2;
  const axis = { stroke: color("--muted"), font: `12px ${color("--font")}`, ticks: { show: false } };
  return {
    width: target.clientWidth,
    height,
    padding: [8, labelWidth / 2, 0, 0],
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
        gap: 8,
        size: 44,
        grid: { show: false },
        splits: ({ bbox }) => ticksOf(at, bucket, bbox.width / devicePixelRatio / labelWidth).map((one) => one + half),
        values: (_, splits) =>
          labelsOf(
            splits.map((one) => one - half),
            bucket,
          ),
      },
      {
        ...axis,
        size: unit === "ms" ? 64 : 48,
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
    bands: bandsOf(series, color),
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  };
}

/** The area between the lines of the 50th and the 95th percentile. */
function bandsOf(series: ChartProps["series"], color: (name: string) => string): uPlot.Band[] {
  const [low, high] = ["p50", "p95"].map((name) => series.findIndex((one) => one.name === name) + 1);
  return low === undefined || high === undefined || low * high === 0
    ? []
    : [{ series: [high, low], fill: `color-mix(in srgb, ${color("--tone-6")} 22%, transparent)` }];
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
