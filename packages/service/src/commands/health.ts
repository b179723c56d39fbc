import { readConfig } from "../config/config.ts";
import { command, exits } from "./arguments.ts";
import { terminal } from "./output.ts";
import { readReady } from "./ready.ts";

/** A check that takes longer than this fails, in milliseconds. */
const deadlineMs = 5_000;

export const health = command("health", "")
  .description("exit with 0 if the service on this machine is ready, otherwise with 1 and the reason")
  .action(exits(checkHealth));

async function checkHealth(): Promise<number> {
  const { dataDir } = readConfig();
  const ready = await readReady(dataDir);
  if (ready === null) return notHealthy(`no service is ready in ${dataDir}`);
  if (!isAlive(ready.pid)) return notHealthy(`the service's process ${ready.pid} has ended`);
  // A process without the API has no readiness endpoint. It is healthy as long as it runs.
  if (ready.readyzUrl === undefined) return 0;
  try {
    const { status } = await fetch(ready.readyzUrl, { redirect: "error", signal: AbortSignal.timeout(deadlineMs) });
    return status === 200 ? 0 : notHealthy(`${ready.readyzUrl} returned ${status}`);
  } catch {
    return notHealthy(`${ready.readyzUrl} did not respond`);
  }
}

function notHealthy(why: string): number {
  terminal.err(`${why}\n`);
  return 1;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process runs as another user, so it exists.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
