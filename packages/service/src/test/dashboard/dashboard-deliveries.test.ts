// alone: its harness is one service, which other files also use
import assert from "node:assert/strict";
import test from "node:test";
import { disclosures } from "../../domain/audit/disclosures.ts";
import { changeApproval, setMode } from "../../domain/brand/manage.ts";
import { listDeliveriesOfBrand } from "../../domain/webhook/delivery-list-rows.ts";
import { listEnabledEndpoints } from "../../domain/webhook/endpoint-rows.ts";
import { healthLookupEvent, publish } from "../../domain/webhook/publish.ts";
import {
  address,
  audit,
  happen,
  hooked,
  hour,
  it,
  list,
  owner,
  receiver,
  sent,
  stranger,
  viewer,
} from "../harness/dashboard-webhooks.ts";

/** Values in deliveries that say something about a sandbox person. */
const personal = ["Richard", "Hendricks", "1989-08-01", "A484069", "patient-4711", "Newell", "94303", "Male", "ISA*"];
const insurance = ["Aetna", '"active"'];

test("a masked body shows no personal values; revealing it shows the sent body and is recorded in the audit log", async () => {
  const { brand, base } = await hooked();
  const healthDataUuid = await happen(brand);
  const body = sent[0]?.body ?? assert.fail("nothing was sent");
  const present = [...personal, ...insurance].filter((one) => body.includes(one));
  assert.ok(present.length >= 8, `the body has only ${present.join()}`);
  const [line] = (await list(base)).data;
  const path = `${base}/deliveries/${line?.uuid}`;
  for (const who of [owner, viewer]) {
    const read = await who.call("GET", path);
    const text = JSON.stringify(read.body);
    for (const one of personal) assert.ok(!text.includes(one), `${one} is shown`);
    for (const one of insurance) assert.ok(!String(read.body.masked).includes(one), `${one} is shown`);
    const shown = JSON.parse(String(read.body.masked));
    assert.deepEqual([shown.healthDataUuid, shown.status], [healthDataUuid, "SUCCEEDED"]);
    assert.equal(shown.results[0].memberId, "•••");
    assert.equal(shown.results[0].payer.name, "•••");
    assert.equal(shown.results.length, JSON.parse(body).results.length);
  }
  assert.deepEqual(
    (await audit(brand.uuid)).filter(({ action }) => action === "delivery.revealed"),
    [],
  );
  assert.equal((await viewer.call("POST", `${path}/reveal`)).status, 403);
  const revealed = await owner.call("POST", `${path}/reveal`);
  assert.equal(revealed.body.body, body);
  const noted = (await audit(brand.uuid)).filter(({ action }) => action === "delivery.revealed");
  assert.deepEqual(
    noted.map(({ subject }) => subject),
    [line?.uuid],
  );
  assert.equal((await stranger.call("POST", `${path}/reveal`)).status, 404);
});

test("every value of a body is masked unless it is known to contain no personal data", async () => {
  const { masked } = await import("../../domain/webhook/inspect.ts");
  const body = {
    a: "x",
    b: 1,
    c: true,
    d: null,
    e: [{ f: ["y"] }],
    event: "e",
    status: { deep: "z" },
    data: { uuid: "u", name: "n" },
    results: [{ event: "e", network: { status: "s" } }],
    errors: [{ message: "m" }],
  };
  assert.deepEqual(masked(body), {
    a: "•••",
    b: "•••",
    c: "•••",
    d: "•••",
    e: [{ f: ["•••"] }],
    event: "e",
    status: { deep: "•••" },
    data: { uuid: "u", name: "•••" },
    results: [{ event: "•••", network: { status: "•••" } }],
    errors: [{ message: "•••" }],
  });
});

test("a list of deliveries does not read their bodies", async () => {
  const { brand, base } = await hooked();
  await happen(brand);
  const [line] = (await list(base)).data;
  const [row] = await listDeliveriesOfBrand(it.deps, brand.uuid, {
    endpointUuid: undefined,
    status: undefined,
    event: undefined,
    max: 1,
  });
  assert.deepEqual([row?.uuid, row?.has_body, line?.isErased], [line?.uuid, true, false]);
  assert.deepEqual(
    Object.values(row ?? {}).filter((value) => Buffer.isBuffer(value)),
    [],
  );
});

test("an erased body is shown as erased, and can be neither revealed nor sent again", async () => {
  const { brand, base } = await hooked();
  await happen(brand);
  await it.advance(hour + 60_000);
  const [line] = (await list(base)).data;
  assert.equal(line?.isErased, true);
  const path = `${base}/deliveries/${line?.uuid}`;
  assert.equal((await owner.call("GET", path)).body.masked, undefined);
  assert.equal((await owner.call("POST", `${path}/reveal`)).status, 409);
  assert.equal((await owner.call("POST", `${path}/replay`)).status, 409);
  assert.deepEqual(
    (await audit(brand.uuid)).filter(({ action }) => action.startsWith("delivery.")),
    [],
  );
});

test("a dead letter can be found by its status and sent again", async () => {
  const { brand, base } = await hooked();
  receiver.status = 503;
  await happen(brand);
  await it.advance(21 * hour);
  const { data } = await list(base, "?status=deadLettered");
  assert.deepEqual(
    data.map((line) => line.attempts.length),
    [7],
  );
  assert.deepEqual((await list(base, "?status=delivered")).data, []);
  receiver.status = 200;
  assert.equal((await owner.call("POST", `${base}/deliveries/${data[0]?.uuid}/replay`)).status, 202);
  await it.runJobs();
  assert.deepEqual(
    (await list(base)).data.map((line) => [line.status, line.attempts.length]),
    [["delivered", 8]],
  );
  assert.ok((await audit(brand.uuid)).some(({ action }) => action === "delivery.replayed"));
});

test("an event that waits for its next attempt can be sent again, once", async () => {
  const { brand, base } = await hooked();
  receiver.status = 503;
  await happen(brand);
  const [line] = (await list(base, "?status=pending")).data;
  assert.equal(line?.attempts.length, 1);
  receiver.status = 200;
  assert.equal((await owner.call("POST", `${base}/deliveries/${line?.uuid}/replay`)).status, 202);
  await it.runJobs();
  await it.advance(hour);
  assert.deepEqual(
    (await list(base)).data.map((one) => [one.status, one.attempts.length]),
    [["delivered", 2]],
  );
});

test("paging in both directions neither loses nor repeats a delivery, even with equal timestamps", async () => {
  const { brand, base } = await hooked();
  const endpointUuids = await listEnabledEndpoints(it.deps, brand.uuid, healthLookupEvent);
  await it.deps.db.inTransaction(async (trx) => {
    const dataKey = await it.deps.vault.createDataKey(trx, "sandbox", it.deps.clock.now());
    for (let i = 0; i < 60; i += 1)
      await publish(it.deps, trx, {
        brandUuid: brand.uuid,
        endpointUuids,
        event: "e",
        subjectUuid: it.deps.random.uuid(),
        dataKey,
        body: { i },
      });
  });
  const first = await list(base);
  const second = await list(base, `?older=${first.cursors.older}`);
  const third = await list(base, `?older=${second.cursors.older}`);
  const all = [first, second, third].flatMap(({ data }) => data.map(({ uuid }) => uuid));
  assert.deepEqual(
    [first, second, third].map(({ data }) => data.length),
    [25, 25, 10],
  );
  assert.equal(new Set(all).size, 60);
  assert.deepEqual(
    [first, second, third].map((page) => [page.hasNewer, page.hasOlder]),
    [
      [false, true],
      [true, true],
      [true, false],
    ],
  );
  const back = await list(base, `?newer=${third.cursors.newer}`);
  // The worker sends in the meantime, so only the ids are sure to be the same.
  const uuids = ({ data }: Awaited<ReturnType<typeof list>>) => data.map(({ uuid }) => uuid);
  assert.deepEqual(uuids(back), uuids(second));
  const start = await list(base, `?newer=${back.cursors.newer}`);
  assert.deepEqual([uuids(start), start.hasNewer, start.hasOlder], [uuids(first), false, true]);
  for (const cursor of ["x", "1_x", "1_5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a2g", "9".repeat(16)])
    assert.equal((await owner.call("GET", `${base}/deliveries?older=${cursor}`)).status, 400, cursor);
});

test("another customer's webhooks and deliveries can be neither read nor changed", async () => {
  const { brand, base, one } = await hooked();
  await happen(brand);
  const [line] = (await list(base)).data;
  const delivery = `${base}/deliveries/${line?.uuid}`;
  // Also try through a brand of the stranger's own customer.
  const { body } = await stranger.call("POST", "/api/brands", { name: "Theirs", integrationType: "api" });
  const own = `/api/brands/${body.uuid}/sandbox`;
  for (const [method, path] of [
    ["GET", `${base}/webhooks`],
    ["PATCH", one],
    ["DELETE", one],
    ["POST", `${one}/rotate`],
    ["POST", `${one}/test`],
    ["GET", delivery],
    ["POST", `${delivery}/reveal`],
    ["POST", `${delivery}/replay`],
  ] as const) {
    const payload = method === "GET" ? undefined : {};
    assert.equal((await stranger.call(method, path, payload)).status, 404, path);
    if (path !== `${base}/webhooks`)
      assert.equal((await stranger.call(method, path.replace(base, own), payload)).status, 404, `own ${path}`);
  }
  assert.deepEqual((await stranger.call("GET", `${own}/deliveries?webhook=${one.split("/").at(-1)}`)).body.data, []);
});

test("a body that a member reveals or sends again counts as a read in the person's record and in the list of disclosures", async () => {
  const { brand, base } = await pushing();
  const uuid = await pushed(brand.apiKey);
  const [line] = (await list(base)).data;
  const path = `${base}/deliveries/${line?.uuid}`;
  assert.equal((await owner.call("POST", `${path}/reveal`)).status, 200);
  assert.equal((await owner.call("POST", `${path}/replay`)).status, 202);
  const lines: unknown[] = [];
  const sources = { cells: [it.store.db], namesOf: async () => new Map<string, string>() };
  const all = { environment: "sandbox" as const, from: 0, to: Number.MAX_SAFE_INTEGER, brandUuid: brand.uuid };
  for await (const { action, oneClickUuid, personUuid, types } of disclosures(sources, all))
    lines.push([action, oneClickUuid, personUuid !== null && types.length > 0]);
  assert.deepEqual(lines.slice(-3), [
    ["oneClick.released", uuid, true],
    ["oneClick.read", uuid, true],
    ["oneClick.read", uuid, true],
  ]);
});

test("the body of a push that fails is erased when its 1-Click is", async () => {
  const { brand, base } = await pushing();
  await pushed(brand.apiKey);
  const state = async () => (await list(base)).data.map(({ status, isErased }) => [status, isErased]);
  assert.deepEqual(await state(), [["pending", false]]);
  await it.advance(hour);
  assert.deepEqual(await state(), [["deadLettered", true]]);
});

test("members of a stopped or unapproved brand can neither reveal a body nor send it again", async () => {
  const { brand, base } = await hooked();
  await happen(brand);
  const [line] = (await list(base)).data;
  const path = `${base}/deliveries/${line?.uuid}`;
  const tried = async () => [
    (await owner.call("POST", `${path}/reveal`)).status,
    (await owner.call("POST", `${path}/replay`)).status,
  ];
  const brandUuid = brand.uuid;
  await setMode(it.admin, { brandUuid, mode: "stopped" });
  assert.deepEqual(await tried(), [403, 403]);
  await setMode(it.admin, { brandUuid, mode: "readOnly" });
  assert.deepEqual(await tried(), [200, 202]);
  await changeApproval(it.admin, { brandUuid, approval: "production", granted: false });
  assert.deepEqual(await tried(), [403, 403]);
});

/** A v1 brand whose receiver of pushes fails. */
async function pushing() {
  const redirectUrl = "http://localhost:4001/demo/landing";
  const brand = await it.brand({ integrationType: "v1", redirectUrl, v1: { push: { url: address } } });
  receiver.status = 500;
  return { brand, base: `/api/brands/${brand.uuid}/sandbox` };
}

/** Shares a person's data with a v1 brand, which pushes it. Returns the 1-Click. */
async function pushed(apiKey: string): Promise<string> {
  const payload = { phone: "+10123456789", isHosted: false, birthDate: "1970-08-01" };
  const headers = { authorization: apiKey };
  const { uuid, url } = (await it.inject({ method: "POST", url: "/1-click", headers, payload })).body as {
    uuid: string;
    url: string;
  };
  const led = await it.wallet.inject({ method: "GET", url: `${new URL(url).pathname}?code=111111` });
  assert.equal(led.statusCode, 303);
  await it.runJobs();
  return uuid;
}
