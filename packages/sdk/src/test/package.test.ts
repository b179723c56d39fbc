/** Tests the packed npm package with package linters, and compiles code against it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { installIn, publishing } from "../../../../tools/installed.ts";
import { packInto, root } from "./packed.ts";

const folder = await mkdtemp(join(tmpdir(), "sdk-package-"));
after(() => rm(folder, { recursive: true }));

const { tarball, files } = await packInto(folder);
const installed = join(folder, "consumer/node_modules/@countersign/sdk");
await mkdir(installed, { recursive: true });
run("tar", ["-xzf", tarball, "--strip-components=1", "-C", installed], folder);

function run(program: string, args: string[], cwd: string) {
  return spawnSync(program, args, { cwd, encoding: "utf8" });
}

test("the package contains only its built files, its README, its changelog, and its license", () => {
  const others = files.filter((path) => !/^dist\/(?:esm|cjs)\/[\w-]+(\.d\.ts|\.js)$/.test(path));
  const wanted = ["CHANGELOG.md", "README.md", "dist/LICENSE", "dist/cjs/package.json", "dist/sdk.js", "package.json"];
  assert.deepEqual(others.sort(), wanted);
});

test("the package has no run-time dependency except optional React", async () => {
  const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  assert.equal(manifest.dependencies, undefined);
  assert.deepEqual(manifest.peerDependenciesMeta, { react: { optional: true } });
  assert.equal(manifest.sideEffects, false);
  for (const path of files.filter((one) => /\.(js|ts)$/.test(one))) {
    const text = await readFile(join(installed, path), "utf8");
    const imports = [...text.matchAll(/(?:\bfrom |\brequire\()"([^"]+)"/g)].map(([, from = ""]) => from);
    const unexpected = imports.filter(
      (from) => !/^\.\/[\w-]+\.js$/.test(from) && !(from === "react" && /^dist\/\w+\/react\./.test(path)),
    );
    assert.deepEqual(unexpected, [], path);
  }
});

test("the compressed script is at most 5 KB", async () => {
  const bytes = gzipSync(await readFile(join(installed, "dist/sdk.js"))).length;
  assert.ok(bytes <= 5_000, `${bytes} bytes`);
});

test("package linters find no problem: types and modules resolve under node10, node16, nodenext and bundlers", () => {
  installIn(publishing);
  const { stdout, stderr } = run(process.execPath, [join(publishing, "inspect.mjs"), tarball], folder);
  assert.match(stdout, /^\{/, stderr);
  const { hasTypes, problems, messages, resolved } = JSON.parse(stdout);
  assert.deepEqual({ hasTypes, problems, messages }, { hasTypes: true, problems: [], messages: [] });
  for (const [entry, kinds] of resolved) assert.equal(kinds.length, 4, entry);
});

const good = `
import { Countersign, type CountersignOptions, CountersignUsageError, type SdkResult } from "@countersign/sdk";
import { CountersignFrame, useCountersign } from "@countersign/sdk/react";
import { CountersignError, countersignClient, type VerificationRequest } from "@countersign/sdk/server";
import { sandboxClient } from "@countersign/sdk/sandbox";
import { signWebhook, verifyWebhook, WebhookError } from "@countersign/sdk/webhooks";
import { createElement } from "react";

const options: CountersignOptions = {
  sessionKey: "k",
  walletUrl: "https://wallet.example",
  onResult: (result: SdkResult) => {
    if (result.outcome === "shared") result.identityUuid satisfies string;
    else if (result.outcome === "verified") result.type satisfies "USER_PHONE_VERIFIED";
    else if (result.outcome === "declined") result.type satisfies "USER_OPTED_OUT";
    else result.type satisfies \`NO_CREDENTIALS_FOUND\` | "RISK_SCORE_TOO_HIGH" | \`MAX_\${string}_EXCEEDED\`;
    if (result.type === "USER_SHARED_HEALTH_DATA") result.healthDataUuid satisfies string;
  },
  onError: ({ reason, message, requestId }) => [reason === "UNREACHABLE", message.length, requestId?.length],
  onEvent: (event) => event.type === "STEP_TIME_SPENT" && event.durationMs.toFixed(),
};
const sdk = new Countersign({ ...options, locale: "es" });
sdk.show("#signup");
sdk.show(document.querySelector("#signup"));
new CountersignUsageError("fix") satisfies Error;
sdk.show();
sdk.destroy();
createElement(CountersignFrame, { ...options, className: "signup" });
createElement(() => createElement("div", { ref: useCountersign({ ...options, sessionKey: undefined }) }));

export async function server(request: Request): Promise<void> {
  const sandbox = sandboxClient({ apiUrl: "https://api.example", apiKey: "k" });
  (await sandbox.moveSandboxClock({ advanceMs: 1 })).jobsRun satisfies number;
  const api = countersignClient({ apiUrl: "https://api.example", apiKey: "k", timeoutMs: 1000 });
  try {
    (await api.createSession({ phone: "+12125550010" })).sessionKey satisfies string;
    (await api.readOneClick("uuid")).identifiers satisfies Record<string, string>;
    (await api.createVerification({ channel: "sms", phone: "+12125550010" })).uuid satisfies string;
    (await api.createVerification({ channel: "autofill", deviceIp: "::1" })).location satisfies string;
    const channel: VerificationRequest = JSON.parse(await request.text());
    const begun = await api.createVerification(channel, { maxRetries: 1, idempotencyKey: "k" });
    ("location" in begun ? begun.location : begun.uuid) satisfies string;
    const credentialRequests = [{ type: "SsnCredential" }, { type: "EmailCredential", multi: true }] as const;
    const { identity } = await api.createOneClick({ phone: "+12125550010", credentialRequests });
    identity?.credentials?.ssn satisfies string | undefined;
    identity?.credentials?.email satisfies string[] | undefined;
    const issued = await api.readCredential("id");
    if (issued.type === "GenderCredential") issued.data.gender satisfies "Male" | "Female" | "Non-Binary" | "Other";
    if (issued.type === "FullNameCredential") issued.data[0]?.id satisfies string | undefined;
  } catch (error) {
    if (error instanceof CountersignError && error.is("OCE011")) error.data.additionalInputs satisfies string[];
    if (error instanceof WebhookError) error.reason satisfies string;
  }
  const event = await verifyWebhook({ body: await request.text(), headers: request.headers, secret: "s" });
  if (event.event === "1-click.health.lookup") event.results?.[0]?.payer.name satisfies string | undefined;
  await signWebhook({ body: "{}", secret: ["a", "b"] });
}
`;

/** Each line, with the one error that the compiler must report. */
const bad = [
  ['import { Countersign } from "@countersign/sdk";', ""],
  ['import { countersignClient } from "@countersign/sdk/server";', ""],
  ['import { verifyWebhook } from "@countersign/sdk/webhooks";', ""],
  ['import "@countersign/sdk/frame";', "TS2882"],
  ['const walletUrl = "https://wallet.example";', ""],
  ["const on = { onResult() {}, onError() {} };", ""],
  ["new Countersign({ walletUrl, ...on });", "TS2741"],
  ['new Countersign({ sessionKey: "k", walletUrl });', "TS2739"],
  ['const sdk = new Countersign({ sessionKey: "k", walletUrl, ...on, onResult: ({ phone }) => phone });', "TS2339"],
  ["sdk.show(7);", "TS2345"],
  ["const send = (uuid: string) => uuid;", ""],
  [
    'new Countersign({ sessionKey: "k", walletUrl, ...on, onResult: ({ identityUuid }) => send(identityUuid) });',
    "TS2345",
  ],
  ['new Countersign({ sessionKey: "k", walletUrl, ...on, onResult: ({ type }) => type === "SHARED" });', "TS2367"],
  ['const api = countersignClient({ apiUrl: "a", apiKey: "k" });', ""],
  ["api.readOneClick();", "TS2554"],
  ['api.createSession({ fone: "+12125550010" });', "TS2353"],
  ['api.createOneClick({ credentialRequests: [{ type: "FullName" }] });', "TS2769"],
  ['api.createVerification({ channel: "silent", phone: "+12125550010" });', "TS2769"],
  ['api.createVerification({ channel: "sms", phone: "+12125550010" }).then(({ location }) => location);', "TS2339"],
  ['api.issueCredentials({ credentials: [{ type: "EmailCredential", data: { mail: "a@b.example" } }] });', "TS2561"],
  ['api.issueCredentials({ credentials: [{ type: "GenderCredential", data: { gender: "X" } }] });', "TS2322"],
  ['verifyWebhook({ body: "{}", secret: "s" });', "TS2345"],
  ['verifyWebhook({ body: {}, secret: "s", timestamp: "1", signature: "v1=" });', "TS2322"],
] as const;

test("documented usage compiles, and incorrect usage does not", async () => {
  const consumer = join(folder, "consumer");
  for (const name of ["react", "@types", "csstype"])
    await symlink(join(root, "node_modules", name), join(consumer, "node_modules", name));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    module: "nodenext",
    target: "es2022",
    lib: ["es2023", "dom"],
    types: [],
  };
  await writeFile(join(consumer, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  await writeFile(join(consumer, "package.json"), '{ "type": "module" }');
  await writeFile(join(consumer, "good.ts"), good);
  await writeFile(join(consumer, "bad.ts"), bad.map(([line]) => `${line}\n`).join(""));
  const { stdout } = run(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), "--pretty", "false"],
    consumer,
  );
  const found = [...stdout.matchAll(/^([\w/.@-]+)\((\d+),\d+\): error (TS\d+)/gm)].map(
    ([, file, line, code]) => `${file}:${line} ${code}`,
  );
  const wanted = bad.flatMap(([, code], index) => (code === "" ? [] : [`bad.ts:${index + 1} ${code}`]));
  assert.deepEqual(found, wanted, stdout);
});
