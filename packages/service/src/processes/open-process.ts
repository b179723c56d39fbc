/** A serving process: the only one, or one of several. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Server } from "../compose/database.ts";
import type { Group } from "../compose/resources.ts";
import type { Config } from "../config/config.ts";
import { linkFor } from "../domain/member/sign-in.ts";
import { inviteOperator } from "../domain/operator/operators.ts";
import type { Log } from "../log.ts";
import { demoOperator, firstDemoCustomer } from "../providers/sandbox/demo.ts";
import { openService, type Running } from "../service.ts";
import { collectAfterStart, tuneMemory } from "./memory.ts";
import type { Grace } from "./stop.ts";

/** `server`: the database's server, if it is starting already. */
type ProcessOptions = { group: Group | null; offersLink: boolean; server?: Promise<Server> };

/** Starts to serve. The caller holds the data directory. */
export async function openProcess(config: Config, log: Log, { group, offersLink, server: opening }: ProcessOptions) {
  tuneMemory();
  const telemetry = config.tracesUrl === null ? null : await openTelemetry(log, { url: config.tracesUrl });
  const service = await openService(config, telemetry?.log ?? log, group, opening);
  collectAfterStart();
  const { server, production, figures } = service.composed;
  return {
    ready: service.ready,
    missing: production?.missing ?? [],
    ...(offersLink ? await offerLinks(config, service) : {}),
    database: server.kind,
    figures,
    async stop(grace?: Grace) {
      await service.stop(grace);
      await telemetry?.close();
    },
  };
}

/** Loads these libraries on demand, so that processes without a collector start faster. */
async function openTelemetry(log: Log, collector: { url: string }) {
  const [{ openTracing }, { exportLog }] = await Promise.all([import("../tracing.ts"), import("../exported-log.ts")]);
  const tracing = openTracing(collector);
  const exported = exportLog(log, collector);
  return {
    log: exported.log,
    async close() {
      await Promise.all([tracing.close(), exported.close()]);
    },
  };
}

/**
 * In DEMO mode, creates sign-in links for the dashboard and the console. They are printed on a terminal, or written to
 * files that only this user can read.
 */
async function offerLinks(
  config: Config,
  { composed: { accounts } }: Running,
): Promise<{ signInLink?: string; operatorLink?: string }> {
  const paths = {
    signInLink: join(config.dataDir, "sign-in-link"),
    operatorLink: join(config.dataDir, "operator-link"),
  };
  for (const path of Object.values(paths)) await rm(path, { force: true });
  if (!config.demo) return {};
  const links = {
    signInLink: await linkFor(accounts, firstDemoCustomer.email),
    ...(accounts.addresses.operatorUrl === null
      ? {}
      : { operatorLink: (await inviteOperator(accounts, demoOperator)).link }),
  };
  if (process.stdout.isTTY) return links;
  const offered: Partial<typeof paths> = {};
  for (const name of ["signInLink", "operatorLink"] as const) {
    if (links[name] === undefined) continue;
    await writeFile(paths[name], `${links[name]}\n`, { flag: "wx", mode: 0o600 });
    offered[name] = `the link in ${paths[name]}`;
  }
  return offered;
}
