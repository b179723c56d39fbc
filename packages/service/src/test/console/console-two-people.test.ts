/** Two operators use one browser: a page that shows the first one cannot act as the second one, whose cookie it sends. */
import assert from "node:assert/strict";
import test from "node:test";
import { operatorHeader } from "@countersign/contract/console";
import type { Endpoint } from "@countersign/contract/endpoint";
import { demoBrands } from "../../providers/sandbox/demo.ts";
import { signedInStaff } from "../harness/console-staff.ts";
import { declaredEndpoints } from "../harness/contract-endpoints.ts";
import { assertEnvelope, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const [anna, ben] = [await signedInStaff(it), await signedInStaff(it)];
const unknown = "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21";
const pathOf = ({ path }: Endpoint) => path.replace(/:\w+/g, unknown);
const named = (uuid: string) => ({ [operatorHeader]: uuid });

test("every call that names another operator, or nobody by an empty name, is refused and says why", async () => {
  const calls = declaredEndpoints.filter(({ auth }) => auth === "operator");
  assert.ok(calls.length >= 14);
  const logo = { id: "logo", method: "GET", path: "/api/console/logos/:request" };
  for (const { id, method, path } of [...calls.map((one) => ({ ...one, path: pathOf(one) })), logo])
    for (const uuid of [anna.uuid, ""]) {
      const { status, body, headers } = await ben.call(method, path, undefined, named(uuid));
      assert.equal(status, 409, id);
      assertEnvelope(status, body);
      assert.equal(headers[operatorHeader], "other", id);
    }
  assert.equal((await ben.call("GET", "/api/console/me")).status, 200, "ben is still signed in");
});

test("an approval, a passkey and a sign-out of the page that shows Anna are not Ben's, but Ben's own are", async () => {
  const path = `/api/console/brands/${demoBrands[0]?.uuid}/approvals`;
  const grant = { environment: "sandbox", approval: "barePhone", granted: true, reason: "Asked by phone" };
  const seen = async () =>
    (await it.store.db.selectFrom("account_audit").select("reason").where("reason", "=", grant.reason).execute())
      .length;
  assert.equal((await ben.call("POST", path, grant, named(anna.uuid))).status, 409);
  assert.equal(await seen(), 0);
  assert.equal((await ben.call("GET", "/api/console/customers", undefined, named(anna.uuid))).status, 409);
  assert.equal((await ben.call("POST", "/api/console/me/passkeys", {}, named(anna.uuid))).status, 409);
  const { uuid } = (await anna.call("POST", "/api/console/me/passkeys", {}, named(anna.uuid))).body;
  const credential = { id: "x", rawId: "x", type: "public-key", clientExtensionResults: {}, response: {} };
  const finish = `/api/console/me/passkeys/${uuid}`;
  assert.equal((await ben.call("POST", finish, { credential }, named(anna.uuid))).status, 409);
  assert.equal((await ben.call("DELETE", "/api/console/session", undefined, named(anna.uuid))).status, 409);
  // A page that shows Ben, and a script that shows nobody.
  assert.equal((await ben.call("POST", path, grant, named(ben.uuid))).status, 200);
  assert.equal(await seen(), 1);
  assert.equal((await ben.call("POST", "/api/console/me/passkeys", {})).status, 201);
  assert.equal((await ben.call("DELETE", "/api/console/session", undefined, named(ben.uuid))).status, 200);
});
