#!/usr/bin/env node
// `countersign <command>` of the npm package: the bundle on the pinned Node. `tools/pack.ts` puts the bundle beside it.
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { runPinned } from "../../../tools/run-pinned.mjs";

const bundle = fileURLToPath(new URL("../dist/packed", import.meta.url));
const args = [join(bundle, "cli.mjs"), ...process.argv.slice(2)];
await runPinned(args, { cwd: process.cwd(), cache: join(bundle, ".cache") });
