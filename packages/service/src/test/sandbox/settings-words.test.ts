/** What the errors of settings say. */
import assert from "node:assert/strict";
import test from "node:test";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const patch = (uuid: string, body: Record<string, unknown>) => it.api.patchSandboxBrand({ params: { uuid }, body });

test("a word in a pattern of names or addresses that names no part is refused, with the parts", async () => {
  const { uuid } = await it.brand();
  const nameParts = "Use object, or firstName, middleName, lastName.";
  const addressParts = "Use object, or line1, line2, city, state, zipCode, country.";
  const wrong = [
    ["fullName", "FirstName LastName", `“FirstName” is not a part. ${nameParts}`],
    ["fullName", "first_name", `“first” is not a part. ${nameParts}`],
    ["fullName", "Object", `“Object” is not a part. ${nameParts}`],
    ["fullName", ", ", `The pattern has no part. ${nameParts}`],
    ["address", "street, city", `“street” is not a part. ${addressParts}`],
    ["address", "City", `“City” is not a part. ${addressParts}`],
  ] as const;
  for (const [key, pattern, message] of wrong) {
    const { data } = await refusal(patch(uuid, { credentialFormats: { [key]: pattern } }));
    assert.deepEqual(data.errors, [{ path: `settings.credentialFormats.${key}`, message }], pattern);
  }
  for (const fullName of ["object", "lastName, firstName", "firstName middleName lastName", "lastName"])
    assert.equal((await patch(uuid, { credentialFormats: { fullName } })).body.credentialFormats.fullName, fullName);
});

test("an origin on plain http is told to use https, and one with a path to leave it out", async () => {
  const { uuid } = await it.brand();
  const wordsOf = async (origin: string) => {
    const { data } = await refusal(patch(uuid, { allowedOrigins: [origin] }));
    return (data.errors as { message: string }[])[0]?.message;
  };
  assert.equal(await wordsOf("http://shop.example"), "Use https://…, or http:// on localhost.");
  assert.equal(await wordsOf("https://shop.example/x"), "Use an origin without a path, such as https://shop.example.");
});

test("the pages inside apps may frame the SDK, but a text never binds a code to them", async () => {
  const { uuid } = await it.brand();
  const apps = [
    "capacitor://localhost",
    "ionic://localhost",
    "https://localhost",
    "http://localhost",
    "app://shop.desk",
  ];
  assert.deepEqual((await patch(uuid, { allowedOrigins: apps })).body.allowedOrigins, apps);
  const bound = await refusal(patch(uuid, { allowedOrigins: ["app://shop.desk"], otpOrigin: "shop.desk" }));
  assert.deepEqual(
    (bound.data.errors as { path: string }[]).map(({ path }) => path),
    ["settings.otpOrigin"],
  );
  for (const origin of [
    "capacitor://shop",
    "capacitor://localhost/",
    "app://*",
    "app://a;b",
    "app:",
    "file://",
    "null",
  ])
    assert.equal((await refusal(patch(uuid, { allowedOrigins: [origin] }))).errorCode, "ERR001", origin);
});
