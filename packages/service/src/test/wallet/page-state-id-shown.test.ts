/** What the person, the record and an OpenID client see of a shared state ID. */
import assert from "node:assert/strict";
import test from "node:test";
import { recordWords, sourceText } from "@countersign/contract/record-words";
import { claimsOf } from "../../domain/openid/claims.ts";
import { verifiedClaims } from "../../domain/openid/verified-claims.ts";
import type { SourcedCredential } from "../../domain/ports.ts";
import { signIn } from "../harness/account-page.ts";
import { freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { sandbox } from "../harness/sandbox.ts";
import { stateIdPage } from "../harness/state-id-page.ts";

const it = await sandbox();
const address = { type: "AddressCredential" as const };

test("the person's own page names the state, and the record keeps words that name the ID", async () => {
  const phone = freshPhone();
  const page = await stateIdPage(it, phone, [address], { required: true, onConflict: "preferId" });
  await page.use({ id: "moved" });
  await page.session.decidePage({ body: { share: true, consent: agreed("share") } });
  const browser = await signIn(it, phone);
  const field = (await browser.readAccount()).body.shares[0]?.fields[0] ?? assert.fail("nothing was shared");
  assert.deepEqual([field.state, field.typed, field.correctable], ["California", [], []]);
  assert.equal(sourceText(field, "en"), "Your California ID");
  assert.equal(sourceText(field, "es"), recordWords.es.stateId("California"));
  const { entries } = (await browser.readTimeline()).body;
  const shared = entries.find(({ action }) => action === "oneClick.released");
  assert.match(shared?.consent?.words ?? "", /your address, partly from your state ID, and agree/);
});

const fact = (authority?: { name: string; jurisdiction: string }): SourcedCredential => ({
  id: "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21",
  type: "BirthDateCredential",
  verificationMethod: "government_id",
  status: "valid",
  issuerUuid: "5e2a5bb4-6f0e-4d9c-9c43-2f6d1a7b8c90",
  issuanceDate: Date.UTC(2026, 0, 2, 12),
  expirationDate: null,
  value: "1989-08-01",
  ...(authority === undefined ? {} : { authority }),
});
const claimsFor = (reportsIds: boolean) => {
  const authority = { name: "California DMV", jurisdiction: "US-CA" };
  const request = {
    type: "BirthDateCredential" as const,
    mandatory: "yes" as const,
    multi: false,
    allowUserInput: true,
    issuers: [],
  };
  const claims = claimsOf({ phoneMethod: "otp", facts: { credentials: [{ request, values: [fact(authority)] }] } });
  const requested = { verification: { trust_framework: null, evidence: null }, claims: { birthdate: null } };
  return verifiedClaims(requested, { claims, provenAt: 0, timeOf: (at) => at, now: 0, reportsIds });
};

test("an OpenID client reads a document with its issuer as evidence, if the brand's setting reports state IDs", () => {
  const time = "2026-01-02T12:00:00.000Z";
  assert.deepEqual(claimsFor(true), {
    verification: {
      trust_framework: "urn:countersign:phone-and-records",
      evidence: [
        {
          type: "document",
          check_details: [{ check_method: "vcrypt", organization: "California DMV", time }],
          document_details: {
            type: "driving_permit",
            issuer: { name: "California DMV", country_code: "US", jurisdiction: "US-CA" },
          },
        },
      ],
    },
    claims: { birthdate: "1989-08-01" },
  });
  assert.equal(claimsFor(false), undefined);
});
