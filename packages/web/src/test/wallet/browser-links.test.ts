// desktop: the steps are the same in a wide window
import assert from "node:assert/strict";
import test from "node:test";
import { freshPhone } from "../../../../service/src/test/harness/below-http.ts";
import { pressLink } from "../../../../service/src/test/harness/link-form.ts";
import { assertEnvelope, refusal } from "../../../../service/src/test/harness/sandbox.ts";
import { assertAccessible, browserSandbox, type Person, picture } from "../harness/browser.ts";

const it = await browserSandbox();
type Json = Record<string, unknown>;

async function v1(method: "GET" | "POST", url: string, payload?: Json): Promise<Json> {
  const { status, body } = await it.inject({
    method,
    url,
    headers: { authorization: "sk_sandbox_demo_v1" },
    ...(payload === undefined ? {} : { payload }),
  });
  if (status >= 400) assertEnvelope(status, body);
  return body as Json;
}
const beginV1 = async (phone: string, more: Json = {}) => {
  const { uuid, url } = await v1("POST", "/1-click", { phone, ...more });
  return { uuid: String(uuid), url: String(url), read: () => v1("GET", `/1-click/${String(uuid)}`) };
};
async function newestText(phone: string): Promise<string> {
  await it.runJobs();
  return (await it.api.listMessages({ query: { to: phone } })).body.data[0]?.body ?? assert.fail("no text");
}
const codeIn = (text: string) => /\d{3}-?\d{3}/.exec(text)?.[0] ?? assert.fail(text);
const linkIn = (text: string) => /http\S+\/v\/\w+/.exec(text)?.[0] ?? assert.fail(text);
const follow = async ({ page, at }: Person, link: string) => {
  await page.goto(link);
  assert.match(await at("link"), /^Verify your phone for/);
  await picture(page, `link-01-ask-${page.viewportSize()?.width}`);
};

it.everywhere(
  "v1 hosted: a resend invalidates the first code, the new code works, and the redirect has 1ClickUuid",
  async (person) => {
    const phone = freshPhone();
    const begun = await beginV1(phone);
    await person.page.clock.install();
    await person.page.goto(begun.url);
    await person.at("verificationCode");
    const first = codeIn(await newestText(phone));
    await person.page.getByText(/^Resend code in (30|[12]?\d) s$/).waitFor();
    await person.page.clock.fastForward(30_000);
    await person.button("Resend code").click();
    await person.page.getByText("A new code is on its way").first().waitFor();
    const second = codeIn(await newestText(phone));
    if (first !== second) {
      await person.enter(first);
      await person.page.getByText("That code isn’t right").first().waitFor();
    }
    await person.enter(second);
    await person.at("review");
    await person.button("Share").click();
    const back = await person.landed();
    assert.deepEqual([...back.searchParams], [["1ClickUuid", begun.uuid]]);
    assert.ok((await begun.read()).credentials);
  },
);

it.everywhere(
  "v1 hosted: an allowed redirectUrl in the page's URL is used, and one that is not allowed is ignored",
  async (person) => {
    for (const [added, expected] of [
      [`${it.walletUrl}/demo/landing?from=brand`, "brand"],
      ["https://evil.example/", null],
    ] as const) {
      const phone = freshPhone();
      const begun = await beginV1(phone);
      await person.page.goto(`${begun.url}?redirectUrl=${encodeURIComponent(added)}`);
      await person.enter(codeIn(await newestText(phone)));
      await person.at("review");
      await person.button("Don’t share").click();
      const back = await person.landed();
      assert.deepEqual(
        [back.searchParams.get("from"), back.searchParams.get("1ClickUuid"), back.searchParams.get("optedOut")],
        [expected, begun.uuid, "true"],
      );
    }
  },
);

it.everywhere("v1 hosted: the texted link verifies the phone and opens the review without a code", async (person) => {
  const phone = freshPhone();
  const begun = await beginV1(phone, { verificationOptions: "both_link_and_code" });
  await follow(person, linkIn(await newestText(phone)));
  await person.button("Continue").click();
  await person.at("review");
  assert.equal(new URL(person.page.url()).hash, "");
  await person.page.reload();
  await person.at("review");
  await person.button("Share").click();
  assert.equal((await person.landed()).searchParams.get("1ClickUuid"), begun.uuid);
});

test("a session that another browser opened by a link does not open from its URL", async () => {
  const victim = await it.person();
  const phone = freshPhone();
  await beginV1(phone, { verificationOptions: "both_link_and_code" });
  const { pathname } = new URL(linkIn(await newestText(phone)));
  const pressed = await pressLink(it, pathname);
  const location = String(pressed.headers.location);
  assert.match(location, /\/request#\w+$/);
  await victim.page.goto(location);
  assert.equal(await victim.at("error"), "We can’t open this page");
  // The same URL opens in a browser with the cookie of the press.
  const [name = "", value = ""] = String(pressed.headers["set-cookie"]).split(";")[0]?.split("=") ?? [];
  await victim.context.addCookies([{ name, value, url: it.walletUrl }]);
  await victim.page.goto("about:blank");
  await victim.page.goto(location);
  await victim.at("review");
  assert.match(
    await victim.page.locator(".eyebrow").innerText(),
    new RegExp(`for the phone ending in ${phone.slice(-4)}$`),
  );
  await victim.done();
});

it.everywhere(
  "v1 non-hosted: a correct code in the URL redirects at once; a wrong one is removed and the page is shown",
  async (person) => {
    const phone = freshPhone();
    const nonHosted = { isHosted: false, birthDate: "1970-08-01" };
    const begun = await beginV1(phone, nonHosted);
    const code = codeIn(await newestText(phone));
    await person.page.goto(`${begun.url}?code=000-001`);
    await person.at("verificationCode");
    await person.page.getByText("That code isn’t right. 2 tries left.").first().waitFor();
    assert.equal(person.page.url(), begun.url);
    assert.equal(((await begun.read()).data as Json).errorCode, "OCE015");
    await person.enter(code);
    assert.equal((await person.landed("waited")).searchParams.get("1ClickUuid"), begun.uuid);
    assert.ok((await begun.read()).credentials);

    const other = await beginV1("+10123456789", nonHosted);
    await person.page.goto(`${other.url}?code=111111`);
    assert.equal(person.page.url(), `${it.walletUrl}/demo/landing?1ClickUuid=${other.uuid}`);
  },
);

async function texted(redirectUserAfter: "phoneVerification" | "infoConfirmation") {
  const redirectUrl = `${it.walletUrl}/demo/landing`;
  const brand = await it.brand({ externalName: "Piper", redirectUrl });
  const phone = freshPhone();
  const { uuid } = (await brand.api.createVerification({ body: { channel: "sms", phone } })).body;
  const params = { uuid };
  await brand.api.deliverVerification({ params, body: { format: "link", redirectUserAfter } });
  return { brand, uuid, params, phone, link: linkIn(await newestText(phone)) };
}

it.everywhere("a verification's link redirects to the brand with only verificationUuid", async (person) => {
  const { brand, uuid, params, link } = await texted("phoneVerification");
  await follow(person, link);
  await person.button("Continue").click();
  assert.deepEqual([...(await person.landed("waited")).searchParams], [["verificationUuid", uuid]]);
  assert.equal((await brand.api.readVerification({ params })).body.verified, true);
});

it.everywhere(
  "a verification's link with infoConfirmation opens the review and then redirects with identityUuid",
  async (person) => {
    const { brand, phone, link } = await texted("infoConfirmation");
    await follow(person, link);
    await person.page.getByText("Next, you’ll see what Piper asks for").waitFor();
    await person.button("Continue").click();
    await person.at("review");
    await person.button("Share").click();
    const back = await person.landed();
    assert.deepEqual([...back.searchParams.keys()], ["identityUuid"]);
    const identity = (await brand.api.readOneClick({ params: { uuid: back.searchParams.get("identityUuid") ?? "" } }))
      .body;
    assert.equal(identity.identifiers.phone, phone);
    assert.ok(identity.credentials?.fullName);
    await person.page.goto(link);
    assert.equal(await person.at("error"), "This link has expired or was already used");
  },
);

test("a scanner that requests a texted link in any way does not verify the phone, and the person still can", async () => {
  const { brand, params, link } = await texted("phoneVerification");
  const url = new URL(link).pathname;
  for (const method of ["GET", "HEAD", "OPTIONS"] as const)
    for (const headers of [{}, { "sec-purpose": "prefetch;prerender" }, { purpose: "prefetch" }])
      await it.wallet.inject({ method, url, headers });
  const form = { "content-type": "application/x-www-form-urlencoded" };
  for (const payload of ["", "choice=", "choice=prove"])
    await it.wallet.inject({ method: "POST", url, payload, headers: form });
  assert.equal((await brand.api.readVerification({ params })).body.verified, false);
  const person = await it.person();
  await follow(person, link);
  await person.button("Continue").click();
  await person.landed("waited");
  assert.equal((await brand.api.readVerification({ params })).body.verified, true);
  await person.done();
});

it.everywhere("a person who denies the request ends the verification, and it sends no more texts", async (person) => {
  const { brand, params, phone, link } = await texted("phoneVerification");
  const before = (await it.api.listMessages({ query: { to: phone } })).body.data.length;
  await follow(person, link);
  await person.button("I didn’t ask for this").click();
  assert.equal(await person.at("done"), "Thanks for letting us know");
  await picture(person.page, `link-02-denied-${person.page.viewportSize()?.width}`);
  assert.equal((await refusal(brand.api.deliverVerification({ params }))).errorCode, "OCV003");
  await it.runJobs();
  assert.equal((await it.api.listMessages({ query: { to: phone } })).body.data.length, before);
});

it.everywhere(
  "a person who denies the text of a 1-Click also stops its page, and the text cannot be resent",
  async (person) => {
    const phone = freshPhone();
    const begun = await beginV1(phone, { verificationOptions: "both_link_and_code" });
    const link = linkIn(await newestText(phone));
    await follow(person, link);
    await person.button("I didn’t ask for this").click();
    await person.at("done");
    await person.page.goto(begun.url);
    assert.equal(await person.at("error"), "This request was stopped");
    assert.equal(await person.button("Resend code").count(), 0);
    const page = new URL(begun.url).pathname.slice("/request/".length);
    const resent = await it.wallet.inject({ method: "POST", url: `/api/page/${page}/resend` });
    assert.equal(resent.statusCode, 400);
    assert.equal(((await begun.read()).data as Json).errorCode, "OCE015");
  },
);

it.everywhere(
  "the terms, privacy, home, and landing pages are accessible and in the requested language",
  async (person, on) => {
    for (const path of [
      "/terms",
      "/privacy",
      "/terms?lang=es",
      "/privacy?lang=es",
      "/",
      "/demo/landing",
      "/nothing",
      "/nothing?lang=es",
      "/sdk",
      "/sdk?lang=es",
    ]) {
      await person.page.goto(`${it.walletUrl}${path}`);
      for (const colorScheme of ["light", "dark"] as const) {
        await person.page.emulateMedia({ colorScheme });
        await assertAccessible(person.page);
        await picture(person.page, `page-${on}-${colorScheme}-${path.replace(/\W+/g, "-")}`);
      }
      assert.equal(await person.page.locator("html").getAttribute("lang"), path.endsWith("es") ? "es" : "en");
    }
  },
);

test("a texted link says where, when and for which phone it was asked for", async () => {
  const redirectUrl = "https://www.linden.example/back";
  const linden = await it.brand({ integrationType: "v1", externalName: "Linden Bank", redirectUrl });
  const phone = freshPhone();
  const headers = { authorization: linden.apiKey };
  const payload = { phone, verificationOptions: "only_link" };
  assert.equal((await it.inject({ method: "POST", url: "/1-click", headers, payload })).status, 201);
  const link = linkIn(await newestText(phone));
  await it.advance(120_000);
  const person = await it.person();
  await follow(person, link);
  const facts = await person.page.locator(".facts .row").allInnerTexts();
  assert.deepEqual(
    facts.map((one) => one.split(/\s*\n\s*/)),
    [
      ["Website", "linden.example"],
      ["Sent", "2 minutes ago"],
      ["Phone", `(•••) •••-${phone.slice(-4)}`],
    ],
  );
  await person.page.getByText("What is Countersign?").click();
  assert.equal(await person.page.locator(".what li").filter({ visible: true }).count(), 4);
  await person.at("link");
  await person.done();
});
