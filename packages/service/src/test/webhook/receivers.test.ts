import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { webhookSignature } from "../../domain/webhook/request.ts";
import { forkedServer, listenAnywhere } from "../harness/forked-server.ts";
import { isInstalled } from "../harness/runtimes.ts";

const page = readFileSync(new URL("../../../../../docs/guides/webhooks.md", import.meta.url), "utf8");
const folder = mkdtempSync(join(tmpdir(), "countersign-receivers-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the code block with a name from the page. */
function block(name: string): string {
  return new RegExp(`\`\`\`\\w+ ${name}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? assert.fail(`no block ${name}`);
}

const secret = "whsec_q1w2e3r4t5y6u7i8o9p0";
const body = JSON.stringify({ event: "1-click.health.lookup", note: "ünïcode ✓" });
const timestamp = "1767355200";
const now = Number(timestamp) + 10;
const rotated = webhookSignature(["whsec_new", secret], timestamp, body);
/** Signature, time of receipt, and whether it is valid. */
const cases: [string, number, boolean][] = [
  [webhookSignature([secret], timestamp, body), now, true],
  [rotated, now, true],
  [webhookSignature(["whsec_other"], timestamp, body), now, false],
  [webhookSignature([secret], timestamp, `${body} `), now, false],
  ["v1=", now, false],
  [webhookSignature([secret], timestamp, body), now + 1000, false],
];
const expected = cases.map(([, , genuine]) => genuine);

test("the TypeScript receiver answers 204 to genuine requests and 400 to others", async (t) => {
  const path = join(folder, "verify.ts");
  const sdk = new URL("../../../../sdk/src/webhooks.ts", import.meta.url).href;
  writeFileSync(path, block("verify-typescript").replace("@countersign/sdk/webhooks", sdk));
  const { receive }: { receive(request: Request): Promise<Response> } = await import(path);
  process.env.COUNTERSIGN_WEBHOOK_SECRET = secret;
  t.after(() => delete process.env.COUNTERSIGN_WEBHOOK_SECRET);
  t.mock.timers.enable({ apis: ["Date"] });
  for (const [signature, nowSeconds, isGenuine] of cases) {
    t.mock.timers.setTime(nowSeconds * 1000);
    const headers = { "x-webhook-timestamp": timestamp, "x-webhook-signature": signature };
    const request = new Request("http://brand.example/hook", { method: "POST", headers, body });
    assert.equal((await receive(request)).status, isGenuine ? 204 : 400);
  }
});

test("the Node receiver accepts genuine requests and rejects others", async () => {
  const path = join(folder, "verify.mjs");
  writeFileSync(path, block("verify-node"));
  const { isGenuine } = await import(path);
  const told = cases.map(([signature, nowSeconds]) =>
    isGenuine({ secret, timestamp, signature, rawBody: body, nowSeconds }),
  );
  assert.deepEqual(told, expected);
});

test("the Node receiver answers 204 to a genuine request and 400 to others", async () => {
  writeFileSync(join(folder, "verify.mjs"), block("verify-node"));
  const path = join(folder, "receiver.mjs");
  const [ofThePage = assert.fail("no call of listen")] = /listen\(9000, .*\)(?=;)/.exec(block("receiver-node")) ?? [];
  writeFileSync(path, block("receiver-node").replace(ofThePage, listenAnywhere));
  const { url, printed } = await forkedServer(path, { env: { COUNTERSIGN_WEBHOOK_SECRET: secret } });
  const sent = String(Math.floor((performance.timeOrigin + performance.now()) / 1000));
  const send = async (key: string) => {
    const headers = { "x-webhook-timestamp": sent, "x-webhook-signature": webhookSignature([key], sent, body) };
    return (await fetch(`${url}/hook`, { method: "POST", headers, body })).status;
  };
  assert.deepEqual([await send(secret), await send("whsec_other")], [204, 400]);
  await printed(
    "err",
    /^Refused: wrong signature or old timestamp\. Is COUNTERSIGN_WEBHOOK_SECRET this webhook's secret\?\n$/,
  );
  const { status, stderr } = spawnSync(process.execPath, [path], {
    env: { ...process.env, COUNTERSIGN_WEBHOOK_SECRET: "" },
    encoding: "utf8",
  });
  assert.deepEqual([status, stderr], [1, "Set COUNTERSIGN_WEBHOOK_SECRET to the webhook's signing secret.\n"]);
});

const python = isInstalled("Python") ? test : () => {};
python("the Python receiver accepts genuine requests and rejects others", () => {
  writeFileSync(join(folder, "verify.py"), block("verify-python"));
  const given = JSON.stringify(cases);
  const script = `import json,sys\nfrom verify import is_genuine\ncases=json.loads(sys.argv[1])\nprint(json.dumps([is_genuine(${JSON.stringify(secret)}, "${timestamp}", s, sys.argv[2].encode(), n) for s,n,_ in cases]))`;
  const { stdout, stderr } = spawnSync("python3", ["-c", script, given, body], { cwd: folder, encoding: "utf8" });
  assert.deepEqual(JSON.parse(stdout || assert.fail(stderr)), expected);
});

const go = isInstalled("Go") ? test : () => {};
go("the Go receiver accepts genuine requests and rejects others", () => {
  const rows = cases
    .map(([signature, nowSeconds, genuine]) => `{${JSON.stringify(signature)}, ${nowSeconds}, ${genuine}}`)
    .join(",\n");
  writeFileSync(join(folder, "go.mod"), "module webhook\n\ngo 1.20\n");
  writeFileSync(join(folder, "verify.go"), block("verify-go"));
  writeFileSync(
    join(folder, "verify_test.go"),
    `package webhook\n\nimport "testing"\n\nfunc TestIsGenuine(t *testing.T) {\n\tfor _, c := range []struct {\n\t\ts string\n\t\tn int64\n\t\tw bool\n\t}{\n${rows},\n} {\n\t\tif IsGenuine(${JSON.stringify(secret)}, "${timestamp}", c.s, []byte(${JSON.stringify(body)}), c.n, 300) != c.w {\n\t\t\tt.Fatal(c.s)\n\t\t}\n\t}\n}\n`,
  );
  const { status, stdout, stderr } = spawnSync("go", ["test", "./..."], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, GOFLAGS: "-mod=mod", GOPROXY: "off" },
  });
  assert.equal(status, 0, stdout + stderr);
});
