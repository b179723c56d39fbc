/** A search for insurance answers whether a birth date is right, so a brand's dates about a 1-Click are counted. */
import assert from "node:assert/strict";
import test from "node:test";
import { freshPhone } from "../harness/below-http.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const { api } = await it.brand({
  health: { enabled: true },
  defaultCredentialRequests: [{ type: "FullNameCredential" }],
});

test("with a 1-Click that has no birth date, three dates are searched; a repeated one costs nothing", async () => {
  const { uuid: identityUuid } = (await api.createOneClick({ body: { phone: freshPhone() } })).body;
  const search = (birthDate: string) => api.createHealthLookup({ body: { identityUuid, birthDate } });
  for (const birthDate of ["1971-05-05", "1972-05-05", "1973-05-05", "1971-05-05"]) await search(birthDate);
  assert.equal((await refusal(search("1974-05-05"))).errorCode, "OCE019");
});

test("with a 1-Click whose birth date a source gave, other dates are not counted, because they answer no guess", async () => {
  const dated = {
    body: {
      phone: freshPhone(),
      credentialRequests: [{ type: "FullNameCredential" as const }, { type: "BirthDateCredential" as const }],
    },
  };
  const { uuid: identityUuid } = (await api.createOneClick(dated)).body;
  for (const birthDate of ["1971-05-05", "1972-05-05", "1973-05-05", "1974-05-05"])
    await api.createHealthLookup({ body: { identityUuid, birthDate } });
});
