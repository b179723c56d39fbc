import assert from "node:assert/strict";
import test from "node:test";
import { integrationTypes } from "@countersign/contract/brand";
import { mayBecome } from "../../domain/brand/settings.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();

/** Requests of Non-Hosted brands. A brand that changes to type API may keep sending them. */
const corpus: Record<string, unknown>[] = [
  { phone: "+12125550010" },
  { phone: "+10123456789", email: "richard@piedpiper.net" },
  { phone: "+12125550010", birthDate: "1989-08-01", ssn4: "6789" },
  { phone: "+12125550010", credentialRequests: [] },
  {
    phone: "+12125550010",
    credentialRequests: [{ type: "AddressCredential", multi: true, children: [{ type: "CityCredential" }] }],
  },
  {
    phone: "+12125550010",
    credentialRequests: [{ type: "EmailCredential", multi: true }, { type: "FullNameCredential" }],
  },
  { phone: "+13135550033", credentialRequests: [{ type: "SsnCredential", mandatory: "yes" }] },
  { phone: "+13135550033", credentialRequests: [{ type: "SsnCredential", mandatory: "if_available" }] },
  { phone: "+10019999999" },
  { phone: "+10019999999", ssn4: "6789" },
  { phone: "+10019999998" },
  { phone: "+10019999998", birthDate: "1989-08-01" },
  { phone: "+15555550002" },
  { phone: "+12225550010" },
  { phone: "+12125550010", birthDate: "1979-01-01" },
  { phone: "+12125550010", birthDate: "08/01/1989" },
  { phone: "2125550010" },
  { phone: "+442079460000" },
  {},
  { phone: "+12125550010", credentialRequests: ["FullNameCredential"] },
];

async function replay(apiKey: string): Promise<string[]> {
  const answers: string[] = [];
  for (const payload of corpus) {
    const { status, body } = await it.inject({
      method: "POST",
      url: "/v2/1-click",
      headers: { authorization: apiKey },
      payload,
    });
    // Generated ids differ from call to call: those of the 1-Click, the request and the phone credential.
    const text = JSON.stringify(body).replace(
      /("(?:uuid|identityUuid|requestId|phone)":)"[0-9a-f]{8}-[0-9a-f-]{27}"/g,
      "$1…",
    );
    answers.push(`${status} ${text}`);
  }
  return answers;
}

test("a Non-Hosted brand that becomes an API brand gets the same answers to all its requests", async () => {
  const brand = await it.brand({ integrationType: "nonHosted" });
  const before = await replay(brand.apiKey);
  await it.api.patchSandboxBrand({ params: { uuid: brand.uuid }, body: { integrationType: "api" } });
  assert.deepEqual(await replay(brand.apiKey), before);
});

test("a brand with traffic can change its type only along the documented paths", () => {
  const paths = integrationTypes.flatMap((from) =>
    integrationTypes
      .filter((to) => from !== to && mayBecome({ from, to, hasTraffic: true }))
      .map((to) => `${from} → ${to}`),
  );
  assert.deepEqual(paths, [
    "hosted → sdk",
    "semiHosted → api",
    "nonHosted → api",
    "v1 → hosted",
    "v1 → semiHosted",
    "v1 → nonHosted",
  ]);
  assert.ok(mayBecome({ from: "api", to: "v1", hasTraffic: false }));
});
