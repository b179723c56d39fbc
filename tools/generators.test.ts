/** Two independent generators turn each OpenAPI document into a client, and the compiler accepts the result. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { installIn, publishing } from "./installed.ts";
import { openapiDocuments } from "./openapi.ts";

const root = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "generators-"));
after(() => rmSync(folder, { recursive: true }));
before(() => installIn(publishing));

type Generator = (document: string, out: string) => string[];
const generators: Readonly<Record<string, Generator>> = {
  "openapi-typescript": (document, out) => ["openapi-typescript/bin/cli.js", document, "-o", `${out}.ts`],
  "@hey-api/openapi-ts": (document, out) => ["@hey-api/openapi-ts/bin/run.js", "-i", document, "-o", out, "--silent"],
};
const names = Object.keys(openapiDocuments()).map((path) => basename(path, ".json"));

function run(script: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: "utf8" });
  assert.equal(status, 0, `${script} ${args.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}

function compile(): string {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder, "--pretty", "false"], { encoding: "utf8" });
  return stdout;
}

const use = `
import type { paths } from "./v2-openapi-typescript";
import { client } from "./v2-hey-api-openapi-ts/client.gen.ts";
import { createOneClick } from "./v2-hey-api-openapi-ts/sdk.gen.ts";

type Body = paths["/v2/1-click"]["post"]["requestBody"]["content"]["application/json"];
const body: Body = { phone: "+12125550010" };
client.setConfig({ baseUrl: "https://api.example" });
const { data, error } = await createOneClick({ auth: "key", body });
data?.uuid satisfies string | undefined;
error?.name satisfies string | undefined;
`;

test("the clients that two generators make of each document compile under strict", () => {
  for (const [generator, command] of Object.entries(generators))
    for (const name of names) {
      const out = join(folder, `${name}-${generator.replace(/\W+/g, "-").replace(/^-/, "")}`);
      const [script = "", ...args] = command(join(root, `docs/api/${name}.json`), out);
      run(join(publishing, "node_modules", script), args);
    }
  assert.equal(readdirSync(folder).length, names.length * Object.keys(generators).length);
  writeFileSync(join(folder, "use.ts"), use);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    module: "esnext",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    target: "es2022",
    lib: ["es2023", "dom", "dom.iterable"],
    types: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  assert.equal(compile(), "");
});

test("the SDK's page installs the versions that these tests use, and its call compiles with the generated client", () => {
  const page = readFileSync(join(root, "packages/sdk/README.md"), "utf8");
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(publishing, "package.json"), "utf8"),
  );
  const installed = [...page.matchAll(/^npm install --save-dev (.*)$/gm)].flatMap(([, names = ""]) => names.split(" "));
  assert.deepEqual(
    new Set(installed.map((one) => one.replace(/@[^@]*$/, ""))),
    new Set(["typescript", ...Object.keys(generators)]),
  );
  for (const one of installed) {
    const [, name = "", version = ""] = /^(.+)@([\d.]+)$/.exec(one) ?? [];
    assert.ok(dependencies[name]?.startsWith(`${version}.`), `${one} is not what the tests use`);
  }
  const [, call = ""] = /^```typescript\n(.*?)^```$/ms.exec(page) ?? [];
  assert.match(call, /createOneClick/);
  writeFileSync(join(folder, "use.ts"), call.replaceAll("./api/", "./v2-hey-api-openapi-ts/"));
  assert.equal(compile(), "");
});

test("the generated types are precise enough to reject a wrong body and a wrong answer", () => {
  const wrong = use.replace('phone: "+12125550010"', "phone: 1").replace("satisfies string", "satisfies number");
  writeFileSync(join(folder, "use.ts"), wrong);
  const codes = [...compile().matchAll(/error (TS\d+)/g)].map(([, code]) => code);
  assert.deepEqual(new Set(codes), new Set(["TS2322", "TS1360"]));
  assert.match(readFileSync(join(folder, "v2-openapi-typescript.ts"), "utf8"), /createOneClick/);
});
