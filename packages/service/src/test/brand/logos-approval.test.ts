/** Logos wait for the operator's approval, and so do the names of a sandbox next to production. */
import assert from "node:assert/strict";
import test from "node:test";
import { logoPath } from "../../domain/brand/logo.ts";
import { approveName, listNameRequests, rejectName, requestedLogo } from "../../domain/member/name-approval.ts";
import { approvedBrands, freshNumber, type View } from "../harness/approved-brand.ts";
import { both } from "../harness/both-environments.ts";
import { png } from "../harness/logo-pictures.ts";

const it = await both();
const { real } = it;
const approvedBrand = approvedBrands(it);

test("where production runs, names and logos of sandbox brands wait too, whoever sets them", async () => {
  const brand = await approvedBrand("Vandelay");
  const path = `/api/brands/${brand.uuid}/sandbox`;
  const { apiKey } = (await brand.call("POST", `${path}/keys`, { name: "Tests", ipRanges: [] })).body;
  const view = async () => (await brand.call("GET", `${path}/settings`)).body as View;
  const control = async (method: "PUT" | "PATCH", rest: string, payload: object, type: string) =>
    await it.inject({
      method,
      url: `/sandbox/brands/${brand.uuid}/${rest}`,
      headers: { authorization: String(apiKey), "content-type": type },
      payload,
    });
  assert.equal((await view()).settings.externalName, "Vandelay");
  await control("PATCH", "settings", { externalName: "Chase Bank" }, "application/json");
  await control("PUT", "logo", png(), "image/png");
  const { settings, waitingNames } = await view();
  assert.deepEqual([settings.externalName, settings.styling.logoUrl], ["Vandelay", null]);
  assert.deepEqual(
    waitingNames.map((one) => one.path),
    ["externalName", "styling.logoUrl"],
  );
  const created = await it.inject({
    method: "POST",
    url: "/sandbox/brands",
    headers: { authorization: String(apiKey) },
    payload: { name: "Chase Bank" },
  });
  assert.equal((created.body as { settings: { externalName: string } }).settings.externalName, "Vandelay");
  const requests = (await listNameRequests(it.accounts)).filter(({ requested }) => requested === "Chase Bank");
  assert.equal(requests.length, 2);
  for (const { request } of requests) await approveName(it.accounts, () => it.admin, request);
  assert.equal((await view()).settings.externalName, "Chase Bank");
});

test("a logo is served only after the operator, who can look at it, approves it; removing it needs no approval", async () => {
  const brand = await approvedBrand("Intersite");
  await brand.approve();
  await real.wallet.ready();
  const upload = async (picture: Buffer) =>
    await brand.call(
      "PUT",
      `/api/brands/${brand.uuid}/production/logo?version=${(await brand.view()).version}`,
      picture,
    );
  const served = async (url: string | null) =>
    (await real.wallet.inject({ method: "GET", url: logoPath(url) ?? assert.fail(String(url)) })).statusCode;
  assert.equal((await upload(png())).status, 200);
  const waits = await brand.view();
  const [first] = waits.waitingNames;
  assert.deepEqual(
    [waits.settings.styling.logoUrl, first?.path, await served(first?.requested ?? null)],
    [null, "styling.logoUrl", 404],
  );
  const [request = ""] = await brand.pending();
  assert.deepEqual((await requestedLogo(it.accounts, request)).bytes, png());
  await brand.approve();
  const { logoUrl } = (await brand.view()).settings.styling;
  assert.deepEqual([logoUrl, await served(logoUrl)], [first?.requested ?? null, 200]);

  const larger = png({ width: 48, height: 48, pixels: Buffer.alloc(48 * 145) });
  await upload(larger);
  const replaced = (await brand.view()).waitingNames[0]?.requested ?? null;
  assert.deepEqual([await served(logoUrl), await served(replaced)], [200, 404]);
  for (const uuid of await brand.pending()) await rejectName(it.accounts, uuid);
  await assert.rejects(requestedLogo(it.accounts, request), { status: 404 });
  assert.deepEqual([(await brand.view()).settings.styling.logoUrl, await served(replaced)], [logoUrl, 404]);

  await brand.patch({ styling: { logoUrl: "https://wallet.example.com/logo/of-another-brand.png" } });
  assert.equal((await brand.view()).settings.styling.logoUrl, logoUrl);
  const { version } = await brand.view();
  await brand.call("DELETE", `/api/brands/${brand.uuid}/production/logo?version=${version}`);
  const gone = await brand.view();
  assert.deepEqual([gone.settings.styling.logoUrl, gone.waitingNames, await served(logoUrl)], [null, [], 404]);
});

test("people see a website below the brand's name only after the operator approved it", async () => {
  const brand = await approvedBrand("Kruger", "hosted");
  await brand.approve();
  await real.wallet.ready();
  const site = async () => {
    const { url } = (await brand.api.beginOneClick({ body: { phone: freshNumber() } })).body;
    const page = new URL(url ?? "").pathname.slice("/request/".length);
    return (await real.wallet.inject({ method: "GET", url: `/api/page/${page}` })).json().brand.site;
  };
  const claimed = "https://www.chase.example";
  const changed = await brand.patch({
    redirectUrl: `${claimed}/back`,
    allowedRedirectUrls: [claimed],
    allowedOrigins: [claimed],
  });
  assert.deepEqual([changed.status, await site()], [200, undefined]);
  await brand.patch({ otpOrigin: "www.chase.example" });
  assert.equal(await site(), undefined);
  await brand.approve();
  assert.equal(await site(), "chase.example");
});
