import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Config, readConfig, roles as roleNames } from "../config/config.ts";
import { linkFor } from "../domain/member/sign-in.ts";
import { openLog } from "../log.ts";
import { firstDemoCustomer } from "../providers/sandbox/demo.ts";
import type { Running } from "../service.ts";
import { command, exits } from "./arguments.ts";
import { welcome } from "./welcome.ts";

/** How long a stop may take before the process exits anyway. */
const stopDeadlineMs = 9_500;

export const start = command("start")
  .description("run the service, or only some of its roles")
  .option("--roles <roles>", `all, or a comma-separated list of ${roleNames.join(",")}`)
  .action(exits(runService));

/** Runs the service until it is told to stop. */
async function runService({ roles }: { roles?: string | undefined }): Promise<number> {
  const config = readConfig(undefined, roles === undefined ? {} : { ROLES: roles });
  const log = openLog(config.logLevel);
  // Load the service and tracing here, so that other commands and untraced processes start without them.
  const { startService } = await import("../service.ts");
  const tracing =
    config.tracesUrl === null ? null : (await import("../tracing.ts")).openTracing({ url: config.tracesUrl });
  const service = await startService(config, log);
  const { server, production } = service.composed;
  const missing = production?.missing ?? [];
  const about = { node: process.version, database: server.kind, missing };
  const { signInLink } = await offerLink(config, service);
  process.stdout.write(welcome(service.ready, { ...about, signInLink }));
  const signal = await new Promise<string>((resolve) => {
    for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(name, () => resolve(name));
  });
  log.info("stopping", { signal });
  const cut = setTimeout(() => process.exit(1), config.stopDelayMs + stopDeadlineMs);
  await service.stop();
  await tracing?.close();
  clearTimeout(cut);
  log.flush();
  return 0;
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
