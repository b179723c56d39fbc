/** A brand is told what it asked for that cannot work as meant, although the call is accepted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { freshPhone } from "../harness/below-http.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();

async function warningOf(apiKey: string, url: string, payload: object, method: "POST" | "PATCH" = "POST") {
  const headers = { authorization: apiKey, "content-type": "application/json" };
  const { status, headers: answered } = await it.inject({ method, url, headers, payload });
  assert.ok(status < 300, String(status));
  return answered.warning;
}

const noRedirect =
  '299 - "No redirect URL: people stay on our last page. Set redirectUrl in the settings or the request"';
const target = "https://shop.example/back";
for (const [integrationType, url] of [
  ["hosted", "/v2/1-click"],
  ["v1", "/1-click"],
] as const) {
  test(`a ${integrationType} brand without any redirect URL gets a Warning`, async () => {
    const phone = freshPhone();
    const without = await it.brand({ integrationType });
    assert.equal(await warningOf(without.apiKey, url, { phone }), noRedirect);
    const both = await warningOf(without.apiKey, url, { phone, redirectURL: target });
    assert.match(String(both), /^299 - "Unknown member redirectURL ignored; .*", 299 - "No redirect URL: /);
    assert.equal(await warningOf(without.apiKey, url, { phone, redirectUrl: "http://localhost:5173/" }), undefined);
    for (const settings of [{ redirectUrl: target }, { allowedRedirectUrls: [target] }]) {
      const { apiKey } = await it.brand({ integrationType, ...settings });
      assert.equal(await warningOf(apiKey, url, { phone }), undefined);
    }
  });
}

test("a Semi-Hosted brand needs no redirect URL", async () => {
  const { apiKey } = await it.brand({ integrationType: "semiHosted" });
  assert.equal(await warningOf(apiKey, "/v2/1-click", { phone: freshPhone() }), undefined);
});

test("an issued credential that has already expired gets a Warning, such as one in seconds", async () => {
  const { apiKey } = await it.brand();
  const words = "is in the past, so nobody receives the credential. Use Unix milliseconds";
  const credential = { type: "EmailCredential", data: { email: "ada@example.com" } };
  const now = it.deps.clock.now();
  const issue = (...dates: (number | null)[]) =>
    warningOf(apiKey, "/v2/credentials", {
      phone: freshPhone(),
      credentials: dates.map((expirationDate) => ({ ...credential, expirationDate })),
    });
  assert.equal(await issue(null, now + 1), undefined);
  const both = [0, 1].map((at) => `299 - "credentials.${at}.expirationDate ${words}"`).join(", ");
  assert.equal(await issue(1_999_999_999, -1, now + 1), both);
  const own = { phone: freshPhone(), credentials: [{ ...credential, id: "6a1c0f5e-8a34-4f0e-9d53-0d9f4a2b7c99" }] };
  await warningOf(apiKey, "/v2/credentials", own);
  const change = (expirationDate: number | null) =>
    warningOf(apiKey, `/v2/credentials/${own.credentials[0]?.id}`, { expirationDate }, "PATCH");
  assert.equal(await change(now), `299 - "expirationDate ${words}"`);
  assert.equal(await change(null), undefined);
});

test("settings refuse a provider whose NPI has a wrong check digit, as a lookup does", async () => {
  const { uuid } = await it.brand();
  const message = "Use a valid NPI: the check digit of this one is wrong.";
  const patch = (npi: string) => {
    const providers = [{ type: "organization", name: "Clinic", npi }];
    return it.api.patchSandboxBrand({ params: { uuid }, body: { health: { providers } } });
  };
  const { data } = await refusal(patch("1234567890"));
  assert.deepEqual(data.errors, [{ path: "settings.health.providers.0.npi", message }]);
  assert.equal((await patch("1234567893")).status, 200);
});

test("a repeat under an Idempotency-Key gets the Warnings of the first answer", async () => {
  const { apiKey } = await it.brand({ integrationType: "hosted" });
  const headers = { authorization: apiKey, "content-type": "application/json", "idempotency-key": "one" };
  const payload = { phone: freshPhone(), redirectURL: target };
  const call = () => it.inject({ method: "POST", url: "/v2/1-click", headers, payload });
  const first = await call();
  const again = await call();
  assert.deepEqual([again.headers["idempotent-replayed"], again.body], ["true", first.body]);
  assert.match(
    String(first.headers.warning),
    /^299 - "Unknown member redirectURL ignored; .*", 299 - "No redirect URL: /,
  );
  assert.equal(again.headers.warning, first.headers.warning);
});

test("a payer's id with the name of another payer gets a warning", async () => {
  const { apiKey } = await it.brand({ health: { enabled: true } });
  const person = { fullName: { firstName: "Richard", lastName: "Hendricks" }, birthDate: "1989-08-01" };
  const asked = (payer: object) => warningOf(apiKey, "/v2/1-click/health", { ...person, payer });
  assert.equal(
    await asked({ id: "60054", name: "Cigna" }),
    '299 - "payer.name is not a name of the payer with payer.id, and the ID decides"',
  );
  for (const payer of [
    { id: "60054", name: "aetna" },
    { id: "60054", name: "Zzyzx Mutual" },
    { id: "60054" },
    { name: "Cigna" },
  ])
    assert.equal(await asked(payer), undefined, JSON.stringify(payer));
});
