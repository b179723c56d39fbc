/** What the search of the request log finds, and what of it the URL keeps. */
import assert from "node:assert/strict";
import test from "node:test";
import { searched, searchInUrl } from "../../dashboard/reporting/log-query.ts";

const uuid = "0d7ee4de-52c1-4d0c-9a44-8f3b1c8d2a11";

test("a search finds ids, codes, statuses, endpoints and phones", () => {
  assert.deepEqual(searched(uuid), { uuid });
  assert.deepEqual(searched("oce011"), { errorCode: "OCE011" });
  assert.deepEqual(searched("404"), { statusCode: 404 });
  assert.deepEqual(searched("0010"), { lastFour: "0010" });
  assert.deepEqual(searched("/v2/1-click/verifications/:uuid/verify"), {
    route: "/v2/1-click/verifications/:uuid/verify",
  });
  assert.deepEqual(searched("(212) 555-0010"), { phone: "+12125550010" });
});

test("a phone number never appears in the URL, in any format", () => {
  const phones = ["212-555-0010", "212\u2011555\u20110010", "\u202a+1 212 555 0010\u202c", "tel:+12125550010"];
  for (const one of [...phones, "2125550010 ext 2", "555-0010", "0010", "+1 212 555 001"])
    assert.equal(searchInUrl(one), "", one);
  for (const one of [uuid, "OCE011", "404", "/v2/1-click"]) assert.equal(searchInUrl(one), one);
});

test("an email address does not count as an endpoint", () => assert.equal(searched("richard@example.com"), null));
