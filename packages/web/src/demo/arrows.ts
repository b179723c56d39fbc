/** The arrows of the diagram: who calls whom, and what for. */

export const places = ["page", "server", "countersign", "phone", "sources"] as const;
export type Place = (typeof places)[number];

type Arrow = {
  from: Place;
  to: Place;
  title: string;
  /** The same as a sentence. `kind`: what the brand is, such as "bank". */
  sentence(kind: string): string;
};

// biome-ignore format: a table
export const arrows = {
  ask:      { from: "page",        to: "server",      title: "Asks for a session",      sentence: (kind) => `The ${kind}’s page asks its server for a session.` },
  session:  { from: "server",      to: "countersign", title: "Creates a session key",   sentence: (kind) => `The ${kind}’s server creates a session key. It works once.` },
  open:     { from: "page",        to: "countersign", title: "Opens the wallet",        sentence: (kind) => `The wallet opens in a frame of the ${kind}’s page.` },
  phone:    { from: "page",        to: "countersign", title: "Sends the phone number",  sentence: () => "The wallet sends the phone number." },
  resend:   { from: "page",        to: "countersign", title: "Asks for a new code",     sentence: () => "The wallet asks for a new code." },
  text:     { from: "countersign", to: "phone",       title: "Texts a code",            sentence: () => "Countersign texts a code to the phone." },
  later:    { from: "page",        to: "sources",     title: "Five minutes pass",       sentence: () => "Five minutes pass, for this signup only." },
  code:     { from: "page",        to: "countersign", title: "Sends the code",          sentence: () => "The wallet sends the code." },
  view:     { from: "page",        to: "countersign", title: "Asks what can be shared", sentence: () => "The phone is verified. The wallet asks what can be shared." },
  inputs:   { from: "page",        to: "countersign", title: "Answers a question",      sentence: () => "The wallet sends the answer to a question." },
  sources:  { from: "countersign", to: "sources",     title: "Risk and details",        sentence: () => "Countersign asks its sources about the risk and the details." },
  decision: { from: "page",        to: "countersign", title: "Shares",                  sentence: () => "The wallet sends the person’s decision." },
  search:   { from: "page",        to: "countersign", title: "Searches for insurance",  sentence: () => "The wallet asks for the person’s insurance." },
  payers:   { from: "countersign", to: "sources",     title: "Asks insurers",           sentence: () => "Countersign asks insurers." },
  plan:     { from: "page",        to: "countersign", title: "Shares a plan",           sentence: () => "The wallet sends the chosen plan." },
  result:   { from: "page",        to: "server",      title: "Reports the result",      sentence: (kind) => `The ${kind}’s page reports the result to its server.` },
  read:     { from: "server",      to: "countersign", title: "Reads the details",       sentence: (kind) => `The ${kind}’s server reads what the person shared.` },
  health:   { from: "server",      to: "countersign", title: "Reads the insurance",     sentence: (kind) => `The ${kind}’s server reads the insurance.` },
  end:      { from: "server",      to: "page",        title: "Answers",                 sentence: (kind) => `The ${kind}’s server answers its page.` },
} satisfies Record<string, Arrow>;
export type ArrowId = keyof typeof arrows;

/** `expected`: it has not happened yet. `running`: the call has no answer yet. */
export type RowState = "expected" | "running" | "done" | "refused";

/** One arrow of a signup. */
export type Row = {
  key: number;
  arrow: ArrowId;
  state: RowState;
  title: string;
  /** The answer, such as "201 · 12 ms". */
  answer?: string;
  /** What the caption says of the answer, if it has other words. */
  result?: string;
};

/** What is known about a call that has begun or ended. */
export type Change = { title?: string; answer?: string; result?: string };

/** The rows of a signup before it begins. */
export function expectedRows(ids: readonly ArrowId[]): Row[] {
  return ids.map((arrow, key) => ({ key, arrow, state: "expected", title: arrows[arrow].title }));
}

/**
 * Marks the next expected arrow of a kind as begun. If none is expected here, inserts one after the last arrow that has
 * begun, because the visitor may act differently. Returns the rows and the arrow's key.
 */
export function begun(rows: readonly Row[], arrow: ArrowId, change: Change = {}): { rows: Row[]; key: number } {
  const last = rows.findLastIndex(({ state }) => state !== "expected");
  const at = rows.findIndex((row, index) => index > last && row.arrow === arrow && row.state === "expected");
  if (at >= 0) {
    const key = rows[at]?.key ?? 0;
    return { rows: withRow(rows, key, { state: "running", ...change }), key };
  }
  const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
  const row: Row = { key, arrow, state: "running", title: arrows[arrow].title, ...change };
  return { rows: rows.toSpliced(last + 1, 0, row), key };
}

export function withRow(rows: readonly Row[], key: number, change: Partial<Row>): Row[] {
  return rows.map((row) => (row.key === key ? { ...row, ...change } : row));
}

/** The sentence about an arrow, for the caption and screen readers. */
export function sentenceOf({ arrow, answer, result, state }: Row, kind: string): string {
  const { sentence }: Arrow = arrows[arrow];
  const said = sentence(kind);
  if (state === "running" || answer === undefined || result === "") return said;
  return result === undefined ? `${said.slice(0, -1)} (${answer}).` : `${said.slice(0, -1)}: ${result}.`;
}
