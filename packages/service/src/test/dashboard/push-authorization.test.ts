/** The authorization of the v1 push can be set, from the dashboard or by sandbox control, but never read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrandSettings } from "@countersign/contract/brand";
import { findBrand } from "../../domain/brand/brand-rows.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { png } from "../harness/logo-pictures.ts";
import { demoKey, refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const { call } = await signedIn(it, { role: "developer" });
const url = "https://brand.example/push";
const secret = "Bearer of the brand's receiver";
const settings = { v1: { push: { url, authorization: secret } } };
const patch = (uuid: string, body: Record<string, unknown>) => it.api.patchSandboxBrand({ params: { uuid }, body });
const pathsOf = (data: Record<string, unknown>) => (data.errors as { path: string }[]).map(({ path }) => path);
const settingsPath = (brand: string) => `/api/brands/${brand}/sandbox/settings`;
const pushOf = async (brand: string) => (await findBrand(it.store.home, "sandbox", brand))?.settings.v1.push;
const pushing = async () => (await it.brand(settings)).uuid;

test("a member can move the push to another host only by entering its authorization again", async () => {
  const brand = await pushing();
  const move = (push: object) => call("PATCH", settingsPath(brand), { version: 1, patch: { v1: { push } } });
  const refused = await move({ url: "https://elsewhere.example/push" });
  assert.equal(refused.status, 400);
  const { errors } = refused.body.data as { errors: unknown[] };
  assert.deepEqual(errors, [
    { path: "settings.v1.push.authorization", message: "Enter it again, because the host has changed." },
  ]);
  assert.deepEqual(await pushOf(brand), { url, authorization: secret });
  const moved = await move({ url: "https://elsewhere.example/push", authorization: "Bearer another" });
  assert.deepEqual([moved.status, moved.body.hasPushAuthorization], [200, true]);
  assert.ok(!JSON.stringify(moved.body).includes("Bearer"));
});

test("a copy of a brand has all of its settings except the push's authorization", async () => {
  const brand = await pushing();
  const copied = await call("POST", `/api/brands/${brand}/duplicate`, { name: "Copy" });
  assert.equal(copied.status, 201);
  const copy = String(copied.body.uuid);
  assert.deepEqual(await pushOf(copy), { url });
  const [of, ours] = await Promise.all([brand, copy].map(async (one) => (await call("GET", settingsPath(one))).body));
  assert.deepEqual([of?.hasPushAuthorization, ours?.hasPushAuthorization], [true, false]);
  assert.deepEqual(ours?.settings, { ...(of?.settings as object), externalName: "Copy" });
  assert.deepEqual(await pushOf(brand), { url, authorization: secret });
});

test("sandbox control can move the push to another host only with its authorization given again", async () => {
  const uuid = await pushing();
  const moveTo = (url: string, authorization = {}) => patch(uuid, { v1: { push: { url, ...authorization } } });
  const others = [
    "https://elsewhere.example/push",
    "https://brand.example:8443/push",
    "http://brand.example/push",
    "https://brand.example@elsewhere.example/push",
  ];
  const refusedAt = async (url: string) => pathsOf((await refusal(moveTo(url))).data);
  for (const url of others) assert.ok((await refusedAt(url)).includes("settings.v1.push.authorization"), url);
  const both = ["settings.v1.push.url", "settings.v1.push.authorization"];
  assert.deepEqual(await refusedAt("https://brand.example:99999/push"), both);
  assert.deepEqual(await pushOf(uuid), settings.v1.push);
  await moveTo("https://brand.example/other?path");
  assert.deepEqual(await pushOf(uuid), { url: "https://brand.example/other?path", authorization: secret });
  await moveTo("https://elsewhere.example/", { authorization: "Bearer another" });
  assert.deepEqual(await pushOf(uuid), { url: "https://elsewhere.example/", authorization: "Bearer another" });
  await patch(uuid, { v1: { push: null } });
  await moveTo("https://third.example/");
  assert.deepEqual(await pushOf(uuid), { url: "https://third.example/" });
});

test("sandbox control never returns the push's authorization, only that it is set", async () => {
  const params = { uuid: (await it.brand()).uuid };
  const created = await it.api.createSandboxBrand({ body: { settings } });
  const logo = async (picture: { method: "PUT"; payload: Buffer } | { method: "DELETE" }) => {
    const headers = { authorization: demoKey, ...(picture.method === "PUT" ? { "content-type": "image/png" } : {}) };
    return (await it.inject({ ...picture, url: `/sandbox/brands/${params.uuid}/logo`, headers })).body as BrandSettings;
  };
  const answers = [
    created.body.settings,
    (await patch(params.uuid, settings)).body,
    (await patch(params.uuid, { riskSignals: false })).body,
    await logo({ method: "PUT", payload: png() }),
    await logo({ method: "DELETE" }),
    (await it.api.readSandboxBrand({ params })).body.settings,
  ];
  for (const { v1 } of answers) assert.deepEqual(v1.push, { url });
  assert.equal((await it.api.readSandboxBrand({ params })).body.hasPushAuthorization, true);
  assert.deepEqual(await pushOf(params.uuid), settings.v1.push);
});

test("a viewer sees the push's URL without what may be a secret, in the settings and in the audit log", async () => {
  const viewer = await signedIn(it, { role: "viewer" });
  const brand = await pushing();
  for (const [version, push] of [null, { url: `${url}?token=first` }, { url: `${url}?token=second` }].entries())
    await call("PATCH", settingsPath(brand), { version: version + 1, patch: { v1: { push } } });
  const masked = (end: string) => `${url}/...${end}`;
  const shown = async (who: typeof viewer) => {
    const read = await who.call("GET", settingsPath(brand));
    assert.equal(read.status, 200, JSON.stringify(read.body));
    return (read.body.settings as BrandSettings).v1.push?.url;
  };
  assert.deepEqual(
    [await shown(viewer), await shown({ call } as typeof viewer)],
    [masked("cond"), `${url}?token=second`],
  );
  const log = JSON.stringify((await viewer.call("GET", `/api/audit?brand=${brand}`)).body);
  assert.ok(log.includes(masked("irst")));
  assert.doesNotMatch(log, /token|=first|=second/);
});
