import assert from "node:assert/strict";
import test from "node:test";
import { welcome } from "../../commands/welcome.ts";

const sandbox = { apiUrl: "http://localhost:4000", walletUrl: "http://localhost:4001" };
const ready = { pid: 1, environments: { sandbox }, dashboardUrl: "http://localhost:4002" };
const facts = { processes: 1, database: "embedded", missing: [] };

test("the start message says whose Node runs, and that the first start builds the documentation", () => {
  const first = welcome(ready, { ...facts, isPinnedNode: true, isSiteBuilt: false });
  assert.ok(first.includes(`(Node ${process.version} from node_modules, embedded PostgreSQL)`), first);
  assert.match(first, /\/docs {2}\(the first `npm start` builds it, about a minute\)\n/);
  const later = welcome(ready, { ...facts, isPinnedNode: false, isSiteBuilt: true });
  assert.ok(later.includes(`(Node ${process.version}, embedded PostgreSQL)`), later);
  assert.match(later, /\/docs\n/);
});
