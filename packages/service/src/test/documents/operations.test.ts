/** Checks the operator's guides: their shell commands run, and the commands and files that they name exist. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import test from "node:test";
import { dataDir, run, start } from "../harness/service-process.ts";

const root = resolve(import.meta.dirname, "../../../../..");
const operate = globSync("docs/operate/*.md", { cwd: root });
const guides = [...operate, ...globSync("docs/{guides,how}/*.md", { cwd: root })];
const texts = new Map(
  await Promise.all(guides.map(async (path) => [path, await readFile(resolve(root, path), "utf8")] as const)),
);
const blocksOf = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, block = ""]) => block);
const usage = (await run(["--help"], {})).out;

test("every command in the guides' shell blocks runs as written next to the service", async () => {
  const DATA_DIR = await dataDir();
  const service = await start(DATA_DIR);
  const lines = [...operate, "docs/how/dashboard.md"].flatMap((path) =>
    blocksOf(texts.get(path) ?? "", "sh").flatMap((block) => block.trim().split("\n")),
  );
  assert.ok(lines.length >= 7);
  for (const line of lines) {
    const [name, ...args] = line.match(/"[^"]*"|\S+/g)?.map((one) => one.replaceAll('"', "")) ?? [];
    assert.equal(name, "countersign", line);
    const { code, err } = await run(args, { DATA_DIR });
    assert.deepEqual([code, err], [0, ""], line);
  }
  await service.stop("SIGTERM");
});

test("every command that a guide names exists, and so does every file that it links to", () => {
  const found = { commands: 0, links: 0 };
  for (const [path, text] of texts) {
    for (const [, command = ""] of text.matchAll(/`countersign ([a-z0-9-]+)/g)) {
      assert.ok(usage.includes(`\n  ${command} `), `${path}: ${command}`);
      found.commands += 1;
    }
    for (const [, target = ""] of text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
      assert.ok(/^https?:/.test(target) || existsSync(resolve(root, dirname(path), target)), `${path}: ${target}`);
      found.links += 1;
    }
  }
  assert.ok(found.commands > 20 && found.links > 50, JSON.stringify(found));
});

test("the upgrade of one server uses files that exist, and checks the new version's program before the restart", () => {
  const [, section = ""] = /^## One server$(.*?)^## /ms.exec(texts.get("docs/operate/upgrade.md") ?? "") ?? [];
  const files = [...section.matchAll(/\/opt\/countersign\/(\S+)/g)].map(([, path = ""]) => path);
  assert.deepEqual(
    files.filter((path) => !existsSync(resolve(root, path))),
    [],
  );
  const steps = ["npm run build", "mv /opt/countersign-new /opt/countersign", "countersign.sh migrate --check"];
  const places = [...steps, "systemctl restart countersign"].map((step) => section.indexOf(step));
  assert.ok(!places.includes(-1), String(places));
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  );
});

test("the program that runs the guide on a fresh Debian finds its sections and blocks", async () => {
  const program = await readFile(resolve(root, "tools/prove/guide.ts"), "utf8");
  const wanted = [...program.matchAll(/= blocks\("([^"]+)", (\d+)\)/g)];
  assert.ok(wanted.length >= 3);
  const guide = ["install", "backup"].map((name) => texts.get(`docs/operate/${name}.md`) ?? "").join("\n");
  for (const [, title = "", count] of wanted) {
    const section = guide.split(/^## /m).find((one) => one.startsWith(title)) ?? "";
    assert.equal(blocksOf(section, "console").length, Number(count), title);
  }
});

test("a command that the guides run with the package's program replaces the words of the deploy files", async () => {
  const [, words = ""] = /sed -i 's#([^#]+)#/.exec(texts.get("docs/operate/install.md") ?? "") ?? [];
  for (const name of ["countersign.service", "countersign@.service", "countersign.sh"])
    assert.ok((await readFile(resolve(root, "deploy", name), "utf8")).includes(words), name);
});

test("no document tells anyone to run `npx countersign` but from a file: that name in the npm registry is not ours", () => {
  const documents = globSync(["*.md", "docs/**/*.md", "examples/**/*.md", "packages/*/*.md"], {
    cwd: root,
    exclude: ["**/node_modules/**"],
  });
  assert.ok(documents.length > 40);
  for (const path of documents)
    assert.doesNotMatch(
      readFileSync(resolve(root, path), "utf8"),
      /\b(npx|npm exec|pnpm dlx|bunx|yarn dlx)\b[^\n`]*(?<!\.\/)\bcountersign\b/,
      path,
    );
});
