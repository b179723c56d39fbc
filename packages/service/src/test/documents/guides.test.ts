/**
 * Runs the code blocks of the pages that a brand's developer reads. Shell blocks of a page run in order, next to the real
 * service. A JSON block is the last answer of the shell block above it; TypeScript runs, and a block below it is what it
 * prints. `ANSWERS=1 npm test -- documents/guides` writes real answers into empty JSON blocks.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test, { after } from "node:test";
import { pathToFileURL } from "node:url";
import {
  type Block,
  blocksOf,
  differences,
  printAnswer,
  readAnswer,
  readersPages,
  root,
} from "../harness/document-blocks.ts";
import { paste } from "../harness/run-shell.ts";
import { dataDir, start, suiteDatabase } from "../harness/service-process.ts";
import { unrunBlocks } from "./unrun-blocks.ts";

const service = await start(await dataDir(), await suiteDatabase());
const { apiUrl, walletUrl } = service.ready.environments.sandbox ?? assert.fail("no sandbox");
const folder = mkdtempSync(join(tmpdir(), "countersign-guides-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const here = (text: string) =>
  text.replaceAll("localhost:4000", new URL(apiUrl).host).replaceAll("localhost:4001", new URL(walletUrl).host);
const there = (text: string) =>
  text.replaceAll(new URL(apiUrl).host, "localhost:4000").replaceAll(new URL(walletUrl).host, "localhost:4001");
const where = ({ page, line }: Block) => `${page}:${line}`;

/** Other test files run the blocks of these pages. */
const ranElsewhere = /^(README\.md|docs\/quickstarts\/|examples\/)/;
const isListed = (block: Block) =>
  unrunBlocks.some(
    ({ page, language, starts }) =>
      (page.endsWith("/") ? block.page.startsWith(page) : block.page === page) &&
      block.language === language &&
      block.code.startsWith(starts),
  );
/** A block that quotes a file names the file in its fence. */
const quoted = (block: Block) => /^examples\/\S+$/.exec(block.words)?.[0];
/**
 * Blocks that other files run: `receivers.test.ts` runs `verify-…` and `receiver-…`, `browser-guides.test.ts` runs
 * `page-…`, `hosted-sample.test.ts` runs `server-…`, and `operations.test.ts` the dashboard's commands.
 */
const isNamed = ({ page, words, code }: Block) =>
  /^(verify|receiver|page|server)-/.test(words) ||
  (page === "docs/how/dashboard.md" && code.startsWith("countersign "));

/** What a page has to run, in order: each block with the answer below it. */
function stepsOf(page: string): { block: Block; answer: Block | undefined }[] {
  const blocks = blocksOf(page).filter((block) => !isListed(block) && !isNamed(block) && quoted(block) === undefined);
  return blocks.flatMap((block, index) => {
    if (["json", "text"].includes(block.language)) return [];
    const next = blocks[index + 1];
    return [{ block, answer: next !== undefined && ["json", "text"].includes(next.language) ? next : undefined }];
  });
}

/** Runs TypeScript as a brand's server does, with the SDK's sources in place of the package. */
function runTypeScript({ code }: Block): string {
  const path = join(folder, "sample.ts");
  const sdk = pathToFileURL(resolve(root, "packages/sdk/src")).href;
  writeFileSync(path, here(code.replace(/"@countersign\/sdk\/(sandbox|server|webhooks)"/g, `"${sdk}/$1.ts"`)));
  const { status, stdout, stderr } = spawnSync(process.execPath, [path], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout;
}

/** Where a page says that the person shares, a script does it with the `$answer` of the block above. */
const sharing = "<!-- Here the person enters the code and shares. -->";
const person = resolve(import.meta.dirname, "../harness/person-by-fetch.ts");
function personBefore({ page, line }: Block): string {
  const above = readFileSync(resolve(root, page), "utf8")
    .split("\n")
    .slice(0, line - 1);
  const last = above.lastIndexOf(sharing);
  const isDue = last >= 0 && !above.slice(last).some((one) => one.startsWith("```"));
  return isDue ? `identityUuid=$('${process.execPath}' '${person}' "$answer" '${walletUrl}')\n` : "";
}

/**
 * The service sends texts and looks plans up in the background. A reader is slower than that, and a script is not, so it
 * waits for the text or the plans before the line that reads them. `$own` is the key of a brand that the page made.
 */
const settled =
  /^curl -s '?(localhost:4000\/(?:sandbox\/messages\?[^']*|v2\/1-click\/health\/\$\w+|v2\/1-click\/verifications\/\$uuid(?=\/verify))|\$verifications\/\$\w+(?=\/verify))/gm;
const wait =
  "for (let said = ``; said === `` || /:\\[\\]|PENDING|PROCESSING|:.sending/.test(said); ) said = await (await fetch(process.argv[1], { headers: { authorization: process.argv[2].replace(`Authorization: `, ``) } })).text()";
const patient = (code: string) =>
  code.replace(
    settled,
    (line, address: string) =>
      `'${process.execPath}' --input-type=module -e '${wait}' "http://${address}" "\${own:-sk_sandbox_demo_api}"\n${line}`,
  );

const isFilling = process.env.ANSWERS !== undefined;
const outcomes = new Map<Block, unknown>();
const successful = (status: number) => status >= 200 && status < 400;

async function runShell(steps: ReturnType<typeof stepsOf>): Promise<void> {
  const shell = steps.filter(({ block }) => block.language === "sh");
  const script = shell
    .map(({ block }) => `${personBefore(block)}${patient(block.code)}\nprintf '\\n\\036\\n'\n`)
    .join("");
  const { out, statuses, err } = await paste(here(script));
  const said = out.split("\n\x1e\n");
  assert.equal(said.length, shell.length + 1, `${steps[0]?.block.page}: a command failed\n${out}${err}`);
  for (const [index, { block, answer }] of shell.entries()) {
    const calls = block.code.match(/\bcurl /g)?.length ?? 0;
    const answered = statuses.splice(0, calls);
    const whole = there(said[index] ?? "").trim();
    const last = whole.split("\n").at(-1) ?? "";
    if (answer !== undefined) outcomes.set(answer, answer.language === "json" ? JSON.parse(last) : whole);
    const expected = answer?.language === "json" ? statusOf(answer.code) : undefined;
    for (const [at, status] of answered.entries())
      assert.ok(
        isFilling || (at === answered.length - 1 && expected !== undefined ? status === expected : successful(status)),
        `${where(block)}: ${status} ${last}`,
      );
  }
}

/** The status of an error on a page, or undefined for another answer. */
function statusOf(code: string): number | undefined {
  return /"className"/.test(code) ? Number(/"code": (\d{3})\b/.exec(code)?.[1]) : undefined;
}

/** Replaces empty JSON blocks of a page with the real answers. */
function fill(page: string): void {
  let text = readFileSync(resolve(root, page), "utf8");
  for (const [{ page: of, code }, real] of outcomes)
    if (of === page && code.trim() === "")
      text = text.replace("```json\n```", `\`\`\`json\n${printAnswer(real)}\n\`\`\``);
  writeFileSync(resolve(root, page), text);
}

for (const page of readersPages().filter((one) => !ranElsewhere.test(one) && stepsOf(one).length > 0))
  test(`the code of ${page} runs, and its answers are real`, async () => {
    const reset = await fetch(`${apiUrl}/sandbox/reset`, { method: "POST" });
    assert.ok(reset.ok);
    await fetch(`${apiUrl}/sandbox/clock`, { method: "DELETE" });
    const steps = stepsOf(page);
    await runShell(steps);
    for (const { block, answer } of steps)
      if (block.language === "ts") {
        const said = there(runTypeScript(block)).trim();
        if (answer !== undefined) outcomes.set(answer, answer.language === "json" ? JSON.parse(said) : said);
      }
    if (isFilling) fill(page);
    for (const { answer } of steps) {
      if (answer === undefined || answer.code.trim() === "") continue;
      const shown = answer.language === "json" ? readAnswer(answer.code) : answer.code.trim();
      assert.deepEqual(differences(shown, outcomes.get(answer)), [], where(answer));
    }
  });

test("every code block is run by a test, quotes a file that a test runs, or is listed with a reason", () => {
  const unrun: string[] = [];
  const steps = readersPages().flatMap(stepsOf);
  const answers = new Set(steps.flatMap(({ answer }) => (answer === undefined ? [] : [where(answer)])));
  for (const block of readersPages().flatMap(blocksOf)) {
    const file = quoted(block);
    if (file !== undefined)
      assert.ok(
        readFileSync(resolve(root, file), "utf8").includes(block.code.trim()),
        `${where(block)} is not in ${file}`,
      );
    const isRun = ranElsewhere.test(block.page) || ["sh", "ts"].includes(block.language) || answers.has(where(block));
    if (file === undefined && !isRun && !isListed(block) && !isNamed(block)) unrun.push(where(block));
    if (block.code.trim() === "") unrun.push(`${where(block)} is empty`);
  }
  assert.deepEqual(unrun, []);
});

test("each entry in the list of untested blocks belongs to a block", () => {
  const blocks = readersPages().flatMap(blocksOf);
  for (const entry of unrunBlocks) {
    const { page, language, starts } = entry;
    const found = blocks.some(
      (one) => one.page.startsWith(page) && one.language === language && one.code.startsWith(starts),
    );
    assert.ok(found, JSON.stringify(entry));
  }
});

test("the comparison of answers reports a different value, an extra member and a missing one", () => {
  const real = { uuid: "7a5ba8d5-0a59-44fe-924a-b2b0d0d21534", list: [1, 2], score: 0 };
  assert.deepEqual(
    differences(readAnswer('{ "uuid": "11111111-2222-4333-8444-555555555555", /* … */ "score": 0 }'), real),
    [],
  );
  assert.deepEqual(differences(readAnswer('{ /* … */ "list": [1 /* … */] }'), real), []);
  assert.equal(differences({ uuid: real.uuid, list: [1], score: 0 }, real).length, 1);
  assert.equal(differences({ ...real, score: 1 }, real).length, 1);
  assert.equal(differences({ uuid: real.uuid, score: 0 }, real).length, 1);
  assert.equal(differences({ ...real, more: 1 }, real).length, 1);
});
