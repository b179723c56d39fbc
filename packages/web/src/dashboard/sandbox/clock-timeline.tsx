import { type DashboardClock, type DueMark, dueKinds } from "@countersign/contract/dashboard-sandbox";
import { minuteMs } from "@countersign/contract/time";
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../controls/button.tsx";
import { Time } from "../controls/controls.tsx";
import { Section } from "../controls/section.tsx";
import { Table } from "../controls/table.tsx";
import { aheadAt, quarters, stepOf, stepsMax } from "./clock-scale.ts";
import { sandboxWords } from "./words-sandbox.ts";

const say = sandboxWords.clock;
/** Lines of the list that are shown at first. */
const linesMax = 8;

export type Due = { data: DueMark[]; until: number | null };
type Props = {
  clock: DashboardClock;
  due: Due;
  isBusy: boolean;
  /** Null: the member may not move the clock. */
  onMove: ((aheadMs: number) => void) | null;
  /** Between the slider and the list. */
  children?: ComponentChildren;
};

/** What becomes due, as marks above a slider that moves the clock, and as a list. */
export function Timeline({ clock, due, isBusy, onMove, children }: Props) {
  const [aheadMs, setAheadMs] = useState(0);
  const slider = useRef<HTMLInputElement>(null);
  // A moved clock starts at its new time.
  useEffect(() => setAheadMs(0), [clock.now]);
  const marks = due.data.map((mark) => ({ ...mark, ahead: Math.max(0, mark.lastAt - clock.now) }));
  const happening = marks.filter(({ ahead }) => aheadMs > 0 && ahead <= aheadMs);
  return (
    <>
      <section class="timeline" aria-labelledby="timeline-title">
        <h2 id="timeline-title">{say.timeline}</h2>
        <p class="quiet">
          {onMove === null ? say.timelineRead : say.timelineLead}{" "}
          {onMove === null ? null : <span class="keyboard-hint">{say.timelineKeys}</span>}
        </p>
        {marks.length === 0 ? <p class="timeline-none quiet">{say.nothingDue}</p> : <Lanes {...{ marks, aheadMs }} />}
        {onMove === null ? (
          <Ticks />
        ) : (
          <>
            <Slider {...{ slider, aheadMs, marks, now: clock.now }} onChange={setAheadMs} />
            <Ticks />
            <div class="timeline-go">
              <p>
                <strong>{aheadMs === 0 ? say.chooseTime : <Time at={clock.now + aheadMs} />}</strong>{" "}
                <span class="quiet">
                  {aheadMs === 0 ? "" : `+${say.duration(aheadMs)} · ${said(happening) || say.nothingUntil}`}
                </span>
              </p>
              <Button
                label={say.moveHere}
                look="main"
                isBusy={isBusy}
                // Never disabled, so that it keeps the focus after a move.
                onClick={() => (aheadMs === 0 ? slider.current?.focus() : onMove(aheadMs))}
              />
            </div>
          </>
        )}
      </section>
      {children}
      {marks.length === 0 ? null : <DueList {...{ due, clock, isBusy, onMove }} />}
    </>
  );
}

type Mark = DueMark & { ahead: number };

/** What happens until a time, by kind, such as "2 codes expire". */
function said(marks: readonly DueMark[]): string {
  return dueKinds
    .flatMap((kind) => {
      const count = marks.reduce((sum, mark) => sum + (mark.kind === kind ? mark.count : 0), 0);
      return count === 0 ? [] : [say.due[kind](count)];
    })
    .join(", ");
}

/** Marks closer than this are drawn as one, in steps of the scale. On a phone, the scale is a third as wide. */
const clusterSteps = () => (window.matchMedia("(max-width: 40rem)").matches ? 80 : 25);

/** Joins marks that would cover each other. The joined mark is at the time of the last one. */
function clusters(marks: readonly Mark[]): { ahead: number; count: number }[] {
  const near = clusterSteps();
  const joined: { first: number; ahead: number; count: number }[] = [];
  for (const { ahead, count } of [...marks].sort((a, b) => a.ahead - b.ahead)) {
    const last = joined.at(-1);
    if (last === undefined || stepOf(ahead) - stepOf(last.first) > near) joined.push({ first: ahead, ahead, count });
    else {
      last.ahead = ahead;
      last.count += count;
    }
  }
  return joined;
}

/** A line of marks for each kind. The list says the same for screen readers. */
function Lanes({ marks, aheadMs }: { marks: readonly Mark[]; aheadMs: number }) {
  const kinds = dueKinds.filter((kind) => marks.some((mark) => mark.kind === kind));
  return (
    <div class="lanes" aria-hidden="true">
      {kinds.map((kind) => (
        <div key={kind} class="lane">
          <span class="lane-name">{say.lanes[kind]}</span>
          <span class="lane-track">
            {clusters(marks.filter((mark) => mark.kind === kind)).map(({ ahead, count }) => (
              <span
                key={ahead}
                class={`due ${aheadMs > 0 && ahead <= aheadMs ? "happening" : ""}`}
                style={{ "--at": `${(stepOf(ahead) / stepsMax) * 100}%` }}
              >
                {count === 1 ? "" : count}
              </span>
            ))}
          </span>
        </div>
      ))}
    </div>
  );
}

/** The last time of each minute that has marks, so that one move reaches all marks of that minute. */
function stopsOf(marks: readonly Mark[]): number[] {
  const byMinute = new Map<number, number>();
  for (const { ahead } of marks) {
    const minute = Math.floor(ahead / minuteMs);
    byMinute.set(minute, Math.max(byMinute.get(minute) ?? 0, ahead));
  }
  return [...byMinute.values()].sort((a, b) => a - b);
}

type SliderProps = {
  slider: RefObject<HTMLInputElement | null>;
  aheadMs: number;
  marks: readonly Mark[];
  now: number;
  onChange(aheadMs: number): void;
};

/** The arrow keys go from mark to mark. Page Up and Page Down go a hundredth of the scale. */
function Slider({ slider, aheadMs, marks, now, onChange }: SliderProps) {
  const stops = stopsOf(marks);
  const until = said(marks.filter(({ ahead }) => aheadMs > 0 && ahead <= aheadMs));
  const onKeyDown = (event: KeyboardEvent) => {
    const isForward = event.key === "ArrowRight" || event.key === "ArrowUp";
    if (!isForward && event.key !== "ArrowLeft" && event.key !== "ArrowDown") return;
    const next = isForward ? stops.find((one) => one > aheadMs) : (stops.findLast((one) => one < aheadMs) ?? 0);
    // After the last mark, the browser's own steps go on.
    if (next === undefined) return;
    event.preventDefault();
    onChange(next);
  };
  return (
    <div class="timeline-slider">
      <input
        ref={slider}
        type="range"
        min={0}
        max={stepsMax}
        value={Math.round(stepOf(aheadMs))}
        aria-label={say.slider}
        aria-valuetext={
          aheadMs === 0
            ? say.atNow
            : `${say.in(say.duration(aheadMs))}, ${say.full(now + aheadMs)}. ${until || say.nothingUntil}`
        }
        onInput={(event) => onChange(aheadAt(Number(event.currentTarget.value), stops))}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

function Ticks() {
  return (
    <div class="ticks" aria-hidden="true">
      {[0, ...quarters].map((at, place) => (
        <span key={at} style={{ "--at": `${(place / quarters.length) * 100}%` }}>
          {say.ticks[place]}
        </span>
      ))}
    </div>
  );
}

/** The same as the marks, in words. Each line moves the clock to its time. */
function DueList({ due, clock, isBusy, onMove }: Props) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? due.data : due.data.slice(0, linesMax);
  return (
    <Section id="due-list" title={say.list}>
      <Table
        class="blocks due-list"
        label={say.list}
        columns={[
          say.when,
          say.what,
          say.brand,
          ...(onMove === null ? [] : [{ title: say.moveHere, isTitleHidden: true } as const]),
        ]}
      >
        {shown.map(({ kind, at, lastAt, count, brandName }) => (
          <tr key={`${kind} ${at} ${brandName}`}>
            <th scope="row">
              {say.in(say.duration(Math.max(60_000, at - clock.now)))}{" "}
              <span class="quiet">
                <Time at={at} />
              </span>
            </th>
            <td>{say.due[kind](count)}</td>
            <td class="quiet">{brandName}</td>
            {onMove === null ? null : (
              <td>
                <Button
                  label={say.moveHere}
                  subject={`${say.full(at)}, ${say.due[kind](count)}`}
                  look="small"
                  isBusy={isBusy}
                  onClick={() => onMove(Math.max(1, lastAt - clock.now))}
                />
              </td>
            )}
          </tr>
        ))}
      </Table>
      {due.data.length > shown.length ? (
        <p class="pager">
          <Button label={say.showAll(due.data.length)} onClick={() => setWhole(true)} />
        </p>
      ) : null}
      {due.until === null ? null : (
        <p class="quiet">
          {say.until} <Time at={due.until} />.
        </p>
      )}
    </Section>
  );
}
