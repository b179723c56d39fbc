import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { themeSheet } from "@countersign/contract/theme";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { findLogo } from "../../domain/brand/logo.ts";
import type { Deps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import type { Guard } from "../mount.ts";

/** What the build of `packages/web` left: the addresses a page names, and every file with its compressed forms. */
export type WebAssets = { script: string | null; styles: string[]; files: ReadonlyMap<string, Buffer> };

const webFolder = fileURLToPath(new URL("../../../../web/dist", import.meta.url));
const foreverSeconds = 31_536_000;
const types: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  woff2: "font/woff2",
  png: "image/png",
};

/** Reads the newest build; none where it was not built, as in tests of the interface alone. */
export async function readWebAssets(folder = webFolder): Promise<WebAssets> {
  const current = await readFile(join(folder, "current"), "utf8").catch(() => null);
  if (current === null) return { script: null, styles: [], files: new Map() };
  const built = join(folder, current.trim());
  const { script, styles }: { script: string; styles: string[] } = JSON.parse(
    await readFile(join(built, "entry.json"), "utf8"),
  );
  const names = await readdir(join(built, "assets"));
  const files = await Promise.all(
    names.map(async (name): Promise<[string, Buffer]> => [name, await readFile(join(built, "assets", name))]),
  );
  return { script, styles, files: new Map(files) };
}

/** Files whose names change with what is in them: kept for ever, sent in the smallest form the browser takes. */
export function routesAssets(app: FastifyInstance, { files }: WebAssets): void {
  app.get<{ Params: { name: string } }>("/assets/:name", async (request, reply) => {
    const { name } = request.params;
    const plain = files.get(name);
    const type = types[name.slice(name.lastIndexOf(".") + 1)];
    if (plain === undefined || type === undefined) throw refuse(404, "There is nothing under this path.");
    forever(reply).type(type);
    for (const { encoding, suffix } of encodings) {
      const packed = accepts(request, encoding) ? files.get(`${name}${suffix}`) : undefined;
      if (packed !== undefined) return reply.header("content-encoding", encoding).send(packed);
    }
    return reply.send(plain);
  });
  app.get<{ Params: { name: string } }>("/theme/:name", async (request, reply) => {
    const sheet = themeSheet(request.params.name);
    if (sheet === null) throw refuse(404, "There is nothing under this path.");
    return forever(reply).type("text/css; charset=utf-8").send(sheet);
  });
}

/** Brands' pictures. Whatever was slipped into one runs nothing, loads nothing, and is no page of ours. */
export function routesLogos(app: FastifyInstance, deps: Deps, guard: Guard<void>): void {
  app.get<{ Params: { name: string } }>("/logo/:name", async (request, reply) => {
    await guard(request, reply);
    const found = await findLogo(deps.db, deps.environment, `/logo/${request.params.name}`);
    if (found === null) throw refuse(404, "There is nothing under this path.");
    return forever(reply)
      .header("content-security-policy", "default-src 'none'; sandbox")
      .type(found.mimeType)
      .send(found.bytes);
  });
}

const encodings = [
  { encoding: "br", suffix: ".br" },
  { encoding: "gzip", suffix: ".gz" },
] as const;

function accepts(request: FastifyRequest, encoding: string): boolean {
  const taken = String(request.headers["accept-encoding"] ?? "").split(",");
  return taken.some((one) => one.trim().split(";")[0] === encoding && !/;\s*q=0(\.0*)?$/.test(one));
}

function forever(reply: FastifyReply): FastifyReply {
  return reply
    .header("cache-control", `public, max-age=${foreverSeconds}, immutable`)
    .header("vary", "accept-encoding");
}
