/**
 * Runs every snippet of the start page, for every integration type: shell commands in a shell, TypeScript through the
 * compiler and then as a module, and the page in a browser.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { IntegrationType } from "@countersign/contract/brand";
import { folder, problemsIn } from "../../../../sdk/src/test/compile.ts";
import { demoBrands } from "../../../../service/src/providers/sandbox/demo.ts";
import { paste } from "../../../../service/src/test/harness/run-shell.ts";
import { buttonNamed, portOf } from "../harness/browser.ts";
import { browserDashboard, type Visitor } from "../harness/dashboard.ts";

const it = await browserDashboard();
await it.app.listen({ host: "127.0.0.1", port: 0 });
it.deps.addresses.apiUrl = `http://localhost:${portOf(it.app)}`;
const { walletUrl } = it.deps.addresses;
await it.seedDemo(walletUrl);
const phone = "+12125550010";
const types: IntegrationType[] = ["api", "sdk", "hosted", "semiHosted", "nonHosted", "v1"];

// The snippets' types are checked by the compiler, and their answers here.
type Module = Record<string, (...given: unknown[]) => Promise<unknown>>;
type Snippet = { title: string; language: string; text: string };

/** Opens the steps that are done or come later. */
async function openSteps({ page }: Visitor): Promise<void> {
  const folded = page.locator(".step details:not([open]) > summary");
  while ((await folded.count()) > 0) await folded.first().click();
}

/** The snippets that a brand's start page shows. */
async function snippetsOf(type: IntegrationType): Promise<Snippet[]> {
  const demo = demoBrands.find(({ integrationType }) => integrationType === type);
  const person = await it.member();
  await person.page.goto(`/brands/${demo?.uuid}/sandbox/start`);
  await person.at("start");
  await openSteps(person);
  const found = await person.page.getByRole("figure").evaluateAll((figures) =>
    figures.map((figure) => ({
      title: figure.querySelector("figcaption")?.textContent ?? "",
      language: figure.querySelector("code")?.className.replace("language-", "") ?? "",
      text: figure.querySelector("pre")?.textContent ?? "",
    })),
  );
  await person.done();
  return found;
}

/** Runs a snippet as a module, with the SDK's sources in place of the package. */
async function run(code: string, key: string): Promise<Module> {
  const place = await mkdtemp(join(tmpdir(), "countersign-snippet-"));
  after(() => rm(place, { recursive: true }));
  const sdk = pathToFileURL(resolve(import.meta.dirname, "../../../../sdk/src/server.ts")).href;
  const file = join(place, "snippet.ts");
  await writeFile(
    file,
    code.replace("@countersign/sdk/server", sdk).replace("process.env.COUNTERSIGN_KEY", `"${key}"`),
  );
  return await import(pathToFileURL(file).href);
}

/** The person of a page: enters the code if the page asks for it, shares, and comes back. */
async function shareAt(url: string, code: string): Promise<URLSearchParams> {
  const person = await it.visitor();
  await person.page.goto(url);
  await person.box("Verification code").fill(code);
  await person.button("Share").click();
  await person.page.waitForURL(/\/demo\/landing/);
  const { searchParams } = new URL(person.page.url());
  await person.done();
  return searchParams;
}

/** How a brand of each type uses the functions of its snippet. Returns what the last one does. */
const uses: Readonly<Record<Exclude<IntegrationType, "sdk">, (made: Module) => Promise<unknown>>> = {
  api: async ({ textCode, signUp }) => signUp?.(await textCode?.(phone), "111111"),
  nonHosted: async ({ signUp }) => signUp?.(phone),
  async semiHosted({ begin, signUp }) {
    const { uuid, code } = Object(await begin?.(phone));
    return signUp?.(uuid, code);
  },
  async hosted({ begin, signUp }) {
    const { url, code } = Object(await begin?.(phone));
    return signUp?.((await shareAt(url, code)).get("identityUuid"));
  },
  v1: async ({ begin, signUp }) => signUp?.((await shareAt(String(await begin?.(phone)), "111111")).get("1ClickUuid")),
};

/** A brand's site with the page's snippet, on another site than the wallet. Its server uses the server's snippet. */
async function brandSite(page: string, { createKey, signUp }: Module): Promise<{ url: string; found: string[] }> {
  const found: string[] = [];
  const textOf = async (answer: unknown) => (answer instanceof Response ? await answer.text() : "");
  const answers: Record<string, (request: IncomingMessage) => Promise<string>> = {
    "/": async () => `<!doctype html><title>Brand</title>${page}`,
    "/session": async () => textOf(await createKey?.()),
    async "/signup"(request) {
      const body = Buffer.concat(await request.toArray());
      found.push(await textOf(await signUp?.(new Request("http://brand.test/", { method: "POST", body }))));
      return "{}";
    },
  };
  const server = createServer(async (request, response) => {
    response.setHeader("content-type", request.url === "/" ? "text/html; charset=utf-8" : "application/json");
    response.end((await answers[request.url ?? ""]?.(request)) ?? "");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return { url: `http://127.0.0.1:${address.port}/`, found };
}

async function shareInFrame(person: Visitor): Promise<void> {
  const frame = person.page.frameLocator("#signup iframe");
  await frame.getByRole("textbox", { name: "Phone number" }).fill(phone.slice(2));
  await frame.getByRole("textbox", { name: "Verification code" }).fill("111111");
  for (const name of ["Share", "Continue without insurance"])
    await frame.getByRole("button", buttonNamed(name)).click();
}

for (const type of types)
  test(`every snippet of the start page works as pasted: ${type}`, async () => {
    const snippets = await snippetsOf(type);
    const key = snippets.find(({ title }) => title === "Key")?.text ?? "";
    const inShell = snippets.filter(({ language }) => language === "sh");
    assert.ok(inShell.length >= 2 && /^sk_sandbox_demo/.test(key));
    for (const { title, text } of inShell) {
      const { statuses, out } = await paste(text);
      assert.equal(statuses.length, text.match(/\bcurl /g)?.length ?? 0, `${title}: ${out}`);
      assert.ok(
        statuses.every((status) => status < 300),
        `${title}: ${out}`,
      );
    }
    const [server, ...more] = snippets.filter(({ language }) => language === "ts");
    assert.ok(server !== undefined && more.length === 0);
    assert.deepEqual(problemsIn(new Map([[join(folder, `${type}.ts`), server.text]])), []);
    const made = await run(server.text, key);
    if (type !== "sdk") return assert.match(JSON.stringify(await uses[type](made)), /Hendricks/);
    const page = snippets.find(({ language }) => language === "html")?.text ?? "";
    const { url, found } = await brandSite(page, made);
    const person = await it.visitor();
    await person.page.goto(url);
    const sent = person.page.waitForResponse(/signup$/);
    await shareInFrame(person);
    await sent;
    assert.match(found.join(), /fullName/);
    await person.done();
  });

test("the developer's own page works after one paste and shows the verified phone", async () => {
  const snippet = (await snippetsOf("sdk")).find(({ language }) => language === "server");
  const place = await mkdtemp(join(tmpdir(), "countersign-own-page-"));
  const site = spawn("bash", ["-c", `exec bash <(cat)`], {
    cwd: place,
    env: { ...process.env, PORT: "0" },
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const ended = once(site, "close");
  after(async () => {
    if (site.pid !== undefined && site.exitCode === null) process.kill(-site.pid);
    await ended;
    await rm(place, { recursive: true });
  });
  site.stdin.end(snippet?.text);
  const [line] = await Promise.race([
    once(createInterface({ input: site.stdout }), "line"),
    ended.then(([code]) => assert.fail(`the site ended with ${code}`)),
  ]);
  const person = await it.visitor();
  await person.page.goto(/http:\S+/.exec(String(line))?.[0] ?? "");
  await shareInFrame(person);
  await person.page.getByText(`Verified: ${phone}, fullName`).waitFor();
  // Another path creates no session.
  const icon = await fetch(new URL("/favicon.ico", person.page.url()));
  assert.deepEqual([icon.status, await icon.text()], [404, ""]);
  await person.done();
});

test("in production the page does not mention test people or their codes", async () => {
  const person = await it.member();
  const { call } = person.member;
  for (const type of types) {
    const brand = (await call("POST", "/api/brands", { name: `Live ${type}`, integrationType: type })).body.uuid;
    await call("POST", `/api/brands/${brand}/production`, { sourceVersion: 1 });
    await person.page.goto(`/brands/${brand}/production/start`);
    await person.at("start");
    await openSteps(person);
    const text = await person.page.locator("main .start").innerText();
    assert.doesNotMatch(text, /sandbox|test person|111111|2125550010/i, type);
    if (type !== "api") continue;
    await person.box("Their phone number").fill("(415) 555-2671");
    const pastes = await person.page.getByRole("figure").allInnerTexts();
    assert.equal(pastes.filter((one) => one.includes('"phone":"+14155552671"')).length, 2);
    await person.picture("start-production");
  }
  await person.done();
});
