import { isConnectionLost } from "./outage.ts";

/** Batches that are under way at once: while one waits for a lock, another goes on. */
const batchesMax = 2;
const batchMax = 100;

type Waiting<What, Answer> = {
  what: What;
  /** Of those with the same one at a time is in a batch. */
  key: string | undefined;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
};
type State<What, Answer> = { waiting: Waiting<What, Answer>[]; underWay: number; isPlanned: boolean };

/**
 * What is asked for one by one is done together: one statement reads or writes for everybody who asked since the batch
 * before began. Nobody waits for company, and each is answered once theirs is done. Where a batch is refused, its halves
 * are done, and theirs, so that it fails only whom it must; where the connection was lost it may be done already, and is
 * not repeated.
 *
 * `apart`: of those with the same key one at a time is in a batch, because one statement changes a row once.
 */
export function gathered<Ground extends object, What, Answer>(
  together: (ground: Ground, all: readonly What[]) => Promise<readonly Answer[]>,
  apart?: (what: What) => string,
): (ground: Ground, what: What) => Promise<Answer> {
  const states = new WeakMap<Ground, State<What, Answer>>();

  const done = async (ground: Ground, batch: readonly Waiting<What, Answer>[]): Promise<void> => {
    try {
      const answers = await together(
        ground,
        batch.map(({ what }) => what),
      );
      if (answers.length !== batch.length) throw new Error("a batch has an answer for each");
      for (const [at, one] of batch.entries()) one.resolve(answers[at] as Answer);
    } catch (error) {
      if (batch.length > 1 && !isConnectionLost(error)) for (const half of halvesOf(batch)) await done(ground, half);
      else for (const one of batch) one.reject(error);
    }
  };
  const flush = (ground: Ground, state: State<What, Answer>) => {
    state.isPlanned = false;
    while (state.waiting.length > 0 && state.underWay < batchesMax) {
      state.underWay += 1;
      const batch = takeBatch(state);
      void done(ground, batch).finally(() => {
        state.underWay -= 1;
        flush(ground, state);
      });
    }
  };
  return (ground, what) => {
    const state = states.get(ground) ?? { waiting: [], underWay: 0, isPlanned: false };
    states.set(ground, state);
    return new Promise((resolve, reject) => {
      state.waiting.push({ what, key: apart?.(what), resolve, reject });
      if (state.isPlanned) return;
      state.isPlanned = true;
      setImmediate(flush, ground, state);
    });
  };
}

const halvesOf = <One>(all: readonly One[]): One[][] => {
  const middle = Math.ceil(all.length / 2);
  return [all.slice(0, middle), all.slice(middle)];
};

/** Whoever waits longest, out of the line. */
function takeBatch<What, Answer>(state: State<What, Answer>): Waiting<What, Answer>[] {
  const keys = new Set<string>();
  const batch: Waiting<What, Answer>[] = [];
  const left: Waiting<What, Answer>[] = [];
  for (const one of state.waiting) {
    const isApart = one.key !== undefined && keys.has(one.key);
    if (one.key !== undefined) keys.add(one.key);
    (batch.length < batchMax && !isApart ? batch : left).push(one);
  }
  state.waiting = left;
  return batch;
}
