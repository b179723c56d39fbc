/** Two members use one browser: a page that shows the first one cannot act as the second one, whose cookie it sends. */
import assert from "node:assert/strict";
import test from "node:test";
import { memberHeader } from "@countersign/contract/dashboard";
import type { Endpoint } from "@countersign/contract/endpoint";
import { declaredEndpoints } from "../harness/contract-endpoints.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { assertEnvelope, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const [anna, ben] = [await signedIn(it), await signedIn(it)];
const unknown = "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21";
const pathOf = ({ path }: Endpoint) => path.replace(":environment", "sandbox").replace(/:\w+/g, unknown);
const named = (uuid: string) => ({ [memberHeader]: uuid });

test("every call that names another member, or nobody by an empty name, is refused and says why", async () => {
  const calls = declaredEndpoints.filter(({ auth }) => auth === "member");
  assert.ok(calls.length > 30);
  for (const call of calls)
    for (const uuid of [anna.uuid, ""]) {
      const { status, body, headers } = await ben.call(call.method, pathOf(call), undefined, named(uuid));
      assert.equal(status, 409, call.id);
      assertEnvelope(status, body);
      assert.equal(headers[memberHeader], "other", call.id);
    }
  assert.equal((await ben.call("GET", "/api/me")).status, 200, "ben is still signed in");
});

test("a name, a passkey and a sign-out of the page that shows Anna do not reach Ben, but Ben's own do", async () => {
  const nameOf = async () => ((await ben.call("GET", "/api/me")).body.member as { name: string }).name;
  const before = await nameOf();
  assert.equal((await ben.call("PATCH", "/api/me", { name: "Anna" }, named(anna.uuid))).status, 409);
  assert.equal(await nameOf(), before);
  assert.equal((await ben.call("GET", "/api/members", undefined, named(anna.uuid))).status, 409);
  assert.equal((await ben.call("POST", "/api/me/passkeys", {}, named(anna.uuid))).status, 409);
  const { uuid } = (await anna.call("POST", "/api/me/passkeys", {}, named(anna.uuid))).body;
  const credential = { id: "x", rawId: "x", type: "public-key", clientExtensionResults: {}, response: {} };
  const made = { name: "Anna's phone", credential };
  assert.equal((await ben.call("POST", `/api/me/passkeys/${uuid}`, made, named(anna.uuid))).status, 409);
  assert.equal((await ben.call("DELETE", "/api/session", undefined, named(anna.uuid))).status, 409);
  // A page that shows Ben, and a script that shows nobody.
  assert.equal((await ben.call("PATCH", "/api/me", { name: "Ben" }, named(ben.uuid))).status, 200);
  assert.equal(await nameOf(), "Ben");
  assert.equal((await ben.call("PATCH", "/api/me", { name: "Benjamin" })).status, 200);
  assert.equal((await ben.call("POST", "/api/me/passkeys", {}, named(ben.uuid))).status, 201);
  assert.equal((await ben.call("DELETE", "/api/session", undefined, named(ben.uuid))).status, 200);
});

test("a session that must add a passkey, or whose role is too low, still learns first that it is another's", async () => {
  const viewer = await signedIn(it, { role: "viewer" });
  const invites = { email: "new@example.com", name: "", role: "owner" };
  assert.equal((await viewer.call("POST", "/api/members", invites, named(anna.uuid))).status, 409);
  assert.equal((await viewer.call("POST", "/api/members", invites, named(viewer.uuid))).status, 403);
});
