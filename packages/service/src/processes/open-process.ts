/** A serving process: the only one, or one of several. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Group } from "../compose/resources.ts";
import type { Config } from "../config/config.ts";
import { linkFor } from "../domain/member/sign-in.ts";
import type { Log } from "../log.ts";
import { firstDemoCustomer } from "../providers/sandbox/demo.ts";
import { openService, type Running } from "../service.ts";
import { collectAfterStart, tuneMemory } from "./memory.ts";
import type { Grace } from "./stop.ts";

type ProcessOptions = { group: Group | null; offersLink: boolean };

/** Starts to serve. The caller holds the data directory. */
export async function openProcess(config: Config, log: Log, { group, offersLink }: ProcessOptions) {
  tuneMemory();
  const telemetry = config.tracesUrl === null ? null : await openTelemetry(log, { url: config.tracesUrl });
  const service = await openService(config, telemetry?.log ?? log, group);
  collectAfterStart();
  const { server, production, figures } = service.composed;
  return {
    ready: service.ready,
    missing: production?.missing ?? [],
    ...(offersLink ? await offerLink(config, service) : {}),
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
 * In DEMO mode, creates a sign-in link. It is printed on a terminal, or written to a file that only this user can read.
 */
async function offerLink(config: Config, { composed }: Running): Promise<{ signInLink?: string }> {
  const path = join(config.dataDir, "sign-in-link");
  await rm(path, { force: true });
  if (!config.demo) return {};
  const link = await linkFor(composed.accounts, firstDemoCustomer.email);
  if (process.stdout.isTTY) return { signInLink: link };
  await writeFile(path, `${link}\n`, { mode: 0o600 });
  return { signInLink: `the link in ${path}` };
}
