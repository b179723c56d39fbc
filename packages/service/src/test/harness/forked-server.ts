/** Runs the server of a document as a process of its own. */
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { after } from "node:test";
import { eventually } from "./eventually.ts";

/** Takes the place of a document's call of `listen`: the system chooses the port, and the server tells it to the test. */
export const listenAnywhere = "listen(0, function () { process.send?.(this.address().port) })";

/** Starts a script that uses `listenAnywhere`. It is stopped when the test file is done. */
export async function forkedServer(path: string, { env, cwd }: { env?: Record<string, string>; cwd?: string } = {}) {
  const child = fork(path, { cwd, env: { ...process.env, ...env }, silent: true });
  const exited = once(child, "exit");
  const said = { out: "", err: "" };
  child.stdout?.setEncoding("utf8").on("data", (part) => {
    said.out += part;
  });
  child.stderr?.setEncoding("utf8").on("data", (part) => {
    said.err += part;
  });
  after(async () => {
    child.kill();
    await exited;
  });
  const [port] = await Promise.race([
    once(child, "message"),
    exited.then(([code]) => assert.fail(`${path} ended with ${code}: ${said.err}`)),
  ]);
  return {
    url: `http://127.0.0.1:${port}`,
    /** What the server has printed. A test can empty it. */
    said,
    /** Waits until what the server has printed matches. It can arrive later than the answer to a request. */
    printed: (to: keyof typeof said, pattern: RegExp) => eventually(async () => pattern.exec(said[to]) ?? undefined),
  };
}
