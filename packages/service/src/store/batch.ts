import { isConnectionLost } from "./outage.ts";

/** Maximum batches at the same time. While one waits for a lock, another can run. */
const batchesMax = 2;
const batchMax = 100;

type Waiting<What, Answer> = {
  what: What;
  /** A batch contains at most one call with this key. */
  key: string | undefined;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
};
type State<What, Answer> = { waiting: Waiting<What, Answer>[]; underWay: number; isPlanned: boolean };

/**
 * Batches calls: one statement reads or writes for all calls made since the previous batch started. A call never waits
 * for more calls to arrive, and resolves when its batch is done. If a batch is rejected, it is split in half until only
 * the failing calls fail. After a lost connection the batch is not repeated, because it may have succeeded.
 *
 * `apart` returns the key of a call. A batch contains at most one call per key, because a statement can change a row
 * only once.
 */
export function batched<On extends object, What, Answer>(
  together: (on: On, all: readonly What[]) => Promise<readonly Answer[]>,
  apart?: (what: What) => string,
): (on: On, what: What) => Promise<Answer> {
  const states = new WeakMap<On, State<What, Answer>>();

  const done = async (on: On, batch: readonly Waiting<What, Answer>[]): Promise<void> => {
    try {
      const answers = await together(
        on,
        batch.map(({ what }) => what),
      );
      if (answers.length !== batch.length) throw new Error("a batch must return one result per request");
      for (const [at, one] of batch.entries()) one.resolve(answers[at] as Answer);
    } catch (error) {
      if (batch.length > 1 && !isConnectionLost(error)) for (const half of halvesOf(batch)) await done(on, half);
      else for (const one of batch) one.reject(error);
    }
  };
  const flush = (on: On, state: State<What, Answer>) => {
    state.isPlanned = false;
    while (state.waiting.length > 0 && state.underWay < batchesMax) {
      state.underWay += 1;
      const batch = takeBatch(state);
      void done(on, batch).finally(() => {
        state.underWay -= 1;
        flush(on, state);
      });
    }
  };
  return (on, what) => {
    const state = states.get(on) ?? { waiting: [], underWay: 0, isPlanned: false };
    states.set(on, state);
    return new Promise((resolve, reject) => {
      state.waiting.push({ what, key: apart?.(what), resolve, reject });
      if (state.isPlanned) return;
      state.isPlanned = true;
      setImmediate(flush, on, state);
    });
  };
}

const halvesOf = <One>(all: readonly One[]): One[][] => {
  const middle = Math.ceil(all.length / 2);
  return [all.slice(0, middle), all.slice(middle)];
};

/** Takes the calls that have waited longest, at most one per key. */
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
