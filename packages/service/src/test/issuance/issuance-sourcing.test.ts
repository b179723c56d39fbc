import assert from "node:assert/strict";
import test from "node:test";
import type { CredentialRequest } from "@countersign/contract/credential";
import type { IssuanceRequest } from "@countersign/contract/issuance";
import { changeApproval } from "../../domain/brand/manage.ts";
import { primaryPerson } from "../../providers/sandbox/people.ts";
import { signIn } from "../harness/account-page.ts";
import { refusal, sandbox, testStart } from "../harness/sandbox.ts";

const it = await sandbox();
const issuer = await it.brand();
const issuer2 = await it.brand();
const asker = await it.brand();

let phones = 0;
/** Returns a phone that no other test uses. */
const freshPhone = () => `+1212556${String(phones++).padStart(4, "0")}`;
type Given = IssuanceRequest["credentials"][number];
const email = (address: string): Given => ({ type: "EmailCredential", data: { email: address } });
const wantsEmail: CredentialRequest = { type: "EmailCredential" };
const issue = async (body: IssuanceRequest, by = issuer) => (await by.api.issueCredentials({ body })).body.credentials;
const oneClick = async (phone: string, requests: CredentialRequest[], inputs: Record<string, unknown> = {}) => {
  const { body } = await asker.api.createOneClick({ body: { phone, credentialRequests: requests, ...inputs } });
  assert.ok(body.identity);
  return { uuid: body.uuid, ...body.identity };
};
const emailOf = async (phone: string, inputs = {}) => (await oneClick(phone, [wantsEmail], inputs)).credentials?.email;
const outside = primaryPerson.email;
const approve = (by: { uuid: string }, granted: boolean) =>
  changeApproval(it.admin, { brandUuid: by.uuid, approval: "issuance", granted });

test("another brand's 1-Click delivers a credential issued to the phone, with its issuer and dates", async () => {
  const phone = freshPhone();
  const expirationDate = testStart + 1000;
  const [credential] = await issue({ phone, credentials: [{ ...email("ada@example.com"), expirationDate }] });
  const { credentials, metadata } = await oneClick(phone, [wantsEmail]);
  assert.deepEqual(credentials, { email: "ada@example.com" });
  assert.deepEqual(metadata.credentials, {
    id: { email: credential?.id },
    verificationMethod: { email: null },
    status: { email: "valid" },
    issuerUuid: { email: issuer.uuid },
    issuanceDate: { email: testStart },
    expirationDate: { email: expirationDate },
  });
});

test("issued values come before values of outside sources, newest first, and at most three are delivered", async () => {
  const phone = freshPhone();
  const multi = [{ ...wantsEmail, multi: true }];
  await issue({ phone, credentials: [email("first@example.com")] });
  assert.deepEqual((await oneClick(phone, multi)).credentials, { email: ["first@example.com", outside] });
  // The clock does not move, but the later call still counts as newer. Values of one call keep their order.
  await issue({ phone, credentials: [email("second@example.com"), email("third@example.com")] }, issuer2);
  const three = ["second@example.com", "third@example.com", "first@example.com"];
  assert.deepEqual((await oneClick(phone, multi)).credentials, { email: three });
});

test("a composite is delivered with the requested children, and a child can be requested on its own", async () => {
  const phone = freshPhone();
  const data = [
    { type: "FirstNameCredential", data: { firstName: "Ada" } },
    { type: "LastNameCredential", data: { lastName: "Lovelace" } },
  ];
  await issue({ phone, credentials: [{ type: "FullNameCredential", data }] });
  const children: CredentialRequest[] = [{ type: "FirstNameCredential" }, { type: "LastNameCredential" }];
  const { credentials } = await oneClick(phone, [
    { type: "FullNameCredential", children },
    { type: "LastNameCredential" },
  ]);
  assert.deepEqual(credentials, { fullName: { firstName: "Ada", lastName: "Lovelace" }, lastName: "Lovelace" });
});

test("an issued birth date is delivered in the brand's format", async () => {
  const phone = freshPhone();
  await issue({ phone, credentials: [{ type: "BirthDateCredential", data: { birthDate: "603201600000" } }] });
  assert.equal((await oneClick(phone, [{ type: "BirthDateCredential" }])).credentials?.birthDate, "1989-02-11");
});

test("only credentials of the requested issuers are delivered, including the service's own source", async () => {
  const phone = freshPhone();
  await issue({ phone, credentials: [email("one@example.com")] });
  await issue({ phone, credentials: [email("two@example.com")] }, issuer2);
  const by = async (...issuers: string[]) => (await oneClick(phone, [{ ...wantsEmail, issuers }])).credentials?.email;
  assert.equal(await by(issuer.uuid), "one@example.com");
  assert.equal(await by(issuer2.uuid), "two@example.com");
  assert.equal(await by(it.deps.vendors.identity.issuerUuid), outside);
  assert.equal(await by(asker.uuid), undefined);
});

test("a credential that is revoked, expired or from an unapproved issuer is not delivered until it is valid again", async () => {
  const phone = freshPhone();
  const [credential] = await issue({ phone, credentials: [email("ada@example.com")] });
  const params = { id: credential?.id ?? "" };
  assert.equal(await emailOf(phone), "ada@example.com");
  await issuer.api.changeCredential({ params, body: { status: "revoked" } });
  assert.equal(await emailOf(phone), outside);
  await issuer.api.changeCredential({ params, body: { status: "valid", expirationDate: testStart } });
  assert.equal(await emailOf(phone), outside);
  await issuer.api.changeCredential({ params, body: { expirationDate: null } });
  assert.equal(await emailOf(phone), "ada@example.com");
  await approve(issuer, false);
  assert.equal(await emailOf(phone), outside);
  const refused = await refusal(
    issuer.api.issueCredentials({ body: { phone, credentials: [email("b@example.com")] } }),
  );
  assert.deepEqual([refused.status, refused.message], [403, "The brand is not approved for issuance."]);
  const { data } = email("b@example.com");
  for (const body of [{ data }, { expirationDate: null }, { status: "valid" }, { status: "revoked", data }] as const)
    assert.equal((await refusal(issuer.api.changeCredential({ params, body }))).status, 403);
  await approve(issuer, true);
  assert.equal(await emailOf(phone), "ada@example.com");
});

test("a value that nobody can see counts as empty, so it does not replace a value of an outside source", async () => {
  const phone = freshPhone();
  const name = (firstName: string): Given => ({
    type: "FullNameCredential",
    data: [{ type: "FirstNameCredential", data: { firstName } }],
  });
  const wantsName: CredentialRequest = { type: "FirstNameCredential", mandatory: "yes" };
  const nameOf = async () => (await oneClick(phone, [wantsName])).credentials?.firstName;
  const known = await nameOf();
  for (const unseen of ["\u200b", " \u2060\u00a0 ", "\u202e\u202c"]) {
    await issue({ phone, credentials: [name(unseen)] });
    assert.equal(await nameOf(), known, JSON.stringify(unseen));
  }
  await issue({ phone, credentials: [name("\u200bAda")] });
  assert.equal(await nameOf(), "\u200bAda");
});

test("a credential issued to an email alone counts while a valid credential links that email to the proven phone", async () => {
  const phone = freshPhone();
  const address = "Linked@Example.com";
  await issue({ email: address, credentials: [email("alone@example.com")] });
  assert.equal(await emailOf(phone), outside);
  // Naming the address in the 1-Click does not prove anything.
  assert.equal(await emailOf(phone, { email: address }), outside);
  const link = {
    phone,
    email: address.toLowerCase(),
    credentials: [{ type: "TitleCredential", data: { title: "CTO" } }],
  };
  const [linking] = await issue(link, issuer2);
  assert.equal(await emailOf(phone), "alone@example.com");
  await approve(issuer2, false);
  assert.equal(await emailOf(phone), outside);
  await approve(issuer2, true);
  await issuer2.api.changeCredential({ params: { id: linking?.id ?? "" }, body: { status: "revoked" } });
  assert.equal(await emailOf(phone), outside);
});

test("a person's page lists what was issued to a linked email alone, as long as brands can get it", async () => {
  const phone = freshPhone();
  const address = "listed@example.com";
  await issue({ email: address, credentials: [{ type: "TitleCredential", data: { title: "CEO" } }] });
  await issue({ phone, credentials: [email("own@example.com")] });
  const cards = async () => {
    const { body } = await (await signIn(it, phone)).readAccount();
    return body.cards.map((card) => `${card.title} ${card.status}${card.toEmail ? " to an email" : ""}`);
  };
  assert.deepEqual(await cards(), ["Email valid"]);
  const [link] = await issue({ phone, email: address, credentials: [email("link@example.com")] }, issuer2);
  assert.deepEqual(await cards(), ["Email valid", "Email valid", "Job Title valid to an email"]);
  await approve(issuer, false);
  assert.deepEqual(await cards(), ["Email valid", "Email valid"]);
  await approve(issuer, true);
  await issuer2.api.changeCredential({ params: { id: link?.id ?? "" }, body: { status: "revoked" } });
  assert.deepEqual(await cards(), ["Email revoked", "Email valid"]);
});

test("linking a stranger's phone to a person's email does not give access to that person's credentials", async () => {
  const victim = { phone: freshPhone(), email: "victim@example.com" };
  const stranger = freshPhone();
  await issue({ ...victim, credentials: [{ type: "SsnCredential", data: { ssn: "111223333" } }] });
  // The stranger's issuer names the victim's address: alone, and together with the stranger's phone.
  await issue({ email: victim.email, credentials: [{ type: "TitleCredential", data: { title: "CEO" } }] }, issuer2);
  await issue({ phone: stranger, email: victim.email, credentials: [email("stranger@example.com")] }, issuer2);
  const wanted: CredentialRequest[] = [{ type: "SsnCredential" }, wantsEmail];
  const theirs = await oneClick(stranger, wanted, { email: victim.email });
  assert.deepEqual(theirs.credentials, { ssn: primaryPerson.ssn, email: "stranger@example.com" });
  assert.deepEqual((await oneClick(victim.phone, wanted)).credentials, { ssn: "111223333", email: outside });
});

test("an issued birth date does not pass the phone's birth date challenge", async () => {
  const phone = "+12125550022";
  await issue({ phone, credentials: [{ type: "BirthDateCredential", data: { birthDate: "603201600000" } }] });
  const requests: CredentialRequest[] = [{ type: "BirthDateCredential" }, { type: "SsnCredential" }];
  assert.equal((await refusal(oneClick(phone, requests))).errorCode, "OCE011");
  assert.equal((await refusal(oneClick(phone, requests, { birthDate: "1989-02-11" }))).errorCode, "OCE012");
  const { credentials } = await oneClick(phone, requests, { birthDate: primaryPerson.birthDate });
  assert.deepEqual(credentials, { birthDate: "1989-02-11", ssn: primaryPerson.ssn });
});

test("a person whom no source knows gets issued values, unless the request has inputs to compare", async () => {
  const phone = "+14045551300";
  assert.equal((await refusal(oneClick(phone, [wantsEmail]))).errorCode, "OCE013");
  await issue({ phone, credentials: [email("ada@example.com")] });
  assert.deepEqual((await oneClick(phone, [wantsEmail])).credentials, { email: "ada@example.com" });
  // No source has data to compare an input with, so the input proves nothing and no issued value is released.
  for (const inputs of [{ birthDate: primaryPerson.birthDate }, { ssn4: primaryPerson.ssn4 }]) {
    assert.equal((await refusal(oneClick(phone, [wantsEmail], inputs))).errorCode, "OCE013");
  }
  assert.equal((await refusal(oneClick(phone, [{ type: "SsnCredential" }]))).errorCode, "OCE013");
});

test("an issued birth date does not pass a challenge that the brand or the source always requires", async () => {
  const strict = await it.brand({ challenges: [{ input: "birthDate", when: "always" }] });
  const ask = (phone: string, inputs: Record<string, string>, { api } = strict) =>
    refusal(api.createOneClick({ body: { phone, credentialRequests: [wantsEmail], ...inputs } }));
  const birthDate = primaryPerson.birthDate;
  for (const phone of ["+14045551300", "+10019999998"]) {
    await issue({
      phone,
      credentials: [email("ada@example.com"), { type: "BirthDateCredential", data: { birthDate: "617976000000" } }],
    });
    assert.equal((await ask(phone, {})).errorCode, "OCE011");
    assert.equal((await ask(phone, { birthDate })).errorCode, "OCE013");
  }
  assert.equal((await ask("+10019999998", {}, asker)).errorCode, "OCE011");
  assert.equal((await ask("+10019999998", { birthDate }, asker)).errorCode, "OCE013");
});

test("an issuer earns once for each 1-Click of another brand that uses its credential, and never for its own", async () => {
  const phone = freshPhone();
  const [credential] = await issue({ phone, credentials: [email("ada@example.com")] });
  const entries = async () =>
    (
      await it.store.pool.query(
        "select brand_uuid, kind, at, cause_uuid, detail from ledger_entry where subject_uuid = $1 order by id",
        [credential?.id],
      )
    ).rows;
  await issuer.api.createOneClick({ body: { phone, credentialRequests: [wantsEmail] } });
  assert.deepEqual(await entries(), []);
  const first = await oneClick(phone, [wantsEmail]);
  await asker.api.readOneClick({ params: { uuid: first.uuid } });
  await oneClick(phone, [wantsEmail], { identityUuid: first.uuid });
  await oneClick(phone, [{ ...wantsEmail, issuers: [it.deps.vendors.identity.issuerUuid] }]);
  const detail = { type: "EmailCredential", usedBy: asker.uuid };
  const earned = { brand_uuid: issuer.uuid, kind: "issuedCredentialUsed", at: testStart, detail };
  assert.deepEqual(await entries(), [{ ...earned, cause_uuid: first.uuid }]);
  const second = await oneClick(phone, [wantsEmail]);
  assert.deepEqual((await entries())[1], { ...earned, cause_uuid: second.uuid });
});

test("the new holder of a phone number does not get credentials issued to the previous holder", async () => {
  const phone = freshPhone();
  await issue({ phone, email: "before@example.com", credentials: [email("before@example.com")] });
  assert.equal(await emailOf(phone), "before@example.com");
  const deps = await it.cellOf(phone);
  await deps.db.inTransaction(async (trx) => {
    const dataKey = await deps.vault.createDataKey(trx, deps.environment, testStart);
    const index = deps.vault.index("phone", deps.environment, phone);
    const before = await trx
      .selectFrom("person")
      .selectAll()
      .where("phone_index", "=", index)
      .executeTakeFirstOrThrow();
    await trx
      .insertInto("person")
      .values({ ...before, uuid: deps.random.uuid(), generation: 2, data_key_uuid: dataKey.uuid })
      .execute();
  });
  assert.equal(await emailOf(phone), outside);
  await issue({ phone, credentials: [email("after@example.com")] });
  assert.equal(await emailOf(phone), "after@example.com");
});

test("many credentials from one issuer do not hide those of another issuer", async () => {
  const phone = freshPhone();
  await issue({ phone, credentials: [email("rare@example.com")] }, issuer2);
  const flood = Array.from({ length: 100 }, (_, index) => email(`flood-${index}@example.com`));
  await issue({ phone, credentials: flood });
  assert.equal(await emailOf(phone), "flood-0@example.com");
  const only = await oneClick(phone, [{ ...wantsEmail, issuers: [issuer2.uuid] }]);
  assert.deepEqual(only.credentials, { email: "rare@example.com" });
});

test("an issuer's values that compress well count with their full length, in 1-Clicks and on the person's page", async () => {
  const phone = freshPhone();
  const image = `data:image/png;base64,${"A".repeat(7 * 1024 * 1024)}`;
  const picture: Given = { type: "FacialImageCredential", data: { image } };
  for (let count = 0; count < 3; count += 1) await issue({ phone, credentials: [picture] });
  const { credentials } = await oneClick(phone, [{ type: "FacialImageCredential", multi: true }]);
  assert.deepEqual(credentials, { facialImage: [image, image] });
  assert.equal((await (await signIn(it, phone)).readAccount()).body.cards.length, 2);
});

test("a 1-Click for metadata only, or for other types, does not decrypt issued credentials", async () => {
  const phone = freshPhone();
  const [credential] = await issue({ phone, credentials: [email("ada@example.com")] });
  await it.store.pool.query("update issued_credential set sealed = 'broken' where uuid = $1", [credential?.id]);
  await oneClick(phone, []);
  await oneClick(phone, [{ type: "SsnCredential" }]);
  assert.equal((await refusal(oneClick(phone, [wantsEmail]))).status, 500);
});
