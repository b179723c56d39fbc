/** Handlers pass bodies on as a whole, so members that an endpoint does not declare must not reach them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compileUnknown } from "../../http/unknown-members.ts";
import { demoBrands, firstDemoCustomer, secondDemoCustomer } from "../../providers/sandbox/demo.ts";
import { freshPhone } from "../harness/below-http.ts";
import { declaredEndpoints } from "../harness/contract-endpoints.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { demoKey, sandbox } from "../harness/sandbox.ts";
import { sampleOf } from "../harness/wrong-values.ts";

const it = await sandbox();
const brandOf = (customerUuid: string) => demoBrands.find((one) => one.customerUuid === customerUuid)?.uuid ?? "";
const own = brandOf(firstDemoCustomer.uuid);
const theirs = brandOf(secondDemoCustomer.uuid);
const { call } = await signedIn(it, { role: "developer" });
const stranger = await signedIn(it, { customerUuid: secondDemoCustomer.uuid, role: "developer" });

async function theirState() {
  const keys = await stranger.call("GET", `/api/brands/${theirs}/sandbox/keys`);
  const settings = await stranger.call("GET", `/api/brands/${theirs}/sandbox/settings`);
  assert.deepEqual([keys.status, settings.status], [200, 200]);
  return { keys: keys.body.data as { uuid: string; name: string }[], settings: settings.body };
}

test("a member cannot name another customer's brand or key in the body", async () => {
  const made = await stranger.call("POST", `/api/brands/${theirs}/sandbox/keys`, { name: "Theirs", ipRanges: [] });
  const before = await theirState();
  const named = { brandUuid: theirs, keyUuid: made.body.uuid };
  const keys = `/api/brands/${own}/sandbox/keys`;
  const key = `${keys}/${(await call("POST", keys, { name: "Own", ipRanges: [] })).body.uuid}`;
  const { version } = before.settings;
  const answers = [
    await call("POST", keys, { name: "Evil", ipRanges: [], ...named }),
    await call("PATCH", key, { name: "Evil", ipRanges: ["203.0.113.1"], ...named }),
    await call("POST", `${key}/roll`, { overlapHours: 0, ...named }),
  ];
  // It is refused if the own settings have another version.
  await call("PATCH", `/api/brands/${own}/sandbox/settings`, { version, patch: { riskSignals: false }, ...named });
  assert.deepEqual(await theirState(), before);
  // They change the caller's own brand.
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 200, 201],
  );
});

test("a brand cannot choose the words of a text", async () => {
  const phone = freshPhone();
  const brand = it.as(demoKey);
  const { uuid } = (await brand.createVerification({ body: { channel: "sms", phone } })).body;
  const field = { host: "evil.example\nYour account is locked, call +1 900 555 0100" };
  const answer = await it.inject({
    method: "POST",
    url: `/1-click/verifications/${uuid}/deliver`,
    headers: { authorization: demoKey },
    payload: { format: "code", field, style: "hyphen" },
  });
  assert.equal(answer.status, 200);
  await it.worker.runDue();
  const [text] = (await it.api.listMessages({ query: { to: phone } })).body.data;
  assert.match(text?.body ?? "", /^\d{6} is your code/);
  assert.doesNotMatch(text?.body ?? "", /evil|locked/);
});

/** Bodies whose members may have any name. */
const free = ["patchSandboxBrandSettings"];
const withBody = declaredEndpoints.filter(({ body, id }) => body !== undefined && !free.includes(id));
for (const { id, body: schema } of withBody) {
  test(`${id}: an undeclared member is removed, and the declared ones stay`, () => {
    assert.ok(schema !== undefined);
    const sample: unknown = sampleOf(JSON.parse(JSON.stringify(schema)));
    assert.ok(typeof sample === "object" && sample !== null);
    const body = { ...structuredClone(sample), brandUuids: theirs };
    compileUnknown(schema)(body);
    assert.deepEqual(body, sample);
  });
}

test("undeclared members are removed at every depth, also those that no warning names", () => {
  const { body: schema } = declaredEndpoints.find(({ id }) => id === "createOneClick") ?? assert.fail();
  assert.ok(schema !== undefined);
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`undeclared_${at}`, 1]));
  const requests = [{ type: "FullNameCredential", children: [{ type: "FirstNameCredential", ...many }], ...many }];
  const body = {
    phone: "+12125550010",
    ...many,
    fullName: { firstName: "Ada", ...many },
    credentialRequests: requests,
  };
  assert.equal(compileUnknown(schema)(body).length, 10);
  assert.deepEqual(body, {
    phone: "+12125550010",
    fullName: { firstName: "Ada" },
    credentialRequests: [{ type: "FullNameCredential", children: [{ type: "FirstNameCredential" }] }],
  });
});
