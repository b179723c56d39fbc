import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { themeSheet } from "@countersign/contract/theme";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { findLogo } from "../../domain/brand/logo.ts";
import type { HomeDeps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import type { Guard } from "../mount.ts";
import { acceptedEncoding, encodings, forPagesOfAnySite } from "../public-files.ts";

/**
 * The build of `packages/web`: the URLs that pages use, and every file with its compressed forms. `isTest`: whether each
 * page says that it is in a test environment.
 */
export type WebAssets = { apps: Record<AppName, App>; files: ReadonlyMap<string, Buffer>; isTest: boolean };
/**
 * The files that an application's page loads, and our typeface, which it loads early. The script is null if the
 * application was not built.
 */
type App = { script: string | null; styles: string[]; typeface?: string };
const appNames = ["wallet", "everything", "demo", "dashboard", "console", "testWallet"] as const;
export type AppName = (typeof appNames)[number];
const unbuilt: App = { script: null, styles: [] };

const webFolder = fileURLToPath(new URL("../../../../web/dist", import.meta.url));
const sdkFolder = fileURLToPath(new URL("../../../../sdk/dist", import.meta.url));
const sdkName = "sdk.js";
/** How long browsers cache the SDK, in seconds. It is short, so that a fix reaches visitors within minutes. */
const sdkSeconds = 300;
const foreverSeconds = 31_536_000;
const types: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  woff2: "font/woff2",
  png: "image/png",
};

/** Reads the newest build. Empty without a build, as in tests of the API. */
export async function readWebAssets(): Promise<WebAssets> {
  const current = await readFile(join(webFolder, "current"), "utf8").catch(() => null);
  if (current === null)
    return {
      apps: {
        wallet: unbuilt,
        everything: unbuilt,
        demo: unbuilt,
        dashboard: unbuilt,
        console: unbuilt,
        testWallet: unbuilt,
      },
      files: new Map(),
      isTest: false,
    };
  const built = join(webFolder, current.trim());
  const apps: Record<AppName, App> = JSON.parse(await readFile(join(built, "entry.json"), "utf8"));
  const names = await readdir(join(built, "assets"));
  const files = await Promise.all(
    names.map(async (name): Promise<[string, Buffer]> => [name, await readFile(join(built, "assets", name))]),
  );
  return { apps, files: new Map([...files, ...(await readSdk())]), isTest: false };
}

/** The script that brands load, with its compressed forms. */
async function readSdk(): Promise<[string, Buffer][]> {
  const names = ["", ...encodings.map(({ suffix }) => suffix)].map((suffix) => `${sdkName}${suffix}`);
  return await Promise.all(
    names.map(async (name): Promise<[string, Buffer]> => [name, await readFile(join(sdkFolder, name))]),
  );
}

/** Files with a hash in their names: cached forever, and sent in the smallest encoding that the browser accepts. */
export function routesAssets(app: FastifyInstance, { files }: WebAssets): void {
  app.get<{ Params: { name: string } }>("/assets/:name", async (request, reply) => {
    const { name } = request.params;
    if (!files.has(name) || name.startsWith(sdkName)) throw refuse(404, "There is nothing under this path.");
    return sendFile(request, cacheForever(reply), { name, files });
  });
  app.get(`/${sdkName}`, async (request, reply) => {
    reply
      .header("cache-control", `public, max-age=${sdkSeconds}`)
      .header("vary", "accept-encoding")
      .headers(forPagesOfAnySite);
    return sendFile(request, reply, { name: sdkName, files });
  });
  app.get<{ Params: { name: string } }>("/theme/:name", async (request, reply) => {
    const sheet = themeSheet(request.params.name);
    if (sheet === null) throw refuse(404, "There is nothing under this path.");
    return cacheForever(reply).type("text/css; charset=utf-8").send(sheet);
  });
}

/** A file in the smallest encoding that the browser accepts. */
function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, files }: { name: string; files: WebAssets["files"] },
): FastifyReply {
  const plain = files.get(name);
  const type = types[name.slice(name.lastIndexOf(".") + 1)];
  if (plain === undefined || type === undefined) throw refuse(404, "There is nothing under this path.");
  reply.type(type);
  const accepted = acceptedEncoding(request, (suffix) => files.has(`${name}${suffix}`));
  if (accepted === undefined) return reply.send(plain);
  return reply.header("content-encoding", accepted.encoding).send(files.get(`${name}${accepted.suffix}`));
}

/** Serves brands' logos. Content that is hidden in a logo cannot run, load anything, or act as our page. */
export function routesLogos(app: FastifyInstance, homeDeps: HomeDeps, guard: Guard<void>): void {
  app.get<{ Params: { name: string } }>("/logo/:name", async (request, reply) => {
    await guard(request, reply);
    const found = await findLogo(homeDeps.home, homeDeps.environment, `/logo/${request.params.name}`);
    if (found === null) throw refuse(404, "There is nothing under this path.");
    return (
      cacheForever(reply)
        // Wallet apps in browsers show it too.
        .headers(forPagesOfAnySite)
        .header("content-security-policy", "default-src 'none'; sandbox")
        .type(found.mimeType)
        .send(found.bytes)
    );
  });
}

function cacheForever(reply: FastifyReply): FastifyReply {
  return reply
    .header("cache-control", `public, max-age=${foreverSeconds}, immutable`)
    .header("vary", "accept-encoding");
}
