/** The calls of the documents in other languages are those of the shell blocks that they replace. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import { translated } from "../../../../../docs/.vitepress/languages.ts";
import { type Call, readBlock, runBlock, type Variables } from "../../../../../docs/.vitepress/theme/shell.ts";
import { blocksOf, readersPages } from "../harness/document-blocks.ts";

type Sent = { method: string; url: string; headers: Record<string, string>; body: unknown };

/** The answer to every call. It has each member that a page takes from an answer. */
const canned = JSON.stringify({
  uuid: "one",
  healthDataUuid: "two",
  id: "three",
  apiKey: "four",
  sessionKey: "five",
  identityUuid: "six",
  signingSecret: "seven",
});

const sentOf = ({ method, url, headers, body }: Call): Sent => ({
  method,
  url,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  body: body === undefined ? null : JSON.parse(body),
});

/** Runs the shell blocks that have a translation, after all blocks before them. */
async function sentByShell(sources: readonly string[], isTranslated: (at: number) => boolean): Promise<Sent[]> {
  const variables: Variables = new Map();
  const sent: Sent[] = [];
  for (const [at, source] of sources.entries())
    try {
      await runBlock(readBlock(source), variables, async (call) => {
        if (isTranslated(at)) sent.push(sentOf(call));
        return canned;
      });
    } catch (error) {
      if (isTranslated(at)) throw error;
    }
  return sent;
}

async function sentByNode(code: string): Promise<Sent[]> {
  const sent: Sent[] = [];
  const fetch = async (url: string, { method = "GET", headers = {}, body }: Partial<Call> = {}) => {
    sent.push(sentOf({ method, url, headers, ...(body === undefined ? {} : { body }) }));
    return { json: async () => JSON.parse(canned) };
  };
  // Blocks of a page use the same names.
  const once = code.replace(/^const (\w+) =/gm, "$1 =");
  const names = new Set([...code.matchAll(/^const (\w+) =/gm)].map(([, name]) => name));
  const AsyncFunction = Object.getPrototypeOf(sentByNode).constructor;
  const declared = names.size === 0 ? "" : `let ${[...names].join(", ")};\n`;
  await new AsyncFunction("fetch", "console", `${declared}${once}`)(fetch, { log() {} });
  return sent;
}

/** A module \`requests\` that reports its calls. */
const requests = `
import json, sys, types
sent = []
class Answer:
    def json(self): return json.loads(${JSON.stringify(canned)})
def call(method):
    def send(url, headers={}, json=None):
        more = {} if json is None else {"content-type": "application/json"}
        sent.append({"method": method, "url": url, "headers": {**{k.lower(): v for k, v in headers.items()}, **more}, "body": json})
        return Answer()
    return send
module = types.ModuleType("requests")
for name in ["get", "post", "patch", "put", "delete"]: setattr(module, name, call(name.upper()))
sys.modules["requests"] = module
print_ = print
print = lambda *_: None
`;

function sentByPython(code: string): Sent[] {
  const { status, stdout, stderr } = spawnSync("python3", ["-c", `${requests}\n${code}\nprint_(json.dumps(sent))`], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const hasPython = spawnSync("python3", ["--version"]).status === 0;
const pages = readersPages().filter((page) => page.startsWith("docs/"));
let count = 0;

for (const page of pages)
  test(`${page}: Node and Python send what the shell sends`, async () => {
    const sources = blocksOf(page)
      .filter(({ language }) => language === "sh")
      .map(({ code }) => code);
    const js = translated(sources, "js");
    const python = translated(sources, "python");
    assert.deepEqual(
      js.map((one) => one === null),
      python.map((one) => one === null),
    );
    const expected = await sentByShell(sources, (at) => js[at] !== null);
    count += js.filter((one) => one !== null).length;
    assert.deepEqual(await sentByNode(js.filter((one) => one !== null).join("")), expected);
    if (hasPython) assert.deepEqual(sentByPython(python.filter((one) => one !== null).join("")), expected);
  });

test("most calls of the guides have a translation", () => {
  assert.ok(count >= 40, `${count} blocks`);
});
