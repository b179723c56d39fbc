import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Bench } from "./bench.ts";

const root = resolve(import.meta.dirname, "..");
const kilobyte = 1_024;
/** What makes a browser load a file: tags in pages, URLs in styles, imports in scripts. */
const loads = [
  /\b(?:src|href)="(https?:)?\/\/[^"]+"/g,
  /url\(["']?(https?:)?\/\//g,
  /\b(?:import|from)\s*\(?["'](https?:)?\/\//g,
];

/** The size of a browser's first load as gzip. The other encoding is smaller. */
export async function benchSizes(bench: Bench): Promise<void> {
  await once(spawn("npm", ["run", "build"], { cwd: root, stdio: "ignore" }), "exit");
  const dist = resolve(root, "packages/web/dist");
  const current = resolve(dist, (await readFile(resolve(dist, "current"), "utf8")).trim());
  const { wallet } = JSON.parse(await readFile(resolve(current, "entry.json"), "utf8"));
  const sdk = await readFile(resolve(root, "packages/sdk/dist/sdk.js.gz"));
  bench.row({ what: "script of the wallet's first load, KB", figure: wallet.firstLoadBytes / kilobyte, limit: 60 });
  bench.row({ what: "script of the SDK, KB", figure: sdk.length / kilobyte, limit: 5 });
  const files = [...globSync(`${current}/assets/*.{js,css}`), resolve(root, "packages/sdk/dist/sdk.js")];
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  const others = texts.flatMap((text) => loads.flatMap((pattern) => text.match(pattern) ?? []));
  bench.row({ what: "addresses of other hosts that they load", figure: others.length, limit: 0 });
}
