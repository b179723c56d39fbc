import { readRetention } from "@countersign/contract/console-retention";
import { readConsoleStatus, readConsoleTraffic } from "@countersign/contract/console-status";
import { readVendors } from "@countersign/contract/console-vendors";
import type { FastifyInstance } from "fastify";
import { isAnyRotating, listFailing, readMasterKeys, readSweeps, sumDue } from "../../domain/operator/retention.ts";
import { databaseStatus, environmentStatus, trafficOverTime } from "../../domain/operator/status.ts";
import { type Console, mountStaff } from "./guard.ts";

/** The service's state: figures of the databases, and of this process's calls to vendors. */
export function routesStatus(app: FastifyInstance, console: Console): void {
  const { accounts, vendors, newest } = console;
  const environments = () => Object.values(console.environments);
  const startedAt = () => Math.round(accounts.clock.now() - process.uptime() * 1000);
  mountStaff(app, console, readConsoleStatus, async () => ({
    at: accounts.clock.now(),
    version: console.version,
    node: process.version,
    startedAt: startedAt(),
    environments: await Promise.all(environments().map(environmentStatus)),
    failingSweeps: (await Promise.all(environments().map(listFailing))).flat(),
    pausedVendors: newest.paused(),
    badCertificates: newest.badCertificates(accounts.clock.now()),
    databases: await databaseStatus(accounts),
    isRotating: await isAnyRotating(accounts),
  }));
  mountStaff(app, console, readConsoleTraffic, async () => ({
    data: await Promise.all(environments().map(trafficOverTime)),
  }));
  mountStaff(app, console, readVendors, async () => ({
    since: startedAt(),
    hasProduction: console.environments.production !== undefined,
    vendors: vendors.map(({ purpose, vendor }) => ({ purpose, vendor, ...newest.read(vendor ?? "") })),
  }));
  mountStaff(app, console, readRetention, async () => ({
    sweeps: (await Promise.all(environments().map(readSweeps))).flat(),
    due: (await Promise.all(environments().map(sumDue))).flat(),
    ...(await readMasterKeys(accounts)),
  }));
}
