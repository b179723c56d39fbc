import assert from "node:assert/strict";
import test from "node:test";
import { welcome } from "../../commands/welcome.ts";

const sandbox = { apiUrl: "http://localhost:4000", walletUrl: "http://localhost:4001" };
const ready = { pid: 1, environments: { sandbox }, dashboardUrl: "http://localhost:4002" };
const facts = { processes: 1, database: "embedded", missing: [] };

test("the start message says whose Node runs, and that the first start builds the documentation", () => {
  const brands = [{ uuid: "b", name: "Demo", apiKey: "sk_sandbox_demo_api", integrationType: "api" as const }];
  const first = welcome({ ...ready, demo: { brands } }, { ...facts, isPinnedNode: true, isSiteBuilt: false });
  assert.ok(first.includes(`(Node ${process.version} from node_modules, embedded PostgreSQL)`), first);
  assert.match(first, /\/docs {2}\(the first `npm start` builds it, about a minute\)\n/);
  // The stage comes first, because it explains the product before anybody types a call.
  assert.equal(/http:\S+/.exec(first)?.[0], "http://localhost:4001/demo");
  const later = welcome(ready, { ...facts, isPinnedNode: false, isSiteBuilt: true });
  assert.ok(later.includes(`(Node ${process.version}, embedded PostgreSQL)`), later);
  assert.match(later, /\/docs\n/);
});

test("the start message of a server without demo brands says that its operator builds the documentation", () => {
  const said = welcome(ready, { ...facts, isPinnedNode: true, isSiteBuilt: false });
  assert.doesNotMatch(said, /\/demo/);
  assert.match(said, /\/docs {2}\(not built: run `npm run build -- docs`\)\n/);
});
