// rest: installs the SDK under every runtime on this machine
/**
 * Runs the webhook functions and the server client of the packed SDK in each runtime that a brand's server may use. The
 * short form uses Node; the long form also Deno, Bun and the runtime of Cloudflare Workers.
 */
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { installIn } from "../../../../tools/installed.ts";
import { packInto, root, run } from "./packed.ts";

const folder = await mkdtemp(join(tmpdir(), "sdk-runtimes-"));
after(() => rm(folder, { recursive: true }));
await packInto(folder);

const check = `
import { countersignClient } from "./dist/esm/server.js";
import { signWebhook, verifyWebhook } from "./dist/esm/webhooks.js";

export async function check() {
  const body = JSON.stringify({ event: "1-click.health.lookup", healthDataUuid: "h" });
  const headers = new Headers(await signWebhook({ body, secret: "whsec_1" }));
  const { event } = await verifyWebhook({ body: new TextEncoder().encode(body), headers, secret: "whsec_1" });
  const wrong = await verifyWebhook({ body, headers, secret: "whsec_2" }).catch(({ reason }) => reason);
  const keys = [];
  const answer = async (url, init) => {
    // Throws for options that the runtime does not know.
    const { headers } = new Request(url, init);
    keys.push(headers.get("idempotency-key"));
    const again = keys.length === 1 ? { status: 503, headers: { "retry-after": "0" } } : { status: 201 };
    return new Response(JSON.stringify({ sessionKey: "k" }), again);
  };
  const api = countersignClient({ apiUrl: "https://api.example", apiKey: "k", fetch: answer });
  const { sessionKey } = await api.createSession({}, { signal: new AbortController().signal });
  return [event, wrong, sessionKey, keys.length, new Set(keys).size, keys[0].length].join(" ");
}
`;
const wanted = "1-click.health.lookup WRONG_SIGNATURE k 2 1 36";
const workerModule = `
import { check } from "./check.mjs";
export default { async test() {
  const said = await check();
  if (said !== ${JSON.stringify(wanted)}) throw new Error(said);
} };
`;

await writeFile(join(folder, "check.mjs"), check);
await writeFile(join(folder, "main.mjs"), 'import { check } from "./check.mjs";\nconsole.log(await check());\n');
await writeFile(join(folder, "worker.mjs"), workerModule);

/** The files of the worker, which its runtime reads from a list. */
function workerConfig(date: string): string {
  const paths = ["worker.mjs", "check.mjs", ...globSync("dist/esm/*.js", { cwd: folder })];
  const modules = paths.map((path) => `(name = "${path}", esModule = embed "${path}")`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .main)]);
const main :Workerd.Worker = (compatibilityDate = "${date}", modules = [${modules.join(", ")}]);
`;
}

test("verifyWebhook and the server client work in Node", async () => {
  const { stdout } = await run(process.execPath, ["main.mjs"], { cwd: folder });
  assert.equal(stdout, `${wanted}\n`);
});

if (process.env.PROVE === "long") {
  const runtimes = join(root, "tools/runtimes");
  installIn(runtimes);
  // The packages' own commands need an install script to find these files.
  const program = (pattern: string) => {
    const [path = assert.fail(pattern)] = globSync(pattern, { cwd: join(runtimes, "node_modules") });
    return join(runtimes, "node_modules", path);
  };
  const worker = () => run(program("@cloudflare/workerd-*/bin/workerd{,.exe}"), ["test", "worker.capnp"], inFolder);
  const inFolder = { cwd: folder };

  test("they work in Deno", async () => {
    const { stdout } = await run(program("@deno/*/deno{,.exe}"), ["run", "--no-remote", "main.mjs"], inFolder);
    assert.equal(stdout, `${wanted}\n`);
  });

  test("they work in Bun", async () => {
    const { stdout } = await run(program("@oven/bun-*/bin/bun{,.exe}"), ["run", "main.mjs"], inFolder);
    assert.equal(stdout, `${wanted}\n`);
  });

  for (const date of ["2024-01-01", "2026-01-01"])
    test(`they work in the runtime of Cloudflare Workers of ${date}`, async () => {
      await writeFile(join(folder, "worker.capnp"), workerConfig(date));
      await worker();
    });

  test("a worker whose check fails fails the test", async () => {
    await cp(join(folder, "check.mjs"), join(folder, "right.mjs"));
    await writeFile(join(folder, "check.mjs"), 'export const check = async () => "wrong";\n');
    await assert.rejects(worker(), /wrong/);
    await cp(join(folder, "right.mjs"), join(folder, "check.mjs"));
  });
}
