import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

/** The CPU core of a process. Measured processes do not share a core with measuring ones. */
export type Core = "measured" | "measuring";
const cores: Record<Core, string> = { measured: "0", measuring: "1" };
const canPin = spawnSync("taskset", ["-c", "1", "true"]).status === 0;

/** A separate process that is controlled by messages. */
export type Contestant = { pid: number; ask<Answer>(question: object): Promise<Answer>; stop(): Promise<void> };

/** Starts a file of this folder and waits for its first message. The process ends when this process ends. */
export async function startContestant<Ready>(
  file: string,
  args: readonly string[],
  core: Core,
): Promise<Contestant & { ready: Ready }> {
  const child = fork(resolve(import.meta.dirname, file), args, {
    // A measured process writes logs that nobody reads. What a measuring process writes says why it ended.
    stdio: ["ignore", "ignore", core === "measuring" ? "inherit" : "ignore", "ipc"],
    env: { ...process.env, NODE_ENV: "production" },
    execArgv: process.env.BENCH_FLAGS?.split(" ") ?? [],
  });
  if (canPin) spawnSync("taskset", ["-a", "-c", "-p", cores[core], `${child.pid}`]);
  const ended = once(child, "exit").then(([code]): never => {
    throw new Error(`${file} ended with ${code}`);
  });
  ended.catch(() => {});
  const answer = async <Answer>(): Promise<Answer> => {
    const [message] = await Promise.race([once(child, "message"), ended]);
    return message;
  };
  return {
    ready: await answer<Ready>(),
    pid: child.pid ?? 0,
    async ask<Answer>(question: object) {
      const answered = answer<Answer>();
      child.send(question);
      return await answered;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.disconnect();
      await ended.catch(() => {});
    },
  };
}
