/** What both environments share: listeners, administration and a worker, around each environment's own adapters. */

import type { FastifyInstance } from "fastify";
import { openKeyRing } from "../domain/brand/key-ring.ts";
import type { AdminDeps } from "../domain/brand/manage.ts";
import type { Deps, HomeDeps, Policy, Vendors } from "../domain/deps.ts";
import { listFailing } from "../domain/operator/retention.ts";
import { writeTextResults } from "../domain/verification/texts/text-result-rows.ts";
import type { Gate } from "../http/auth.ts";
import { type Sweeper, startHomeSweeper, startSweeper } from "../jobs/sweeper.ts";
import { sweepersTogether, workersTogether } from "../jobs/together.ts";
import { startWorker, type Worker } from "../jobs/worker.ts";
import { systemClock } from "../providers/system.ts";
import { queueStates } from "../store/queue.ts";
import { composeCells, depsOf } from "./cells.ts";
import { closeAll } from "./close-all.ts";
import { composeApi, composeWallet, type Quotas } from "./listeners.ts";
import type { Guards, Resources } from "./resources.ts";

export type Environment = {
  app: FastifyInstance;
  wallet: FastifyInstance;
  /** What all cells share. */
  homeDeps: HomeDeps;
  /** The dependencies of cell 0. */
  deps: Deps;
  /** The cells that are open. */
  cells: readonly Cell[];
  admin: AdminDeps;
  /** The workers and the sweepers of all cells, and the sweeper of home. */
  worker: Pick<Worker, "runDue" | "ran" | "stop">;
  sweeper: Pick<Sweeper, "sweep">;
  gate: Gate;
  /** For routes that only this environment has. */
  guards: Guards;
  close(): Promise<void>;
};
/** What a test replaces with fakes. */
export type Faked = Partial<Pick<HomeDeps, "random" | "phones" | "codes" | "vault" | "addresses">> & {
  vendors?: Partial<Vendors>;
  policy?: Partial<Policy>;
};
export type EnvironmentOptions = {
  /** All dependencies except the ones that this function creates. */
  deps: Omit<Deps, "worker" | "realClock" | "cells" | "ownKeyed" | "takesNew">;
  quotas: Quotas;
  consentDeclared: boolean;
  dashboardUrl(): string;
  /** The sandbox's URLs. The documentation names them in both environments. */
  documented: HomeDeps["addresses"];
  /** Closes the adapters. */
  closeAdapters(): Promise<void>;
};

export async function composeEnvironment(resources: Resources, options: EnvironmentOptions): Promise<Environment> {
  const { store, signals, metrics } = resources;
  const { environment, clock } = options.deps;
  const { db, ...adapters } = options.deps;
  const open = new Map<number, Deps>();
  const homeDeps: HomeDeps = {
    ...adapters,
    realClock: resources.realClock,
    get cells() {
      return chosen;
    },
  };
  const chosen = composeCells(homeDeps, { open, listed: resources.cells.listed });
  const sweeping = sweeperOptions(resources, homeDeps);
  const begin = cellStarter(resources, homeDeps, sweeping);
  const first = begin({ number: 0, db, ownKeyed: store.keyed, processNumber: signals.processNumber });
  const { deps } = first;
  const cells: Cell[] = [first];
  open.set(0, deps);
  resources.cells.onOpen(({ number, store: { db, keyed }, processNumber }) => {
    const cell = begin({ number, db, ownKeyed: keyed, processNumber });
    cells.push(cell);
    open.set(number, cell.deps);
  });
  const worker = workersTogether(() => cells.map((cell) => cell.worker));
  const homeSweeper = startHomeSweeper(deps, sweeping({}));
  const sweeper = sweepersTogether(() => [homeSweeper, ...cells.map((cell) => cell.sweeper)]);
  const { consentDeclared, quotas, dashboardUrl, documented } = options;
  metrics.watchQueue(environment, () =>
    queueStates(
      cells.map((cell) => cell.deps.db),
      environment,
      clock.now(),
    ),
  );
  const databases = () => chosen.all().map((cell) => cell.db);
  const { loopbackRedirects, namesWait, offers } = homeDeps.policy;
  const admin: AdminDeps = {
    ...homeDeps,
    cells: databases,
    outbound: homeDeps.vendors.outbound,
    changed: signals.changed,
    acceptsStateIds: async () => (await homeDeps.vendors.stateIds.authorities()).length > 0,
    ...{ consentDeclared, loopbackRedirects, namesWait, offersHealth: offers.health },
  };
  const keys = openKeyRing({ home: store.home, signals, clock, environment });
  const documentedUrls = () => [documented.apiUrl, documented.walletUrl, dashboardUrl()] as const;
  const api = await composeApi(resources, { homeDeps, keys, quotas, documentedUrls });
  const wallet = composeWallet(resources, { homeDeps, gate: api.gate, dashboardUrl });
  return {
    app: api.app,
    wallet: wallet.app,
    gate: api.gate,
    guards: api.guards,
    homeDeps,
    deps,
    cells,
    admin,
    worker,
    sweeper,
    close: () =>
      closeAll(
        [() => api.app.close(), () => wallet.app.close()],
        [() => worker.stop(), () => sweeper.stop()],
        [() => options.closeAdapters()],
        [
          () => api.closeLog(),
          () => wallet.closeLog(),
          ...cells.map(
            ({ deps: { db } }) =>
              () =>
                writeTextResults(db),
          ),
        ],
      ),
  };
}

/** One cell of an environment: its dependencies, and what works on it. */
export type Cell = { deps: Deps; worker: Worker; sweeper: Sweeper };

type SweeperOptions = ReturnType<typeof sweeperOptions>;

/** Returns the options of a sweeper. Its failures are exported, and logged with `about`. */
function sweeperOptions({ config, log, metrics }: Resources, homeDeps: HomeDeps) {
  const { environment } = homeDeps;
  const isOn = config.roles.has("worker");
  metrics.watchSweeps(environment, async () => (await listFailing(homeDeps)).map(({ sweep }) => sweep));
  return (about: Record<string, unknown>) => ({
    isOn,
    onFailure(sweeps: readonly string[], error: unknown) {
      const name = error instanceof Error ? error.name : "unknown";
      log.error("sweeps of expired data failed", { environment, ...about, sweeps, error: name });
    },
  });
}

/**
 * Returns a function that starts the worker and the sweeper of a cell. `processNumber`: this process's number there.
 */
function cellStarter(
  { config, log, cells: { listed } }: Resources,
  homeDeps: HomeDeps,
  sweeperOptionsOf: SweeperOptions,
) {
  const isOn = config.roles.has("worker");
  type Store = Pick<Deps, "db" | "ownKeyed"> & { number: number; processNumber: number };
  return ({ processNumber, ...store }: Store): Cell => {
    // The worker runs jobs with these dependencies, which contain the worker itself.
    const deps = depsOf(homeDeps, store, { worker: () => worker, listed });
    const worker: Worker = startWorker(deps, { realNow: systemClock.now, log, isOn, processNumber });
    const sweeper = startSweeper(deps, sweeperOptionsOf({ cell: store.number }));
    return { deps, worker, sweeper };
  };
}
