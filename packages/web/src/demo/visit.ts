/** What the visitor sees of one signup. */
import type { ServerCall } from "@countersign/contract/stage";
import { type ArrowId, begun, type Change, expectedRows, type Row, withRow } from "./arrows.ts";
import { freshPhone, type Scenario } from "./scenarios.ts";
import { movesLittle, openTimeline } from "./timeline.ts";

export type Text = { id: string; from: string; body: string };
/** What the brand's server did at the end, and why. `credentials`, `phone` and `insurance`: what it read. */
export type End = {
  isOpen: boolean;
  why: string;
  credentials: Record<string, unknown>;
  phone: string | undefined;
  insurance: string | undefined;
};
type NewLine = { call: ServerCall } | { said: string };
/** A line of the server's log: a call, or what the server did. */
export type Line = { key: number } & NewLine;

export type Visit = {
  /** Counts the signups of this page. */
  number: number;
  scenario: Scenario;
  /** The number that the person types. */
  phone: string;
  screen: "start" | "wallet" | "end";
  rows: readonly Row[];
  /** The arrow that changed last. */
  current: Row | undefined;
  lines: readonly Line[];
  texts: readonly Text[];
  end: End | undefined;
  /** Why the stage cannot go on. */
  trouble: string | undefined;
};

export type Ending = Change & { isRefused?: boolean };
/** Lights an arrow. Returns the function that ends it. */
export type Light = (arrow: ArrowId, change?: Change) => (ending?: Ending) => void;
export type Board = ReturnType<typeof openBoard>;

let number = 0;

/** The state of a signup. Its changes are shown one after another. */
export function openBoard(scenario: Scenario, onChange: (visit: Visit) => void) {
  number += 1;
  let visit: Visit = {
    number,
    scenario,
    phone: scenario.phone ?? freshPhone(),
    screen: "start",
    rows: expectedRows(scenario.expected),
    current: undefined,
    lines: [],
    texts: [],
    end: undefined,
    trouble: undefined,
  };
  let isReplay = false;
  const isQuick = () => isReplay || movesLittle();
  const timeline = openTimeline(isQuick);
  const update = (change: Partial<Visit>) => {
    visit = { ...visit, ...change };
    onChange(visit);
  };
  const later = (change: () => Partial<Visit>) => timeline.add(() => update(change()));
  const showRows = (rows: readonly Row[], key: number) => ({ rows, current: rows.find((row) => row.key === key) });
  const light: Light = (arrow, change = {}) => {
    let key = -1;
    later(() => {
      const next = begun(visit.rows, arrow, change);
      key = next.key;
      return showRows(next.rows, key);
    });
    return ({ isRefused = false, ...ending } = {}) =>
      later(() => showRows(withRow(visit.rows, key, { state: isRefused ? "refused" : "done", ...ending }), key));
  };
  return {
    get visit() {
      return visit;
    },
    update,
    later,
    light,
    addLine: (line: NewLine) => later(() => ({ lines: [...visit.lines, { key: visit.lines.length, ...line }] })),
    /** Whether everything that has happened is shown. */
    isIdle: timeline.isIdle,
    isQuick,
    /** Shows changes at once while the stage repeats what the visitor has seen. */
    replay(is: boolean): void {
      isReplay = is;
    },
    close: timeline.close,
  };
}
