/**
 * Inspects a packed package as bundlers, Node and all module modes of the TypeScript compiler resolve it. Prints JSON.
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";

const tarball = new Uint8Array(readFileSync(process.argv[2]));
const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
const { types, problems = [], entrypoints } = await checkPackage(createPackageFromTarballData(tarball));
const resolved = Object.entries(entrypoints ?? {}).map(([name, { resolutions }]) => [
  name,
  Object.entries(resolutions).map(([kind, { resolution }]) => `${kind}: ${resolution?.fileName ?? "nothing"}`),
]);
process.stdout.write(JSON.stringify({ hasTypes: types !== false, problems, messages, resolved }));
