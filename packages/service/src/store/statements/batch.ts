import { isConnectionLost } from "../outage.ts";

/** Maximum batches at the same time. While one waits for a lock, another can run. */
const batchesMax = 2;
const batchMax = 100;

type WaitingCall<Call, Result> = {
  call: Call;
  /** A batch contains at most one call with this key. */
  key: string | undefined;
  resolve(result: Result): void;
  reject(error: unknown): void;
};
type State<Call, Result> = { waiting: WaitingCall<Call, Result>[]; running: number; isScheduled: boolean };

/**
 * Batches calls: one statement reads or writes for all calls made since the previous batch started. A call never waits
 * for more calls to arrive, and resolves when its batch is done. If a batch is rejected, it is split in half until only
 * the failing calls fail. After a lost connection the batch is not repeated, because it may have succeeded.
 *
 * `keyOf` returns the key of a call. A batch contains at most one call per key, because a statement can change a row
 * only once.
 */
export function batched<On extends object, Call, Result>(
  runBatch: (on: On, calls: readonly Call[]) => Promise<readonly Result[]>,
  keyOf?: (call: Call) => string,
): (on: On, call: Call) => Promise<Result> {
  const states = new WeakMap<On, State<Call, Result>>();

  const settle = async (on: On, batch: readonly WaitingCall<Call, Result>[]): Promise<void> => {
    try {
      const results = await runBatch(
        on,
        batch.map(({ call }) => call),
      );
      if (results.length !== batch.length) throw new Error("a batch must return one result per call");
      for (const [at, waiting] of batch.entries()) waiting.resolve(results[at] as Result);
    } catch (error) {
      if (batch.length > 1 && !isConnectionLost(error)) for (const half of halvesOf(batch)) await settle(on, half);
      else for (const waiting of batch) waiting.reject(error);
    }
  };
  const flush = (on: On, state: State<Call, Result>) => {
    state.isScheduled = false;
    while (state.waiting.length > 0 && state.running < batchesMax) {
      state.running += 1;
      const batch = takeBatch(state);
      void settle(on, batch).finally(() => {
        state.running -= 1;
        flush(on, state);
      });
    }
  };
  return (on, call) => {
    const state = states.get(on) ?? { waiting: [], running: 0, isScheduled: false };
    states.set(on, state);
    return new Promise((resolve, reject) => {
      state.waiting.push({ call, key: keyOf?.(call), resolve, reject });
      if (state.isScheduled) return;
      state.isScheduled = true;
      setImmediate(flush, on, state);
    });
  };
}

const halvesOf = <One>(all: readonly One[]): One[][] => {
  const middle = Math.ceil(all.length / 2);
  return [all.slice(0, middle), all.slice(middle)];
};

/** Takes the calls that have waited longest, at most one per key. */
function takeBatch<Call, Result>(state: State<Call, Result>): WaitingCall<Call, Result>[] {
  const keys = new Set<string>();
  const batch: WaitingCall<Call, Result>[] = [];
  const left: WaitingCall<Call, Result>[] = [];
  for (const waiting of state.waiting) {
    const isRepeated = waiting.key !== undefined && keys.has(waiting.key);
    if (waiting.key !== undefined) keys.add(waiting.key);
    (batch.length < batchMax && !isRepeated ? batch : left).push(waiting);
  }
  state.waiting = left;
  return batch;
}
