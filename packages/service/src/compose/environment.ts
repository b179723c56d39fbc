/** What both environments share: listeners, administration and a worker, around each environment's own adapters. */

import type { Approval } from "@countersign/contract/brand";
import type { FastifyInstance } from "fastify";
import { openKeyRing } from "../domain/brand/key-ring.ts";
import type { AdminDeps } from "../domain/brand/manage.ts";
import type { Deps } from "../domain/deps.ts";
import { expirySweeps, hourlySweeps } from "../domain/retention/sweep.ts";
import type { Gate } from "../http/auth.ts";
import { type Sweeper, startSweeper } from "../jobs/sweeper.ts";
import { startWorker, type Worker } from "../jobs/worker.ts";
import { systemClock } from "../providers/system.ts";
import { queueState } from "../store/queue.ts";
import { composeApi, composeWallet, type Quotas } from "./listeners.ts";
import type { Guards, Resources } from "./resources.ts";

export type Environment = {
  app: FastifyInstance;
  wallet: FastifyInstance;
  deps: Deps;
  admin: AdminDeps;
  worker: Worker;
  sweeper: Sweeper;
  gate: Gate;
  /** For routes that only this environment has. */
  guards: Guards;
  close(): Promise<void>;
};
type About = {
  /** All dependencies except the ones that this function creates. */
  deps: Omit<Deps, "worker" | "realClock">;
  quotas: Quotas;
  /** The approval that a brand needs before any of its keys works. Null: none. */
  needs: Approval | null;
  consentDeclared: boolean;
  dashboardUrl(): string;
  /** Closes the adapters. */
  closeAdapters(): Promise<void>;
};

export async function composeEnvironment(resources: Resources, about: About): Promise<Environment> {
  const { config, log, store, signals, metrics } = resources;
  const { environment, clock } = about.deps;
  // The worker runs jobs with these dependencies, and flows find the worker in them.
  const deps: Deps = {
    ...about.deps,
    realClock: resources.realClock,
    get worker() {
      return worker;
    },
  };
  const worker: Worker = startWorker(deps, {
    realNow: systemClock.now,
    log,
    isOn: config.roles.has("worker"),
    holder: signals.holder,
  });
  const countFailed = metrics.watchSweeps(environment, Object.keys({ ...expirySweeps, ...hourlySweeps }));
  const sweeper = startSweeper(deps, {
    isOn: config.roles.has("worker"),
    onFailure: (sweeps, error) => {
      countFailed(sweeps);
      log.error("sweeps failed", { environment, sweeps, error: error instanceof Error ? error.name : "unknown" });
    },
  });
  metrics.watchQueue(environment, () => queueState(store.db, environment, clock.now()));
  const { consentDeclared, needs, quotas, dashboardUrl } = about;
  const offersHealth = deps.offers.health;
  const admin: AdminDeps = { ...deps, consentDeclared, offersHealth, changed: signals.changed };
  const keys = openKeyRing({ home: store.home, signals, clock, environment });
  const api = await composeApi(resources, { deps, keys, needs, quotas });
  const wallet = composeWallet(resources, { deps, gate: api.gate, dashboardUrl });
  return {
    app: api.app,
    wallet: wallet.app,
    gate: api.gate,
    guards: api.guards,
    deps,
    admin,
    worker,
    sweeper,
    async close() {
      await Promise.all([api.app.close(), wallet.app.close()]);
      await Promise.all([worker.stop(), sweeper.stop()]);
      await about.closeAdapters();
      await Promise.all([api.closeLog(), wallet.closeLog()]);
    },
  };
}
