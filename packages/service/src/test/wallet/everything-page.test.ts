import assert from "node:assert/strict";
import { test } from "node:test";
import { birthDate, phoneOnRecord, signIn } from "../harness/account-page.ts";
import { agreed } from "../harness/consent-shown.ts";
import { hostedShare } from "../harness/hosted-share.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();

/** The readable page of a person who shared, in a language. */
async function pageIn(language: "en" | "es") {
  const phone = await phoneOnRecord(it);
  const { uuid } = (await it.api.createOneClick({ body: { phone } })).body;
  for (let reads = 0; reads < 3; reads += 1) await it.api.readOneClick({ params: { uuid } });
  const credentials = [{ type: "EmployerNameCredential", data: { employer: "Pied Piper" } }];
  await it.api.issueCredentials({ body: { phone, credentials } });
  const browser = await signIn(it, phone);
  await browser.proveAccount({ body: { birthDate } });
  const headers = { cookie: browser.cookie(), "sec-fetch-site": "same-origin" };
  return await it.wallet.inject({ url: `/everything?lang=${language}`, headers });
}

test("the readable page has the names and the notation that people use", async () => {
  const { body } = await pageIn("en");
  for (const shown of [
    "<dt>Full name</dt><dd>Richard Harrison Hendricks",
    "<dt>Social Security number</dt><dd>000-45-6789",
    "<dt>Birthday</dt><dd>August 1, 1989",
    '<p class="value">Pied Piper</p>',
    "Demo API read your data 3 times",
    "You signed in",
    "Full name, phone, address, birthday, Social Security number",
    "<dt>Address</dt><dd>5320 Newell Rd, Palo Alto, CA 94303<",
  ])
    assert.ok(body.includes(shown), shown);
  assert.match(body, /<dt>Phone<\/dt><dd>\(\d{3}\)\u00a0\d{3}-\d{4}</);
  assert.doesNotMatch(body, /FullName|BirthDate|Ssn|000456789|1989-08-01|undefined|\[object/);
});

test("the readable page has one timeline, newest first, which names the consent that a company reports as such", async () => {
  const { body } = await pageIn("en");
  const timeline = body.slice(body.indexOf('id="activity"'), body.indexOf('id="devices"'));
  assert.equal([...body.matchAll(/<section id="activity"/g)].length, 1);
  assert.doesNotMatch(body, /id="(?:decisions|reports)"/);
  const shared = /Demo API received your data<\/p>.*?Demo API says you agreed to this \(its terms, version /s;
  assert.match(timeline, shared);
  assert.equal([...timeline.matchAll(/Demo API received your data/g)].length, 1);
  const times = [...timeline.matchAll(/<h3 class="day"[^>]*><time datetime="([^"]+)"/g)].map(([, at = ""]) => at);
  assert.ok(times.length > 3);
  assert.deepEqual(times, [...times].sort().reverse());
  const days = [...timeline.matchAll(/<h3 class="day"><time datetime="([^"]{10})/g)].map(([, day = ""]) => day);
  assert.deepEqual(days, [...new Set(times.map((at) => at.slice(0, 10)))]);
});

test("the readable page lists what a brand got even if the person declined", async () => {
  const phone = await phoneOnRecord(it);
  await hostedShare(it, phone, { share: false });
  const browser = await signIn(it, phone);
  await browser.proveAccount({ body: { birthDate } });
  const headers = { cookie: browser.cookie(), "sec-fetch-site": "same-origin" };
  const { body } = await it.wallet.inject({ url: "/everything", headers });
  const declined =
    /You chose not to share with Demo Hosted.*still got your phone number and a fraud-risk rating for it.*You chose “Don’t share\.”/s;
  assert.match(body, declined);
  assert.equal([...body.matchAll(/You chose not to share with Demo Hosted/g)].length, 1);
});

test("the readable page has a link back and a list of its sections, and collapses long ones", async () => {
  const { body } = await pageIn("en");
  assert.match(body, /<header class="brand bar"><a class="link back" href="\/">.*Back to your data<\/a>/);
  const entries = [...body.matchAll(/<a href="#(\w+)"><span>([^<]+)<\/span> <span class="count">(\d+)<\/span><\/a>/g)];
  for (const [, id = "", text = ""] of entries)
    assert.match(body, new RegExp(`<section id="${id}"[^>]*><h2[^>]*>${text}</h2>`));
  assert.deepEqual(entries.find(([, id]) => id === "shared")?.slice(1), ["shared", "What companies can read now", "1"]);
  const share = /<details class="held"><summary><h3>Demo API<\/h3><span class="about">Full name, phone, address/;
  assert.match(body, share);
  assert.match(body, /Demo API can read it until <time/);
});

test("the readable page sets the button that a person chose apart from the text that they saw", async () => {
  const phone = await phoneOnRecord(it);
  await hostedShare(it, phone);
  const browser = await signIn(it, phone);
  const { uuid = "" } = (await browser.readAccount()).body.brands.find(({ name }) => name === "Demo Hosted") ?? {};
  await browser.stopSharing({ params: { uuid }, body: { consent: agreed("stop") } });
  await browser.proveAccount({ body: { birthDate } });
  const headers = { cookie: browser.cookie(), "sec-fetch-site": "same-origin" };
  const { body } = await it.wallet.inject({ url: "/everything", headers });
  assert.match(
    body,
    /<p class="about">You chose “Stop sharing\.”<\/p><details>.*Ask Demo Hosted to delete them\.<\/p><\/blockquote>/s,
  );
});

test("the readable page is in Spanish for people who read Spanish", async () => {
  const { body } = await pageIn("es");
  for (const shown of ["<dt>Nombre completo</dt>", "1 de agosto de 1989", "Demo API leyó sus datos 3 veces"])
    assert.ok(body.includes(shown), shown);
  assert.doesNotMatch(body.replace(/<footer[\s\S]*/, ""), /Full name|Birthday|Activity|Has access/);
});

test("the readable page names its time zone, and its policy allows only scripts and calls of its own site", async () => {
  const { body, headers } = await pageIn("en");
  assert.match(body, /Times are in UTC\./);
  assert.match(body, /<time datetime="2026-[^"]+Z" data-as="whole">Jan \d+, 2026, \d+:\d\d [AP]M<\/time>/);
  assert.match(String(headers["content-security-policy"]), /script-src 'self'; connect-src 'self'$/);
});

test("from another site, the readable page leads to the sign-in and shows nothing", async () => {
  const { statusCode, headers, body } = await it.wallet.inject({
    url: "/everything",
    headers: { "sec-fetch-site": "cross-site", accept: "text/html" },
  });
  assert.deepEqual([statusCode, headers.location, body], [303, "/", ""]);
});
