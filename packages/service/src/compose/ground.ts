import type { Config } from "../config/config.ts";
import type { Caller } from "../domain/deps.ts";
import type { Clock } from "../domain/ports.ts";
import type { Gate } from "../http/auth.ts";
import type { Metrics } from "../http/metrics.ts";
import type { Guard } from "../http/mount.ts";
import type { WebAssets } from "../http/wallet/assets.ts";
import type { Log } from "../log.ts";
import type { OpenDatabase } from "../store/database.ts";
import type { Signals } from "../store/signals.ts";
import type { Vault } from "../store/vault.ts";

/** What every environment of a process stands on. */
export type Ground = {
  config: Config;
  log: Log;
  store: OpenDatabase;
  signals: Signals;
  metrics: Metrics;
  vault: Vault;
  assets: WebAssets;
  /** The clock of what lies outside the environments. */
  realClock: Clock;
  /** Whether the process is about to stop. */
  presence: { isLeaving: boolean };
};
/** Who asks for what, for routes that one environment alone has. */
export type Guards = { gate: Gate; open: Guard<void>; brand: Guard<Caller> };
