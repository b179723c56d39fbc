import {
  type LogHistogram as Histogram,
  type LogFilter,
  logSearchedMax,
} from "@countersign/contract/dashboard-reporting";
import { minuteMs } from "@countersign/contract/time";
import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { Time } from "../controls/controls.tsx";
import { useLoad } from "../frame/page.tsx";
import { usePolling } from "../frame/use-polling.ts";
import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.log.histogram;
/** The bars of a live page are counted this often, and at most so many times. */
const pollEveryMs = 30_000;
const pollsMax = 20;

type Period = { from: number; to: number };
type Props = {
  params: { brand: string; environment: "sandbox" | "production" };
  filter: LogFilter;
  isLive: boolean;
  onSelect(period: Period): void;
};

/** The calls of the log over time. A drag, or the keyboard, selects a time whose calls the log then shows. */
export function LogHistogram({ params, filter, isLive, onSelect }: Props) {
  const key = JSON.stringify([params, filter]);
  const { state, reload } = useLoad(() => api.countLog({ params, body: { filter } }), [key]);
  usePolling(reload, { everyMs: pollEveryMs, max: pollsMax, isOn: isLive, of: key });
  return (
    <div class="histogram">
      {state.kind === "ok" ? <Bars key={key} histogram={state.value} onSelect={onSelect} /> : null}
    </div>
  );
}

type Bar = Histogram["bars"][number];
const sumOf = ({ succeeded, refused, broken }: Bar) => succeeded + refused + broken;
/** From the bottom to the top, as in the charts. */
const kinds = ["succeeded", "refused", "broken"] as const;

/** Every bar of the time, also the empty ones. */
function allBars({ from, to, bucketMs, bars }: Histogram): Bar[] {
  const found = new Map(bars.map((bar) => [bar.at, bar]));
  const count = Math.max(1, Math.round((to - from) / bucketMs));
  return Array.from({ length: count }, (_, place) => {
    const at = from + place * bucketMs;
    return found.get(at) ?? { at, succeeded: 0, refused: 0, broken: 0 };
  });
}

/** A selection: the bar where it began, and the one where it ends. */
type Selection = { anchor: number; head: number };
const has = ({ anchor, head }: Selection, place: number) =>
  place >= Math.min(anchor, head) && place <= Math.max(anchor, head);

function Bars({ histogram, onSelect }: { histogram: Histogram; onSelect: Props["onSelect"] }) {
  const { from, to, bucketMs, isWhole } = histogram;
  const bars = allBars(histogram);
  const [selection, setSelection] = useState<Selection | null>(null);
  const [isDragging, setDragging] = useState(false);
  const most = Math.max(1, ...bars.map(sumOf));
  const last = bars.length - 1;
  const chosen = selection === null ? bars : bars.filter((_, place) => has(selection, place));
  const open = ({ anchor, head }: Selection) =>
    onSelect({ from: from + Math.min(anchor, head) * bucketMs, to: from + (Math.max(anchor, head) + 1) * bucketMs });
  const placeOf = (event: { currentTarget: HTMLElement; clientX: number }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * bars.length)));
  };
  const press = (event: KeyboardEvent) => {
    const head = selection?.head ?? last + 1;
    const next = { ArrowLeft: head - 1, ArrowRight: head + 1, Home: 0, End: last }[event.key];
    if (event.key === "Enter" && selection !== null) open(selection);
    else if (event.key === "Escape" && selection !== null) setSelection(null);
    else if (next === undefined) return;
    else {
      const place = Math.min(last, Math.max(0, next));
      setSelection({ anchor: event.shiftKey && selection !== null ? selection.anchor : place, head: place });
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const counts = say.counts({
    all: chosen.reduce((sum, bar) => sum + sumOf(bar), 0),
    refused: chosen.reduce((sum, { refused }) => sum + refused, 0),
    broken: chosen.reduce((sum, { broken }) => sum + broken, 0),
  });
  const showsSeconds = bucketMs < minuteMs ? ({ seconds: true } as const) : {};
  const period = { from: chosen[0]?.at ?? from, to: (chosen.at(-1)?.at ?? from) + bucketMs };
  return (
    <>
      <div
        class="plot"
        role="slider"
        tabIndex={0}
        aria-label={say.label}
        aria-describedby="histogram-help"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={selection?.head ?? last}
        aria-valuetext={`${spoken(period)}: ${counts}`}
        onKeyDown={press}
        onBlur={() => setSelection(null)}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const place = placeOf(event);
          setDragging(true);
          setSelection({ anchor: place, head: place });
        }}
        onPointerMove={(event) => {
          if (isDragging && selection !== null) setSelection({ ...selection, head: placeOf(event) });
        }}
        onPointerUp={() => {
          setDragging(false);
          if (isDragging && selection !== null) open(selection);
        }}
        onPointerCancel={() => {
          setDragging(false);
          setSelection(null);
        }}
      >
        {bars.map((bar, place) => (
          <div key={bar.at} class={selection !== null && has(selection, place) ? "bar chosen" : "bar"}>
            {kinds.map((kind) =>
              bar[kind] === 0 ? null : (
                <div key={kind} class={kind} style={{ height: `${(bar[kind] / most) * 100}%` }} />
              ),
            )}
          </div>
        ))}
      </div>
      <p class="histogram-ends quiet">
        <Time at={period.from} {...showsSeconds} />
        <span>{counts}</span>
        <Time at={Math.min(period.to, to)} {...showsSeconds} />
      </p>
      <p id="histogram-help" class="hidden">
        {say.help}
      </p>
      {isWhole ? null : <p class="quiet">{say.part(logSearchedMax)}</p>}
    </>
  );
}

const form = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });
const spoken = ({ from, to }: Period) => `${form.format(from)} – ${form.format(to)}`;
