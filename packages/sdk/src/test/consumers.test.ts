// rest: installs the packed SDK under several versions of its consumers
/**
 * Installs the packed SDK into an empty project of each kind, compiles a program under `strict`, and runs it against the
 * sandbox.
 */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { build } from "vite";
import { installIn, publishing } from "../../../../tools/installed.ts";
import { demoKey, sandbox } from "../../../service/src/test/harness/sandbox.ts";
import { packInto, root, run } from "./packed.ts";

const it = await sandbox();
const apiUrl = await it.app.listen({ host: "127.0.0.1", port: 0 });
const folder = await mkdtemp(join(tmpdir(), "sdk-consumers-"));
after(() => rm(folder, { recursive: true }));
const { tarball } = await packInto(folder);

/** TypeScript 5 for the modes that TypeScript 7 removed. */
const oldCompiler = join(publishing, "node_modules/typescript/bin/tsc");
const compiler = join(root, "node_modules/typescript/bin/tsc");

const imports = `
import { Countersign } from "@countersign/sdk";
import { CountersignError, countersignClient } from "@countersign/sdk/server";
import { signWebhook, verifyWebhook } from "@countersign/sdk/webhooks";
`;
/** The same with \`require\`, in the form that compiles where ES modules are the default. */
const requires = `
import sdk = require("@countersign/sdk");
import server = require("@countersign/sdk/server");
import webhooks = require("@countersign/sdk/webhooks");
const { Countersign } = sdk;
const { CountersignError, countersignClient } = server;
const { signWebhook, verifyWebhook } = webhooks;
`;
const body = `
declare const process: { argv: string[] };
declare const console: { log(text: string): void };

async function main(apiUrl: string): Promise<string[]> {
  const api = countersignClient({ apiUrl, apiKey: "${demoKey}" });
  const begun = await api.createVerification({ channel: "sms", phone: "+12125550010" });
  await api.deliverVerification(begun.uuid);
  await api.submitVerificationCode(begun.uuid, { code: "111111" });
  const { identity } = await api.createOneClick({
    verificationUuid: begun.uuid,
    credentialRequests: [{ type: "FullNameCredential", children: [{ type: "FirstNameCredential" }] }],
  });
  const firstName: string | undefined = identity?.credentials?.fullName?.firstName;
  const refused = await api.createOneClick({ phone: "+12125550020" }).catch((error: unknown) => error);
  const inputs = refused instanceof CountersignError && refused.is("OCE011") ? refused.data.additionalInputs : [];
  const event = JSON.stringify({ event: "1-click.health.lookup" });
  const headers = await signWebhook({ body: event, secret: "s" });
  const { event: name } = await verifyWebhook({ body: event, headers, secret: "s" });
  return [firstName ?? "", inputs.includes("birthDate") ? "OCE011" : "", name, typeof Countersign];
}
main(process.argv[2] ?? "").then((said) => console.log(said.join(" ")));
`;
const wanted = "Richard OCE011 1-click.health.lookup function\n";

type Kind = { name: string; type: "commonjs" | "module"; file: string; tsc: string; options: object; code: string };
const kinds: readonly Kind[] = [
  {
    name: "node10 and CommonJS",
    type: "commonjs",
    file: "main.ts",
    tsc: oldCompiler,
    options: { module: "commonjs", moduleResolution: "node10" },
    code: imports + body,
  },
  {
    name: "node16, ES modules",
    type: "module",
    file: "main.ts",
    tsc: oldCompiler,
    options: { module: "node16" },
    code: imports + body,
  },
  {
    name: "node16, require",
    type: "module",
    file: "main.cts",
    tsc: oldCompiler,
    options: { module: "node16" },
    code: requires + body,
  },
  {
    name: "nodenext, ES modules",
    type: "module",
    file: "main.ts",
    tsc: compiler,
    options: { module: "nodenext" },
    code: imports + body,
  },
  {
    name: "nodenext, require",
    type: "module",
    file: "main.cts",
    tsc: compiler,
    options: { module: "nodenext" },
    code: requires + body,
  },
  {
    name: "a bundler",
    type: "module",
    file: "main.ts",
    tsc: compiler,
    options: { module: "esnext", moduleResolution: "bundler" },
    code: imports + body,
  },
];

/** An empty project with the SDK, compiled under `strict`. Returns its folder. */
async function compiled({ name, type, file, tsc, options, code }: Kind): Promise<string> {
  const project = join(folder, name.replace(/\W+/g, "-"));
  await mkdir(project);
  await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type }));
  await run("npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", tarball], { cwd: project });
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    types: [],
    rootDir: ".",
    outDir: "out",
    ...options,
  };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
  await writeFile(join(project, file), code);
  await run(process.execPath, [tsc, "-p", project, "--pretty", "false"]).catch(({ stdout }) => assert.fail(stdout));
  return project;
}

async function bundled(project: string): Promise<string> {
  const out = join(project, "bundle");
  await build({
    root: project,
    configFile: false,
    logLevel: "warn",
    ssr: { noExternal: true },
    build: { ssr: "main.ts", outDir: out, target: "es2022" },
  });
  await rm(join(project, "node_modules"), { recursive: true });
  return join(out, "main.js");
}

for (const kind of kinds) {
  test(`a project for ${kind.name} installs, compiles and runs the packed SDK`, async () => {
    installIn(publishing);
    const project = await compiled(kind);
    const script = join(project, "out", kind.file.replace(/ts$/, "js"));
    const { stdout } = await run(process.execPath, [
      kind.name === "a bundler" ? await bundled(project) : script,
      apiUrl,
    ]);
    assert.equal(stdout, wanted);
  });
}
