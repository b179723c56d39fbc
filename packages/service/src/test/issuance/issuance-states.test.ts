import assert from "node:assert/strict";
import test from "node:test";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();

const issue = (state: string, zipCode: string) =>
  it.api.issueCredentials({
    body: {
      phone: "+12125559077",
      credentials: [
        {
          type: "AddressCredential",
          data: [
            { type: "Line1Credential", data: { line1: "PSC 1 Box 100" } },
            { type: "CityCredential", data: { city: "FPO" } },
            { type: "StateCredential", data: { state } },
            { type: "ZipCodeCredential", data: { zipCode } },
            { type: "CountryCredential", data: { country: "US" } },
          ],
        },
      ],
    },
  });

test("a US address is issued with a state, a territory, or a military state, and with no other", async () => {
  const places = { AE: "09618", AP: "96517", AA: "34001", PR: "00601", TX: "78701" };
  for (const [state, zipCode] of Object.entries(places)) assert.equal((await issue(state, zipCode)).status, 201, state);
  assert.equal((await refusal(issue("AX", "09618"))).errorCode, "ERR001");
});
