/**
 * A brand's names, hosts and logos: invalid ones are refused, and invalid ones that are already stored are not used.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { freshPhone } from "../harness/below-http.ts";
import { goodNames, hostileNames } from "../harness/brand-names.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const brand = await it.brand({ externalName: "Piper" });
const patch = (body: Record<string, unknown>, uuid = brand.uuid) =>
  it.api.patchSandboxBrand({ params: { uuid }, body });
const problemsOf = (data: Record<string, unknown>) => data.errors as { path: string; message: string }[];
const owner = await signedIn(it);

/** Returns the text of a new verification. */
async function texted(api: typeof it.api, body: { format?: "code" | "link" } = {}): Promise<string> {
  const phone = freshPhone();
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
  await api.deliverVerification({ params: { uuid }, body });
  await it.runJobs();
  const [text] = (await it.api.listMessages({ query: { to: phone } })).body.data;
  return text?.body ?? assert.fail("no text");
}

test("every hostile external name is refused with a reason", async () => {
  for (const [what, externalName, expected] of hostileNames) {
    const { status, data } = await refusal(patch({ externalName }));
    const [problem] = problemsOf(data);
    assert.deepEqual([status, problem?.path.replace(/^.*\./, "")], [400, "externalName"], what);
    // The body parser already rejects NUL.
    assert.match(problem?.message ?? "", externalName.includes("\0") ? /without NUL/ : expected, what);
    const created = await refusal(it.api.createSandboxBrand({ body: { name: externalName } }));
    assert.equal(created.status, 400, what);
  }
  assert.equal((await it.api.readSandboxBrand({ params: { uuid: brand.uuid } })).body.settings.externalName, "Piper");
});

test("ordinary names are accepted and appear in texts", async () => {
  for (const externalName of goodNames) {
    assert.equal((await patch({ externalName })).body.externalName, externalName);
    assert.ok((await texted(brand.api)).includes(` for ${externalName.normalize("NFC")} (test). `), externalName);
  }
});

test("the dashboard refuses hostile names of brands, accounts and members", async () => {
  const requests: [method: string, url: string, body: Record<string, unknown>][] = [
    ["POST", "/api/brands", { integrationType: "api" }],
    ["POST", `/api/brands/${brand.uuid}/duplicate`, {}],
    ["PATCH", "/api/customer", {}],
    ["PATCH", "/api/me", {}],
    ["POST", "/api/members", { email: "jared@example.com", role: "viewer" }],
  ];
  for (const [what, name, expected] of hostileNames) {
    // The dashboard trims names, and the body parser already rejects NUL.
    if (name !== name.trim() || name.includes("\0")) continue;
    for (const [method, url, body] of requests) {
      const answer = await owner.call(method, url, { ...body, name });
      assert.equal(answer.status, 400, `${what} at ${url}`);
      const [problem] = problemsOf(answer.body.data as Record<string, unknown>);
      assert.deepEqual([problem?.path], ["body.name"], url);
      assert.match(problem?.message ?? "", expected, what);
    }
  }
});

test("otpOrigin must be the plain host name of an allowed origin", async () => {
  const allowedOrigins = ["https://shop.example", "https://pay.shop.example:8443"];
  const wrong = [
    "evil.example",
    "https://shop.example",
    "shop.example:443",
    "pay.shop.example:8443",
    "shop.example/",
    "SHOP.example",
    "sub.shop.example",
    "example",
    "shop.example #123456",
    "shop.example\n@evil.example",
    "shop。example",
    "ｓｈｏｐ.example",
    "shop.example\u200b",
    "",
  ];
  for (const otpOrigin of wrong) {
    const { status, data } = await refusal(patch({ allowedOrigins, otpOrigin }));
    assert.deepEqual([status, problemsOf(data)[0]?.path], [400, "settings.otpOrigin"], JSON.stringify(otpOrigin));
  }
  for (const otpOrigin of ["shop.example", "pay.shop.example", null])
    assert.equal((await patch({ allowedOrigins, otpOrigin })).body.otpOrigin, otpOrigin);
});

test("an allowed origin cannot be removed while otpOrigin uses its host, unless otpOrigin changes too", async () => {
  await patch({ allowedOrigins: ["https://shop.example"], otpOrigin: "shop.example" });
  assert.match(await texted(brand.api), /\n@shop\.example #\d{6}$/);
  const { data } = await refusal(patch({ allowedOrigins: ["https://other.example"] }));
  assert.deepEqual(
    problemsOf(data).map(({ path }) => path),
    ["settings.otpOrigin"],
  );
  await patch({ allowedOrigins: ["https://other.example"], otpOrigin: "other.example" });
  assert.match(await texted(brand.api), /\n@other\.example #\d{6}$/);
  await patch({ allowedOrigins: [], otpOrigin: null });
  assert.doesNotMatch(await texted(brand.api), /@/);
});

const addresses: [string, string, (url: string) => Record<string, unknown>][] = [
  ["a logo", "styling.logoUrl", (logoUrl) => ({ styling: { logoUrl } })],
  ["the push", "v1.push.url", (url) => ({ v1: { push: { url } } })],
  ["the consent text", "consent.url", (url) => ({ consent: { url } })],
];
for (const [what, path, settings] of addresses) {
  test(`the URL of ${what} must be https, or http in the sandbox`, async () => {
    for (const url of ["javascript:alert(1)", "data:image/png;base64,AAAA", "ftp://cdn.example/a.png", "blob:x"]) {
      const { status, data } = await refusal(patch(settings(url)));
      assert.deepEqual([status, problemsOf(data)[0]?.path], [400, `settings.${path}`], url);
    }
    for (const url of ["https://cdn.example/a.png", "http://localhost:4001/logo/a.png"]) {
      const { body } = await patch(settings(url));
      assert.equal(
        path.split(".").reduce<unknown>((value, name) => Reflect.get(Object(value), name), body),
        url,
      );
    }
  });
}

test("the push may not lead to a private network, like a webhook", async () => {
  const hosts = ["10.0.0.1", "169.254.169.254", "[::ffff:10.0.0.1]", "167772161", "receiver.internal", "receiver"];
  for (const host of hosts) {
    const { status, data } = await refusal(patch({ v1: { push: { url: `https://${host}/push` } } }));
    assert.deepEqual(
      [status, problemsOf(data)],
      [400, [{ path: "settings.v1.push.url", message: "must not resolve to a private network" }]],
      host,
    );
  }
});
