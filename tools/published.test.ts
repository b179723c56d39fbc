/** The packages that others install: their names, their changesets, and the workflow that publishes them. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";

const root = resolve(import.meta.dirname, "..");
const textOf = (path: string) => readFileSync(join(root, path), "utf8");
const manifests = globSync("packages/*/package.json", { cwd: root }).map((path) => JSON.parse(textOf(path)));
const names = new Set(manifests.map(({ name }) => name));
const published = manifests.filter((manifest) => manifest.private !== true);

/** Files with a mention of one of our packages under any scope, such as `@acme/sdk`, that has another name now. */
function otherNames(files: Record<string, string>): string[] {
  const shortNames = [...names].map((name) => String(name).split("/")[1]).join("|");
  const mention = new RegExp(`@[a-z0-9-]+/(?:${shortNames})(?![\\w-])`, "g");
  return Object.entries(files).flatMap(([path, text]) =>
    [...text.matchAll(mention)].filter(([name]) => !names.has(name)).map(([name]) => `${path}: ${name}`),
  );
}

test("each mention of our packages has the name from its package.json", () => {
  const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0");
  const readable = tracked.filter(
    (path) => /\.(?:md|ts|tsx|mjs|json|yml|yaml)$/.test(path) && !path.endsWith("-lock.json"),
  );
  const files = Object.fromEntries(readable.map((path) => [path, textOf(path)]));
  delete files["tools/published.test.ts"];
  assert.deepEqual(otherNames(files), []);
  assert.deepEqual(otherNames({ "a.md": 'from "@acme/sdk/server"; "@acme/sdk-trace"' }), ["a.md: @acme/sdk"]);
});

test("each published package is public, has provenance, and its README says that its name is not on the registry", () => {
  assert.deepEqual(
    published.map(({ name }) => name),
    ["@countersign/sdk"],
  );
  // The service's package is not a workspace: `tools/pack.ts` makes it from the root.
  assert.match(textOf("tools/pack.ts"), /publishConfig: \{ access: "public", provenance: true \}/);
  assert.match(textOf("packages/service/README.md"), /not on the npm registry\s+yet/);
  for (const { publishConfig, license, engines } of published)
    assert.deepEqual(
      [publishConfig, license, engines],
      [{ access: "public", provenance: true }, "Apache-2.0", { node: ">=20" }],
    );
  assert.match(textOf("packages/sdk/README.md"), /not on the npm registry yet/);
});

test("each changeset is for the service or the SDK, and all packages have one version", () => {
  const { fixed }: { fixed: string[][] } = JSON.parse(textOf(".changeset/config.json"));
  assert.deepEqual(fixed, [["@countersign/*"]]);
  const files = globSync(".changeset/*.md", { cwd: root }).filter((path) => !path.endsWith("README.md"));
  for (const path of files) {
    const [, head = ""] = textOf(path).split("---\n");
    const named = Object.entries(parse(head));
    assert.ok(named.length > 0, path);
    for (const [name, kind] of named) {
      assert.ok(["@countersign/service", "@countersign/sdk"].includes(name), `${path}: ${name}`);
      assert.match(String(kind), /^(?:patch|minor|major)$/);
    }
  }
});

type Step = { uses?: string; run?: string; with?: Record<string, unknown>; env?: Record<string, string> };
type Job = {
  permissions: Record<string, string>;
  outputs?: Record<string, string>;
  environment?: string;
  needs?: string | string[];
  strategy?: { matrix: { node: number[] } };
  steps: Step[];
};
const workflows = globSync(".github/workflows/*.yml", { cwd: root }).map((path) => {
  const text = textOf(path);
  const { permissions, jobs }: { permissions: object; jobs: Record<string, Job> } = parse(text);
  return { path, text, permissions, jobs: Object.entries(jobs) };
});
const scripts: Record<string, string> = JSON.parse(textOf("package.json")).scripts;

/** What a step may not do in any workflow: run code that can change without a commit here, or keep a token. */
function problemsOf(text: string, { uses, run, with: options }: Step): string[] {
  const floating = /\bnpm install\b.*\bnpm@(?!\d+\.\d+\.\d+(?:\s|$))/.test(run ?? "") || /\bnpx\b/.test(run ?? "");
  if (floating) return [`floating: ${run}`];
  if (uses === undefined) return [];
  const pinned = /^[\w./-]+@[0-9a-f]{40}$/.test(uses);
  const hasVersion = pinned && new RegExp(`${uses} # v\\d+\\.\\d+\\.\\d+$`, "m").test(text);
  const keepsToken = uses.startsWith("actions/checkout@") && options?.["persist-credentials"] !== false;
  return [
    ...(hasVersion ? [] : [`not pinned with its version: ${uses}`]),
    ...(keepsToken ? [`keeps a token: ${uses}`] : []),
  ];
}

test("each workflow has only rights that its jobs name, pinned actions, exact versions and no stored token", () => {
  for (const { path, text, permissions, jobs } of workflows) {
    assert.deepEqual(permissions, {}, path);
    for (const [, { steps }] of jobs)
      assert.deepEqual(
        steps.flatMap((step) => problemsOf(text, step)),
        [],
        path,
      );
    assert.ok(
      [...text.matchAll(/\bsecrets\.(\w+)/g)].every(([, name]) => name === "GITHUB_TOKEN"),
      path,
    );
    for (const [, script = ""] of text.matchAll(/npm run (\w+)/g)) assert.ok(script in scripts, script);
  }
  const tag = "actions/checkout@v5";
  assert.equal(problemsOf(`uses: ${tag}`, { uses: tag }).length, 2);
  assert.equal(problemsOf("", { run: "npm install --global npm@11" }).length, 1);
});

const jobs = new Map(workflows.flatMap((one) => one.jobs));
const jobOf = (name: string) => jobs.get(name) ?? assert.fail(name);
const uses = (name: string) => jobOf(name).steps.flatMap((step) => step.uses?.split("@")[0] ?? []);
const runs = (name: string) => jobOf(name).steps.flatMap((step) => step.run ?? []);

test("each right to publish is in a job of its own, which has no other right and runs no code of the repository", () => {
  const rights = [...jobs].map(([name, { permissions }]) => [name, permissions]);
  assert.deepEqual(Object.fromEntries(rights), {
    pack: { contents: "read" },
    image: { contents: "read" },
    verify: { contents: "read" },
    next: { contents: "read" },
    propose: { contents: "write", "pull-requests": "write" },
    publish: { "id-token": "write" },
    push: { packages: "write" },
    release: { contents: "write" },
  });
  assert.equal(jobOf("publish").environment, "npm");
  assert.deepEqual(uses("publish"), ["actions/setup-node", "actions/download-artifact"]);
  for (const name of ["push", "release"]) assert.deepEqual(uses(name), ["actions/download-artifact"]);
  // Each program that these jobs run comes from the machine or has an exact version.
  const programs = /(?<=^ *|&& |\| |\(|then |else |if )(?:npm|npx|node|tar|jq|skopeo|docker|gh)\b(?: [a-z]+)?/gm;
  const found = ["publish", "push", "release"].map((name) =>
    [...new Set(runs(name).join("\n").match(programs))].sort(),
  );
  assert.deepEqual(found, [
    ["jq", "npm install", "npm publish", "npm view", "tar"],
    ["skopeo copy", "skopeo login"],
    ["gh release"],
  ]);
  assert.deepEqual(runs("publish")[0], "npm install --global --ignore-scripts npm@11.19.1");
});

test("both packages are published with provenance, and each later job needs the one before it", () => {
  const [, loop = ""] = runs("publish");
  assert.match(loop, /for file in \.\/packed\/\*\.tgz; do/);
  assert.match(loop, /npm publish --ignore-scripts --provenance --access public "\$file"/);
  const needs = [...jobs].map(([name, job]) => [name, job.needs]);
  assert.deepEqual(Object.fromEntries(needs), {
    pack: undefined,
    image: undefined,
    verify: ["pack", "image"],
    next: "verify",
    propose: "next",
    publish: ["pack", "next"],
    push: ["image", "next", "publish"],
    release: ["pack", "next", "push"],
  });
});

test("what is published was built by a job that may only read and runs no tests, and then tested by another one", () => {
  assert.deepEqual(jobOf("pack").strategy?.matrix.node, [20, 22, 24]);
  const uploads = [...jobs.keys()].filter((name) => uses(name).includes("actions/upload-artifact"));
  assert.deepEqual(uploads, ["pack", "image"]);
  assert.deepEqual(
    runs("pack")
      .join("\n")
      .match(/\bnpm \w+(?: pack)?/g),
    ["npm pkg", "npm pkg", "npm run pack"],
  );
  const { steps } = jobOf("pack");
  assert.equal(steps.at(-1)?.with?.path, "dist");
  assert.match(runs("verify").join("\n"), /npm run check\nnpm test -- .*\bpublished versions deploy packed\n/);
});

test("each download names the id of what was built, because tests could replace an artifact under its name", () => {
  const idOf = { pack: "packed", image: "image" };
  for (const [name, id] of Object.entries(idOf))
    assert.deepEqual(jobOf(name).outputs, { artifact: `\${{ steps.${id}.outputs.artifact-id }}` });
  const artifactOf = (job: string) => `\${{ needs.${job}.outputs.artifact }}`;
  const downloads = [...jobs].flatMap(([name, { steps }]) =>
    steps.filter((step) => step.uses?.includes("download-artifact")).map((step) => [name, step.with?.["artifact-ids"]]),
  );
  assert.deepEqual(downloads, [
    ["verify", artifactOf("image")],
    ["publish", artifactOf("pack")],
    ["push", artifactOf("image")],
    ["release", artifactOf("pack")],
  ]);
  // The job that decides what is next has no outputs of the job that runs the tests.
  assert.equal(jobOf("verify").outputs, undefined);
  assert.deepEqual(uses("next"), ["actions/checkout", "actions/setup-node"]);
});

test("the release has both packages and their SBOMs, and the image's index has its own SBOM and provenance", () => {
  assert.match(
    runs("release").join("\n"),
    /--notes-file packed\/release-notes\.md \.\/packed\/\*\.tgz \.\/packed\/\*\.cdx\.json/,
  );
  const build = runs("image").join("\n");
  assert.match(build, /--file deploy\/Dockerfile /);
  assert.match(build, /--attest type=provenance,mode=max /);
  assert.match(build, /--attest type=sbom,generator=/);
  assert.match(build, /--output type=oci,dest=image\.tar \.$/m);
  assert.match(runs("push").join("\n"), /skopeo copy --all oci-archive:image\.tar /);
  for (const { text } of workflows) {
    const images = text.match(/(?<=(?:image|generator)=)\S+\/\S+/g) ?? [];
    for (const image of images) assert.match(image, /^[\w./-]+:[\w.]+@sha256:[0-9a-f]{64}$/);
  }
});
