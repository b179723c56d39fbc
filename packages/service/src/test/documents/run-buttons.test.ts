/** The pages of the documents run their blocks in the browser. The part of a shell that they have answers as a shell does. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import {
  type Call,
  callOf,
  readBlock,
  runBlock,
  runnableBlocks,
  Unsupported,
  variablesOf,
} from "../../../../../docs/.vitepress/theme/shell.ts";
import { blocksOf, differences, readAnswer, readersPages } from "../harness/document-blocks.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const isApi = (url: string) => new URL(url).host === "localhost:4000";

/** Sends a call of a block as the page does. */
async function send({ method, url, headers, body }: Call): Promise<string> {
  const { pathname, search } = new URL(url);
  const { payload } = await it.app.inject({
    method: method as "GET",
    url: `${pathname}${search}`,
    headers,
    ...(body === undefined ? {} : { payload: body }),
  });
  return payload;
}

const pages = readersPages().filter((page) => page.startsWith("docs/"));
const runnableOf = async (page: string) => {
  const blocks = blocksOf(page).filter(({ language }) => language === "sh");
  const found = await runnableBlocks(
    blocks.map(({ code }) => code),
    isApi,
  );
  return blocks.flatMap((block, at) => {
    const runnable = found[at];
    return runnable === null || runnable === undefined ? [] : [{ block, ...runnable }];
  });
};

for (const page of ["docs/index.md", "docs/start/index.md", "docs/guides/idempotency.md", "docs/guides/issuance.md"])
  test(`the buttons of ${page} give the answers that it shows`, async () => {
    const all = blocksOf(page);
    const variables = new Map<string, string>();
    let compared = 0;
    for (const { block, commands } of await runnableOf(page)) {
      const printed = await runBlock(commands, variables, send);
      const documented = all[all.findIndex(({ line }) => line === block.line) + 1];
      const needsPerson = /Here the person/.test(page) || block.code.includes("1-click/$uuid");
      if (documented?.language !== "json" || needsPerson) continue;
      assert.deepEqual(differences(readAnswer(documented.code), JSON.parse(printed)), [], `${page}:${block.line}`);
      compared += 1;
    }
    assert.ok(compared > 0);
  });

test("most blocks that call the API have a button, and none that uses another key or runs another program", async () => {
  let buttons = 0;
  let calling = 0;
  for (const page of pages) {
    const blocks = blocksOf(page).filter(
      ({ language, code }) => language === "sh" && /curl\b.*localhost:4000/s.test(code),
    );
    calling += blocks.length;
    buttons += (await runnableOf(page)).filter(({ hasCalls }) => hasCalls).length;
  }
  assert.ok(buttons > calling * 0.6, `${buttons} of ${calling}`);
  const offered = async (source: string) => (await runnableBlocks([source], isApi))[0] !== null;
  assert.ok(await offered("curl -s localhost:4000/v2/1-click -H 'Authorization: sk_sandbox_demo_api'"));
  for (const refused of [
    "curl -s localhost:4000/v2/1-click -H 'Authorization: sk_production_1'",
    "curl -s localhost:4001/demo",
    "curl -s https://example.com/ -H 'Authorization: sk_sandbox_demo_api'",
    "npm start",
    "curl -s localhost:4000/docs > file",
    "rm -rf $HOME",
    'echo "$(cat /etc/passwd)"',
    'curl -s localhost:4000/v2/1-click -H "Authorization: $own"',
  ])
    assert.equal(await offered(refused), false, refused);
});

/** What a shell prints. Without `curl`, so that both get the same input. */
const bash = (script: string) => execFileSync("sh", ["-c", script], { encoding: "utf8" });
const own = async (script: string) =>
  await runBlock(readBlock(script), new Map(), async () => {
    throw new Error("no call expected");
  });

test("quotes, variables, substitutions and sed give what a shell gives", async () => {
  for (const script of [
    `key='Authorization: a b'\necho "$key"`,
    `answer='{"uuid":"1-2","url":"http://x/y"}'\necho "$answer" | sed 's/.*"uuid":"\\([^"]*\\)".*/\\1/'`,
    `a=1; b="x$a\\"y"; echo "$b" $a`,
    `a=$(echo "$(echo inner)")\necho "<$a>"`,
    `echo 'one' \\\n  two`,
    `a='{"phone":"'$(echo 1)'"}'; echo "$a"`,
    `echo "a" > /dev/null\necho b`,
  ])
    assert.equal(await own(script), bash(script), script);
});

test("curl's options become a request", () => {
  const call = callOf(["-s", "-X", "PATCH", "localhost:4000/a", "-H", "Content-Type: application/json", "-d", "{}"]);
  assert.deepEqual(call, {
    method: "PATCH",
    url: "http://localhost:4000/a",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  assert.throws(() => callOf(["-o", "file", "localhost:4000/a"]), Unsupported);
});

test("a block knows which variables it needs from earlier ones", () => {
  const { set, read } = variablesOf(readBlock(`a=$b; curl -s localhost:4000/$a/$c`));
  assert.deepEqual([[...set], [...read]], [["a"], ["b", "c"]]);
});
