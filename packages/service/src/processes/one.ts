/** One process that serves: alone, or as one of several. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Group } from "../compose/resources.ts";
import type { Config } from "../config/config.ts";
import { linkFor } from "../domain/member/sign-in.ts";
import type { Log } from "../log.ts";
import { firstDemoCustomer } from "../providers/sandbox/demo.ts";
import { openService, type Running } from "../service.ts";
import type { Grace } from "./stop.ts";

type About = { group: Group | null; offersLink: boolean };

/** Starts to serve. The caller holds the data directory. */
export async function openProcess(config: Config, log: Log, { group, offersLink }: About) {
  // Load tracing here, so that untraced processes start without it.
  const tracing =
    config.tracesUrl === null ? null : (await import("../tracing.ts")).openTracing({ url: config.tracesUrl });
  const service = await openService(config, log, group);
  const { server, production, figures } = service.composed;
  return {
    ready: service.ready,
    missing: production?.missing ?? [],
    ...(offersLink ? await offerLink(config, service) : {}),
    database: server.kind,
    figures,
    async stop(grace?: Grace) {
      await service.stop(grace);
      await tracing?.close();
    },
  };
}

/** With DEMO on, creates a sign-in link: printed on a terminal, otherwise in a file that only its user can read. */
async function offerLink(config: Config, { composed }: Running): Promise<{ signInLink?: string }> {
  const path = join(config.dataDir, "sign-in-link");
  await rm(path, { force: true });
  if (!config.demo) return {};
  const link = await linkFor(composed.accounts, firstDemoCustomer.email);
  if (process.stdout.isTTY) return { signInLink: link };
  await writeFile(path, `${link}\n`, { mode: 0o600 });
  return { signInLink: `the link in ${path}` };
}
