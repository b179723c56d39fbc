/** What a brand can still do with a 1-Click whose data it has. */
import assert from "node:assert/strict";
import test from "node:test";
import type { AmendRequest, OneClickRequest } from "@countersign/contract/v2";
import { freshPhone } from "../harness/below-http.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const minute = 60_000;
const needy = "+12125550022";
const birthDate = "1989-08-01";

const ask = async (body: OneClickRequest) => (await it.api.createOneClick({ body })).body;
const refused = (body: OneClickRequest) => refusal(it.api.createOneClick({ body }));
/** Asks for a 1-Click that needs a birth date, and returns its uuid. */
const waiting = async (given: OneClickRequest = { phone: needy }) => {
  const { errorCode, data } = await refused(given);
  assert.equal(errorCode, "OCE011");
  return String(data.identityUuid);
};
const unreadable = async (uuid: string) => (await refusal(it.api.readOneClick({ params: { uuid } }))).errorCode;
const auditOf = async (uuid: string) =>
  (
    await it.store.db.selectFrom("audit").select("action").where("one_click_uuid", "=", uuid).orderBy("id").execute()
  ).map((row) => row.action);

test("a released 1-Click's data is used again for its hour, and no challenge is asked again", async () => {
  const uuid = await waiting();
  const { identity } = await ask({ identityUuid: uuid, birthDate });
  await it.advance(59 * minute);
  for (const given of [{}, { phone: needy }, { birthDate }, { ssn4: "6789" }])
    assert.deepEqual(await ask({ identityUuid: uuid, ...given }), { uuid, identity }, JSON.stringify(given));
  assert.equal((await refused({ identityUuid: uuid, birthDate: "1979-01-01" })).errorCode, "OCE012");
  const { identity: scoredAgain } = await ask({ identityUuid: uuid, email: "b@example.com" });
  assert.deepEqual(scoredAgain.credentials, identity.credentials);
  await it.advance(minute);
  assert.equal((await refused({ identityUuid: uuid })).message, '"identityUuid" is invalid or expired');
  assert.equal(await unreadable(uuid), "OCE015");
});

test("a released 1-Click takes no other requests, so that each lookup at a source counts as a signup", async () => {
  const { uuid, identity } = await ask({ phone: freshPhone() });
  for (const credentialRequests of [[{ type: "EmailCredential" as const }], []])
    assert.match(
      (await refused({ identityUuid: uuid, credentialRequests })).message,
      /^"identityUuid" must reference a completed risk-signals-only 1-Click/,
    );
  assert.deepEqual(await ask({ identityUuid: uuid }), { uuid, identity });
  assert.deepEqual(await auditOf(uuid), ["oneClick.released", "oneClick.read"]);
});

test("the data that a call reuses adds a read, and neither a release nor a consent", async () => {
  const { uuid } = await ask({ phone: freshPhone() });
  await ask({ identityUuid: uuid });
  assert.deepEqual(await auditOf(uuid), ["oneClick.released", "oneClick.read"]);
});

test("a PATCH after the release with other right values changes nothing", async () => {
  const brand = await it.brand({ integrationType: "semiHosted" });
  const { uuid } = (await brand.api.beginOneClick({ body: { phone: "+12125550021" } })).body;
  await refusal(brand.api.readOneClick({ params: { uuid }, query: { code: "111111" } }));
  const patch = (body: AmendRequest) => brand.api.amendOneClick({ params: { uuid }, body });
  const { body } = await patch({ ssn4: "6789" });
  for (const right of [{ birthDate: "1989-08-01" }, { birthDate: "1989-08-01", ssn4: "6789" }])
    assert.deepEqual((await patch(right)).body, body);
  assert.equal((await refusal(patch({ birthDate: "1990-01-01" }))).errorCode, "OCE012");
});
