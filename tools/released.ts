/**
 * `node tools/released.ts`: stores what a release promises to later versions, in the commit of the release: its OpenAPI
 * documents (`compat.test.ts`) and its migrations (`migrations.test.ts`).
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { migrations } from "../packages/service/src/store/migrations/migrate.ts";
import { openapiDocuments } from "./openapi.ts";

const root = resolve(import.meta.dirname, "..");
const documents = Object.entries(openapiDocuments()).map(([path, text]) => [
  path.replace("docs/api/", "docs/api/released/"),
  text,
]);
const files = {
  ...Object.fromEntries(documents),
  "packages/service/src/store/migrations/released.json": `${JSON.stringify(migrations, null, 2)}\n`,
};
for (const [path, text] of Object.entries<string>(files)) {
  mkdirSync(dirname(resolve(root, path)), { recursive: true });
  writeFileSync(resolve(root, path), text);
  process.stdout.write(`written: ${path}\n`);
}
