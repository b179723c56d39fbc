/** `logs tail`, next to a running service. */
import assert from "node:assert/strict";
import test from "node:test";
import { withoutIds } from "../harness/below-http.ts";
import { countersign, dataDir, run, start, suiteDatabase } from "../harness/service-process.ts";

test("`logs tail` prints the brand's calls until Ctrl-C, without anything about people", async () => {
  const DATA_DIR = await dataDir();
  const at = { DATA_DIR, ...(await suiteDatabase()) };
  const { ready, stop } = await start(DATA_DIR, at);
  const { apiUrl } = ready.environments.sandbox;
  const [brand = assert.fail()] = ready.demo?.brands ?? [];
  const call = async (phone: string) => {
    const headers = { authorization: brand.apiKey, "content-type": "application/json" };
    return (await fetch(`${apiUrl}/v2/1-click`, { method: "POST", headers, body: JSON.stringify({ phone }) })).status;
  };
  const args = ["logs", "tail", "--brand", brand.uuid];
  const tail = countersign(args, at);
  const linesUntil = async (count: number) => {
    await tail.until(() => tail.said.out.split("\n").length > count);
    return tail.said.out.trim().split("\n");
  };
  assert.equal(await call("+12125550010"), 201);
  await linesUntil(1);
  assert.equal(await call("+1212"), 400);
  const lines = (await linesUntil(2)).map((one) => JSON.parse(one));
  assert.deepEqual(
    lines.map(({ method, route, status }) => [method, route, status]),
    [201, 400].map((status) => ["POST", "/v2/1-click", status]),
  );
  tail.child.kill("SIGINT");
  const { code, out, err } = await tail.exit;
  assert.deepEqual([code, err], [0, ""]);
  assert.ok(!withoutIds(out).includes("0010"));
  const latest = await run([...args, "--once"], at);
  assert.deepEqual([latest.code, latest.out.trim().split("\n").length], [0, 2]);
  const unknown = ["--brand", "b0000000-0000-4000-8000-00000000dead"];
  for (const command of [
    ["logs", "tail", "--once"],
    ["keys", "list", "--environment", "sandbox"],
    ["keys", "create"],
  ]) {
    const { code, out, err } = await run([...command, ...unknown], at);
    const said = "No brand in the sandbox has this UUID. `countersign brands list` shows them.\n";
    assert.deepEqual([code, out, err], [1, "", said]);
  }
  const keys = await run(["keys", "list", "--brand", brand.uuid, "--environment", "sandbox"], at);
  assert.equal(JSON.parse(keys.out)[0].state, "active");
  await stop("SIGTERM");
});
