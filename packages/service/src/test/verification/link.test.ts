import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";
import type { InjectOptions } from "fastify";
import { acceptLink, readPressedLink } from "../../domain/verification/link.ts";
import { assertNotStored } from "../harness/below-http.ts";
import { interrupted } from "../harness/interrupted.ts";
import { pressLink } from "../harness/link-form.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const phone = "+12025550143";
const redirectUrl = "https://brand.example/x?a=b";
const brand = await it.brand({
  externalName: "Piper & <Sons>",
  redirectUrl: "https://brand.example/home",
  allowedRedirectUrls: ["https://brand.example/x"],
});

async function page(options: InjectOptions) {
  const response = await it.wallet.inject(options);
  return { status: response.statusCode, headers: response.headers, text: response.body };
}

/** Texts a verification link and returns the link's path on the wallet. */
async function texted(body: Parameters<typeof brand.api.deliverVerification>[0]["body"] = { format: "link" }) {
  const { uuid } = (await brand.api.createVerification({ body: { channel: "sms", phone } })).body;
  await brand.api.deliverVerification({ params: { uuid }, body });
  await it.runJobs();
  const [text] = (await it.api.listMessages({ query: { to: phone } })).body.data;
  const link = /http:\/\/localhost:4001(\/v\/[0-9A-Za-z]{16,})/.exec(text?.body ?? "")?.[1];
  return { uuid, path: link ?? assert.fail(text?.body), body: text?.body ?? "" };
}

async function choose(path: string, choice: string, name = "Piper & <Sons>") {
  const {
    statusCode: status,
    headers,
    body: text,
  } = await pressLink(it, path, { choice, brand: name, purpose: "read" });
  return { status, headers, text };
}
const read = async (uuid: string) => (await brand.api.readVerification({ params: { uuid } })).body;

test("each format sends one text, with the link on its own line and a code only if requested", async () => {
  const formats = { link: [0, 1], codeAndLink: [1, 1], linkAndCode: [1, 1] } as const;
  for (const [format, [codes, links]] of Object.entries(formats)) {
    const { body } = await texted({ format: format as keyof typeof formats });
    const lines = body.split("\n");
    assert.equal(lines.filter((line) => /^http\S+$/.test(line)).length, links, body);
    assert.equal(body.match(/\b\d{6}\b/g)?.length ?? 0, codes, body);
    assert.ok(body.length <= 160, body);
    assert.match(body, /verify your phone for Piper & <Sons>/);
  }
});

test("shortens a long brand name so that the text fits in 160 characters", async () => {
  const long = await it.brand({ externalName: "A".repeat(100) });
  const { uuid } = (await long.api.createVerification({ body: { channel: "sms", phone: "+12025550144" } })).body;
  await long.api.deliverVerification({ params: { uuid }, body: { format: "linkAndCode" } });
  await it.runJobs();
  const [text] = (await it.api.listMessages({ query: { to: "+12025550144" } })).body.data;
  assert.equal(text?.body.length, 160);
});

test("opening a link any number of times shows the brand and does not verify the phone", async () => {
  const { uuid, path } = await texted();
  for (let i = 0; i < 5; i += 1) {
    const shown = await page({ method: "GET", url: path });
    assert.equal(shown.status, 200);
    assert.match(shown.text, /Piper &amp; &lt;Sons>/);
    assert.match(shown.text, /<time datetime="2026-/);
    assert.doesNotMatch(shown.text, /\+1\d{10}|<Sons/);
    assert.equal(shown.headers["referrer-policy"], "no-referrer");
    assert.equal(shown.headers["cache-control"], "no-store");
  }
  await page({ method: "HEAD", url: path });
  assert.equal((await read(uuid)).status, "delivered");
});

test("pressing Continue verifies the phone once and redirects to the allowed URL with the verification's uuid", async () => {
  const { uuid, path } = await texted({ format: "linkAndCode", redirectUrl });
  const policy = String((await page({ method: "GET", url: path })).headers["content-security-policy"]);
  assert.match(policy, /form-action 'self' https:\/\/brand\.example;/);
  const gone = await choose(path, "continue");
  assert.deepEqual([gone.status, gone.headers.location], [303, `${redirectUrl}&verificationUuid=${uuid}`]);
  const after = await read(uuid);
  assert.deepEqual([after.status, after.verified, after.attemptsRemaining], ["verified", true, 2]);
  assert.equal((await page({ method: "GET", url: path })).status, 404);
  const records = () =>
    it.store.db.selectFrom("audit").select("action").where("verification_uuid", "=", uuid).execute();
  const recorded = await records();
  // Repeat the choice, as after a lost response or a double click.
  assert.deepEqual((await choose(path, "continue")).headers.location, gone.headers.location);
  assert.deepEqual([await read(uuid), await records()], [after, recorded]);
  await it.advance(5 * 60_000);
  assert.equal((await choose(path, "continue")).status, 404);
});

test("a link without redirectUrl uses the brand's default, or shows a success page if there is none", async () => {
  const { uuid, path } = await texted();
  assert.equal(
    (await choose(path, "continue")).headers.location,
    `https://brand.example/home?verificationUuid=${uuid}`,
  );
  const plain = await it.brand();
  const begun = (await plain.api.createVerification({ body: { channel: "sms", phone: "+12025550145" } })).body;
  await plain.api.deliverVerification({ params: { uuid: begun.uuid }, body: { format: "link" } });
  await it.runJobs();
  const [text] = (await it.api.listMessages({ query: { to: "+12025550145" } })).body.data;
  const done = await pressLink(it, new URL(text?.body.split("\n")[1] ?? "").pathname);
  assert.equal(done.statusCode, 200);
  assert.match(done.body, /Your phone is verified/);
});

for (const declared of [true, false])
  test(`the page of a link with infoConfirmation promises a review only if one follows (consent.declared: ${declared})`, async () => {
    const other = await it.brand({ integrationType: "sdk", redirectUrl, consent: { declared } });
    const { uuid } = (await other.api.createVerification({ body: { channel: "sms", phone: "+12025550146" } })).body;
    const body = { format: "link", redirectUserAfter: "infoConfirmation" } as const;
    await other.api.deliverVerification({ params: { uuid }, body });
    await it.runJobs();
    const [text] = (await it.api.listMessages({ query: { to: "+12025550146" } })).body.data;
    const path = new URL(text?.body.split("\n")[1] ?? "").pathname;
    const shown = (await page({ method: "GET", url: path })).text;
    assert.equal(shown.includes("you’ll see what"), declared);
    assert.equal(shown.includes("learns that this phone is yours.<"), !declared);
    const { location = "" } = (await pressLink(it, path)).headers;
    assert.equal(location.startsWith("http://localhost:4001/request#"), declared);
    assert.equal(location === `${redirectUrl}&verificationUuid=${uuid}`, !declared);
    // The proof is the brand's own only if no review followed, whatever the brand declares now.
    await it.api.patchSandboxBrand({ params: { uuid: other.uuid }, body: { consent: { declared: !declared } } });
    const session = other.api.createSession({ body: { verificationUuid: uuid } });
    if (declared) assert.equal((await refusal(session)).errorCode, "ERR001");
    else assert.equal((await session).status, 201);
  });

test("does not redirect to a URL that the settings no longer allow", async () => {
  const { path } = await texted({ format: "link", redirectUrl });
  await it.api.patchSandboxBrand({
    params: { uuid: brand.uuid },
    body: { allowedRedirectUrls: [], redirectUrl: null },
  });
  assert.equal((await choose(path, "continue")).status, 200);
  await it.api.patchSandboxBrand({
    params: { uuid: brand.uuid },
    body: { allowedRedirectUrls: ["https://brand.example/x"], redirectUrl: "https://brand.example/home" },
  });
});

test("a redirectUrl counts only if the text has a link", async () => {
  const foreign = "https://elsewhere.example/x";
  for (const body of [{ redirectUrl: foreign }, { format: "code" as const, redirectUrl: foreign }]) {
    const { uuid } = (await brand.api.createVerification({ body: { channel: "sms", phone } })).body;
    assert.equal((await brand.api.deliverVerification({ params: { uuid }, body })).status, 200);
    const later = brand.api.deliverVerification({ params: { uuid }, body: { format: "link" } });
    assert.equal((await later).status, 200);
  }
  const semi = await it.brand({ integrationType: "semiHosted" });
  assert.equal((await semi.api.beginOneClick({ body: { phone, redirectUrl: foreign } })).status, 201);
});

test("deliver rejects a redirectUrl that is not allowed, and the settings reject an unsafe one", async () => {
  const { uuid } = (await brand.api.createVerification({ body: { channel: "sms", phone } })).body;
  const unsafe = ["javascript:alert(1)", "https:brand.example/x", "https://brand.example@evil.example/"];
  for (const hostile of ["https://evil.example/", "//brand.example/x", ...unsafe]) {
    const asked = brand.api.deliverVerification({ params: { uuid }, body: { format: "link", redirectUrl: hostile } });
    assert.equal((await refusal(asked)).errorCode, "ERR001", hostile);
  }
  for (const hostile of unsafe) {
    for (const settings of [{ redirectUrl: hostile }, { allowedRedirectUrls: [hostile] }]) {
      const saved = it.api.patchSandboxBrand({ params: { uuid: brand.uuid }, body: settings });
      assert.equal((await refusal(saved)).errorCode, "ERR001", hostile);
    }
  }
  assert.equal((await read(uuid)).status, "pending");
});

test("pressing 'I didn’t ask for this' fails the verification and prevents further texts", async () => {
  const { uuid, path } = await texted();
  const thanks = await choose(path, "deny");
  assert.equal(thanks.status, 200);
  assert.equal((await read(uuid)).status, "failed");
  assert.equal((await refusal(brand.api.deliverVerification({ params: { uuid } }))).errorCode, "OCV003");
  assert.equal((await choose(path, "continue")).status, 404);
  const denied = await it.store.db
    .selectFrom("audit")
    .select("brand_uuid")
    .where("action", "=", "verification.denied")
    .where("verification_uuid", "=", uuid)
    .execute();
  assert.deepEqual(denied, [{ brand_uuid: brand.uuid }]);
});

test("a newer text invalidates the previous link, and every link expires after five minutes", async () => {
  const first = await texted();
  await brand.api.deliverVerification({ params: { uuid: first.uuid }, body: { format: "link" } });
  assert.equal((await page({ method: "GET", url: first.path })).status, 404);
  const second = await texted();
  await it.advance(5 * 60_000);
  assert.equal((await choose(second.path, "continue")).status, 404);
  assert.equal((await read(second.uuid)).status, "expired");
});

test("when several requests continue at once, one verifies the phone and all get the same redirect", async () => {
  const { uuid, path } = await texted();
  const all = await Promise.all(Array.from({ length: 20 }, () => choose(path, "continue")));
  assert.deepEqual(
    [...new Set(all.map(({ status, headers }) => `${status} ${headers.location}`))],
    [`303 https://brand.example/home?verificationUuid=${uuid}`],
  );
  const { rows } = await it.store.pool.query("select from audit where verification_uuid = $1", [uuid]);
  assert.equal(rows.length, 1);
  assert.equal((await read(uuid)).attemptsRemaining, 2);
});

test("a Continue between the reads of another one leaves that one a repeated Continue", async () => {
  const { path } = await texted();
  const id = path.slice("/v/".length);
  const later = /^(?!.*"link_hash" =).*from "verification"/s;
  const between = async () => assert.equal((await choose(path, "continue")).status, 303);
  const pressed =
    (await readPressedLink(interrupted(it.deps, between, later), id)) ?? assert.fail("the link has ended");
  assert.equal((await read(pressed.link.uuid)).verified, true);
  assert.equal((await acceptLink(it.deps, id, pressed, randomUUID()))?.isAgain, true);
});

test("a form of another site, or of a program that is no browser, neither proves nor denies", async () => {
  const { uuid, path } = await texted();
  for (const choice of ["continue", "deny"])
    for (const site of ["cross-site", "same-site"]) {
      const headers = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": site };
      const { status } = await page({ method: "POST", url: path, headers, payload: `choice=${choice}` });
      assert.equal(status, 403);
    }
  // A scanner of messages that submits forms is no browser, and sends neither header.
  const scanner = { "content-type": "application/x-www-form-urlencoded" };
  for (const choice of ["continue", "deny"])
    assert.equal(
      (await page({ method: "POST", url: path, headers: scanner, payload: `choice=${choice}` })).status,
      403,
    );
  assert.equal((await read(uuid)).status, "delivered");
  assert.equal((await choose(path, "continue")).status, 303);
});

test("neither the link nor its redirectUrl is stored in plaintext", async () => {
  const { path } = await texted({ format: "linkAndCode", redirectUrl: "https://brand.example/x?canary=7Qd2" });
  await assertNotStored(it, [path.slice("/v/".length), "canary=7Qd2"]);
});

test("only one of a code and its link verifies the phone", async () => {
  for (let round = 0; round < 30; round += 1) {
    const to = `+1202555${String(2_000 + round)}`;
    const { uuid } = (await brand.api.createVerification({ body: { channel: "sms", phone: to } })).body;
    await brand.api.deliverVerification({ params: { uuid }, body: { format: "linkAndCode" } });
    await it.runJobs();
    const [text] = (await it.api.listMessages({ query: { to } })).body.data;
    const path = /\/v\/\w+/.exec(text?.body ?? "")?.[0] ?? assert.fail("no link");
    const code = /\b\d{6}\b/.exec(text?.body ?? "")?.[0] ?? assert.fail("no code");
    const typed = brand.api.submitVerificationCode({ params: { uuid }, body: { code } });
    const [byLink, byCode] = await Promise.allSettled([choose(path, "continue"), typed]);
    const redirected = byLink.status === "fulfilled" && byLink.value.status === 303;
    assert.equal(Number(redirected) + Number(byCode.status === "fulfilled"), 1);
  }
});
