/** The log of failures. An outage is one line without stack frames, because its cause is not in the code. */
import { outageOf } from "../domain/failure.ts";
import { breakdownOf, type Log } from "../log.ts";
import { readCommitState, whyUnsafe } from "../store/failover/standby.ts";
import { isRetiredMasterKey } from "../store/master-key-rows.ts";
import { CommitUnconfirmed } from "../store/outage.ts";
import type { Resources } from "./resources.ts";

type Fields = Record<string, unknown>;

/** An outage is a warning. Any other failure is an error with its frames. */
export function logBreakdown(log: Log, message: string, error: unknown, fields: Fields = {}): void {
  if (outageOf(error) === null) log.error(message, { ...fields, ...breakdownOf(error) });
  else log.warn(message, { ...fields, ...withoutFrames(error) });
}

/** Logs a request that ended with 5xx. `status` 503 is an outage, and one line. */
export function breakdownLog({ log, store }: Pick<Resources, "log" | "store">) {
  /** One read of the standbys serves all requests that fail during it. */
  let reading: Promise<Fields> | null = null;
  const standbys = () => {
    reading ??= readStandbys(store).finally(() => {
      reading = null;
    });
    return reading;
  };
  return (error: unknown, requestId: string, status: number): void => {
    if (status !== 503) log.error("unhandled error in request", { requestId, ...breakdownOf(error) });
    else if (isRetiredMasterKey(error))
      log.error("this process wraps keys with a retired master key: restart it with the new MASTER_KEY", { requestId });
    else if (error instanceof CommitUnconfirmed)
      void standbys().then((state) => log.warn("no standby confirmed a change in time", { requestId, ...state }));
    else log.warn("request refused during an outage", { requestId, ...withoutFrames(error) });
  };
}

function withoutFrames(error: unknown): Fields {
  const { frames: _frames, ...kind } = breakdownOf(error);
  return kind;
}

/** The standbys that commits wait for, and how many confirm now. Empty if the database cannot tell. */
async function readStandbys({ db }: Resources["store"]): Promise<Fields> {
  try {
    const state = await readCommitState(db);
    return { standbys: state.names, confirming: state.confirming, why: whyUnsafe(state) };
  } catch {
    return {};
  }
}
