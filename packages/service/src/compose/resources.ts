import type { Config } from "../config/config.ts";
import type { Caller } from "../domain/deps.ts";
import type { Clock } from "../domain/ports.ts";
import type { Gate } from "../http/auth.ts";
import type { Metrics } from "../http/metrics.ts";
import type { Guard } from "../http/mount.ts";
import type { WebAssets } from "../http/wallet/assets.ts";
import type { Log } from "../log.ts";
import type { KeyedStores } from "../store/cells/keyed.ts";
import type { OpenDatabase } from "../store/database.ts";
import type { Reports } from "../store/failover/replica.ts";
import type { Signals } from "../store/signals.ts";
import type { Vault } from "../store/vault.ts";
import type { CellStores } from "./cell-stores.ts";

/** Resources that all environments of a process share. */
export type Resources = {
  config: Config;
  log: Log;
  store: OpenDatabase;
  /** All cells except cell 0, which is in `store`. */
  cells: CellStores;
  /** Where keyed rows are. */
  keyed: KeyedStores;
  /** Where the dashboard's reports are read. */
  reports: Reports;
  signals: Signals;
  metrics: Metrics;
  vault: Vault;
  assets: WebAssets;
  /** The clock for everything outside the environments. */
  realClock: Clock;
  /** Whether the process is about to stop. */
  presence: { isLeaving: boolean };
  /** Null: this process runs alone. */
  group: Group | null;
};
/** The processes of one service that share ports. */
export type Group = {
  /** Whether all processes answer requests. */
  areReady(): boolean;
  /** The metrics of all of them, as text. `own` reads those of this process. */
  metrics(): Promise<string>;
  /** Resolves when the other processes have read the new time of the sandbox's clock. */
  clockMoved(): Promise<void>;
  /** Registers a function that reads the sandbox's clock after another process moved it. */
  onClockMoved(read: () => Promise<void>): void;
};
/** Checks of a request's caller, for routes that only one environment has. */
export type Guards = { gate: Gate; open: Guard<void>; brand: Guard<Caller> };
