/** An OpenID client gets only what its scopes name. The brand's API key gets no more. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { redirectUri, signIn } from "../harness/openid.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();

for (const [name, share, scope] of [
  ["shared their name", true, "openid profile"],
  ["only signed in", true, "openid"],
  ["declined", false, "openid profile"],
] as const)
  test(`with its API key, a client reads nothing of a person who ${name}`, async () => {
    const made = await it.brand({ openid: { redirectUris: [redirectUri] }, health: { enabled: true } });
    await signIn(it, { ...made, clientId: made.uuid, secret: made.apiKey }, { scope }, { share });
    const { uuid, verification_uuid } = await it.store.db
      .selectFrom("one_click")
      .select(["uuid", "verification_uuid"])
      .where("brand_uuid", "=", made.uuid)
      .executeTakeFirstOrThrow();
    const verification = { params: { uuid: verification_uuid ?? "" } };
    const refused: [() => Promise<unknown>, string][] = [
      [() => made.api.readOneClick({ params: { uuid } }), "OCE015"],
      [
        () =>
          made.api.createOneClick({ body: { identityUuid: uuid, credentialRequests: [{ type: "SsnCredential" }] } }),
        "ERR001",
      ],
      [() => made.api.createOneClick({ body: { verificationUuid: verification_uuid ?? "" } }), "OCV005"],
      [() => made.api.createHealthLookup({ body: { identityUuid: uuid } }), "OCE015"],
      [() => made.api.readVerification(verification), "OCV005"],
      [() => made.api.deliverVerification({ ...verification, body: {} }), "OCV005"],
      [() => made.api.submitVerificationCode({ ...verification, body: { code: "000000" } }), "OCV005"],
    ];
    for (const [ask, code] of refused) assert.equal((await refusal(ask())).errorCode, code);
  });
