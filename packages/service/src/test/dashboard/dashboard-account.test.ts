import assert from "node:assert/strict";
import { test } from "node:test";
import { signOutEverywhere } from "../../domain/member/end-access.ts";
import { idleMs, sessionLifeMs } from "../../domain/member/session.ts";
import { linkFor, linkLifeMs } from "../../domain/member/sign-in.ts";
import { demoCustomers, firstDemoCustomer } from "../../providers/sandbox/demo.ts";
import type { HomeTrx } from "../../store/database.ts";
import { callsAs, signedIn } from "../harness/dashboard-member.ts";
import { demoKey, otherKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
let calls = 0;
/** Calls without a session, each from another address. */
const guest = callsAs(it, null, () => `10.0.${calls++ >> 8}.${calls & 255}`);
const cookieIn = (headers: Record<string, unknown>) =>
  /countersign=([0-9A-Za-z]+);/.exec(String(headers["set-cookie"]))?.[1] ?? null;
const codeFor = async (email: string) => {
  const [newest] = (await it.as(demoKey).listMessages({ query: { to: email } })).body.data;
  return /^\d{6}/.exec(newest?.body ?? "")?.[0] ?? "";
};
const wordOf = (link: string) => link.split("#")[1] ?? "";
/** Moves the accounts clock forward. */
const later = (ms: number) => it.accountClock.setOffset(it.accountClock.offsetMs() + ms);

test("an unknown email address gets the same answers as a member's, and no code works for it", async () => {
  const member = await signedIn(it);
  const known = await guest("POST", "/api/sign-in", { email: member.email });
  const unknown = await guest("POST", "/api/sign-in", { email: "nobody@example.com" });
  assert.deepEqual([known.status, Object.keys(known.body)], [unknown.status, Object.keys(unknown.body)]);
  const tries = [];
  for (let i = 0; i < 4; i += 1)
    tries.push((await guest("POST", `/api/sign-in/${unknown.body.uuid}/code`, { code: "123456" })).body);
  assert.deepEqual(tries, [
    { outcome: "wrong", attemptsRemaining: 2 },
    { outcome: "wrong", attemptsRemaining: 1 },
    { outcome: "wrong", attemptsRemaining: 0 },
    { outcome: "over" },
  ]);
});

test("a mail server that fails or never answers does not reveal whether an address is a member's", async (t) => {
  const { mail } = it.accounts;
  t.after(() => {
    it.accounts.mail = mail;
  });
  const never = Promise.withResolvers<void>().promise;
  for (const send of [() => Promise.reject(new Error("smtp: timeout")), () => never]) {
    it.accounts.mail = { ...mail, send };
    const member = await signedIn(it);
    const answers = [];
    for (const email of [member.email, "nobody@example.com"])
      answers.push(await guest("POST", "/api/sign-in", { email }));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    );
  }
});

test("only three of two hundred parallel guesses are compared, and a right code signs in once", async (t) => {
  const { email } = await signedIn(it);
  const { uuid } = (await guest("POST", "/api/sign-in", { email })).body;
  const guesses = await Promise.all(
    Array.from({ length: 200 }, (_, i) => guest("POST", `/api/sign-in/${uuid}/code`, { code: String(100_000 + i) })),
  );
  assert.equal(guesses.filter((one) => one.body.outcome === "wrong").length, 3);
  const next = (await guest("POST", "/api/sign-in", { email })).body;
  const code = await codeFor(email);
  const { home } = it.accounts;
  const bothCompared = Promise.withResolvers<void>();
  let compared = 0;
  // Both codes are compared before either is consumed, so the consumption alone decides.
  const inTransaction = home.inTransaction.bind(home);
  t.mock.method(home, "inTransaction", async (consume: (trx: HomeTrx) => Promise<unknown>) => {
    compared += 1;
    if (compared === 2) bothCompared.resolve();
    await bothCompared.promise;
    return await inTransaction(consume);
  });
  const both = await Promise.all([0, 1].map(() => guest("POST", `/api/sign-in/${next.uuid}/code`, { code })));
  assert.deepEqual(both.map((one) => one.body.outcome).filter((one) => one === "signedIn").length, 1);
});

test("one email address gets ten codes an hour, even with parallel requests", async () => {
  const { email } = await signedIn(it);
  for (const address of [email, "nobody-at-once@example.com"]) {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => guest("POST", "/api/sign-in", { email: address })),
    );
    assert.equal(answers.filter((one) => one.status === 429).length, 30, address);
  }
});

test("a code expires after ten minutes, a link after fifteen, and each works once", async () => {
  const { email } = await signedIn(it);
  const { uuid } = (await guest("POST", "/api/sign-in", { email })).body;
  later(10 * 60_000);
  const late = await guest("POST", `/api/sign-in/${uuid}/code`, { code: await codeFor(email) });
  assert.equal(late.body.outcome, "over");
  const next = (await guest("POST", "/api/sign-in", { email })).body;
  const code = await codeFor(email);
  assert.equal((await guest("POST", `/api/sign-in/${next.uuid}/code`, { code })).body.outcome, "signedIn");
  assert.equal((await guest("POST", `/api/sign-in/${next.uuid}/code`, { code })).body.outcome, "over");
  const link = wordOf(await linkFor(it.accounts, email));
  assert.equal((await guest("POST", "/api/sign-in-link/preview", { link })).body.kind, "signIn");
  assert.equal((await guest("POST", "/api/sign-in-link", { link })).body.outcome, "signedIn");
  assert.equal((await guest("POST", "/api/sign-in-link", { link })).body.outcome, "over");
  assert.equal((await guest("POST", "/api/sign-in-link/preview", { link })).body.kind, "over");
  const old = wordOf(await linkFor(it.accounts, email));
  later(linkLifeMs);
  assert.equal((await guest("POST", "/api/sign-in-link", { link: old })).body.outcome, "over");
});

test("the audit log records each sign-in and its method; the process log records refused ones without the email", async () => {
  const { email, call } = await signedIn(it);
  const begin = async () => (await guest("POST", "/api/sign-in", { email })).body.uuid;
  const before = it.log.length;
  await guest("POST", `/api/sign-in/${await begin()}/code`, { code: "918273" });
  await guest("POST", `/api/sign-in/${await begin()}/code`, { code: await codeFor(email) });
  await guest("POST", "/api/sign-in-link", { link: "a".repeat(43) });
  const refused = it.log.slice(before).filter(({ message }) => message === "sign-in rejected");
  assert.deepEqual(
    refused.map(({ fields }) => [fields?.method, fields?.outcome, Object.keys(fields ?? {}).length]),
    [
      ["code", "wrong", 3],
      ["link", "over", 3],
    ],
  );
  assert.doesNotMatch(JSON.stringify(it.log.slice(before)), new RegExp(`${email}|918273|aaaa`));
  const [line] = (await call("GET", "/api/audit")).body.data as { action: string; subject: string }[];
  assert.deepEqual([line?.action, line?.subject.split(",")[0]], ["member.signedIn", "code"]);
});

test("when a link is used twice at once, only one use signs in", async () => {
  const { email } = await signedIn(it);
  const link = wordOf(await linkFor(it.accounts, email));
  const both = await Promise.all([0, 1].map(() => guest("POST", "/api/sign-in-link", { link })));
  assert.deepEqual(both.map(({ body }) => body.outcome).sort(), ["over", "signedIn"]);
});

test("signing in opens a new session and ends the browser's previous one", async () => {
  const member = await signedIn(it);
  const planted = "a".repeat(43);
  const link = wordOf(await linkFor(it.accounts, member.email));
  const entered = await callsAs(it, planted)("POST", "/api/sign-in-link", { link });
  const token = cookieIn(entered.headers);
  assert.ok(token !== null && token !== planted);
  assert.match(String(entered.headers["set-cookie"]), /; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/);
  assert.equal((await callsAs(it, planted)("GET", "/api/me")).status, 401);
  const again = wordOf(await linkFor(it.accounts, member.email));
  await callsAs(it, token)("POST", "/api/sign-in-link", { link: again });
  assert.equal((await callsAs(it, token)("GET", "/api/me")).status, 401);
});

test("over https, the session cookie is Secure and has the __Host- prefix", async () => {
  const secure = await sandbox({}, { PUBLIC_DASHBOARD_URL: "https://dashboard.example.com", DEMO: "off" });
  await secure.admin.home
    .insertInto("customer")
    .values({ uuid: firstDemoCustomer.uuid, name: "X", created_at: 1 })
    .onConflict((c) => c.doNothing())
    .execute();
  const { email } = await signedIn(secure);
  const link = wordOf(await linkFor(secure.accounts, email));
  const { headers } = await callsAs(secure, null)("POST", "/api/sign-in-link", { link });
  const set = String(headers["set-cookie"]);
  assert.match(set, /^__Host-countersign=\w{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
});

test("a session cookie planted before a sign-in does not get the new session, and its own session ends", async () => {
  const planted = await signedIn(it, { role: "viewer" });
  const victim = await signedIn(it);
  const link = wordOf(await linkFor(it.accounts, victim.email));
  const answer = await planted.call("POST", "/api/sign-in-link", { link });
  assert.equal(answer.status, 200);
  const cookie = /^countersign=(\w{43});/.exec(String(answer.headers["set-cookie"]))?.[1] ?? "";
  assert.notEqual(cookie, planted.token);
  assert.equal(((await callsAs(it, cookie)("GET", "/api/me")).body.member as { email: string }).email, victim.email);
  assert.equal((await planted.call("GET", "/api/me")).status, 401);
});

test("a session ends after an hour without use, after twelve hours, and by signing out", async () => {
  const idle = await signedIn(it);
  later(idleMs);
  assert.equal((await idle.call("GET", "/api/me")).status, 401);
  const busy = await signedIn(it);
  for (let used = 0; used < sessionLifeMs; used += idleMs / 2) {
    assert.equal((await busy.call("GET", "/api/me")).status, 200);
    later(idleMs / 2);
  }
  assert.equal((await busy.call("GET", "/api/me")).status, 401);
  const out = await signedIn(it);
  const left = await out.call("DELETE", "/api/session");
  assert.match(String(left.headers["set-cookie"]), /^countersign=; Max-Age=0; Path=\//);
  assert.equal((await out.call("GET", "/api/me")).status, 401);
});

test("the operator signs a member out everywhere, and the account's audit log records it", async () => {
  const member = await signedIn(it);
  const colleague = await signedIn(it);
  const second = await guest("POST", "/api/sign-in-link", { link: wordOf(await linkFor(it.accounts, member.email)) });
  assert.equal((await signOutEverywhere(it.accounts, member.email)).sessions, 2);
  for (const token of [member.token, cookieIn(second.headers)])
    assert.equal((await callsAs(it, token)("GET", "/api/me")).status, 401);
  const [line] = (await colleague.call("GET", "/api/audit")).body.data as Record<string, unknown>[];
  assert.deepEqual([line?.action, line?.who], ["session.ended", null]);
  await assert.rejects(signOutEverywhere(it.accounts, "nobody@example.com"), /Validation failed/);
});

test("a member cannot end another member's session", async () => {
  const [one, other] = [await signedIn(it), await signedIn(it)];
  const { data } = (await other.call("GET", "/api/me/sessions")).body as { data: { uuid: string }[] };
  assert.equal(data.length, 1);
  assert.equal((await one.call("DELETE", `/api/me/sessions/${data[0]?.uuid}`)).status, 404);
  assert.equal((await other.call("GET", "/api/me")).status, 200);
});

test("when two invitations to one address are accepted at once, one succeeds and the other gets the outcome taken", async () => {
  const email = "erlich@example.com";
  const links: string[] = [];
  for (const { uuid: customerUuid } of demoCustomers) {
    const owner = await signedIn(it, { customerUuid });
    assert.equal((await owner.call("POST", "/api/members", { email, name: "", role: "viewer" })).status, 201);
    const key = customerUuid === firstDemoCustomer.uuid ? demoKey : otherKey;
    const [mail] = (await it.as(key).listMessages({ query: { to: email } })).body.data;
    links.push(wordOf(/https?:\/\/\S+/.exec(mail?.body ?? "")?.[0] ?? ""));
  }
  const answers = await Promise.all(links.map((link) => guest("POST", "/api/sign-in-link", { link })));
  assert.deepEqual(answers.map(({ status, body }) => [status, body.outcome]).sort(), [
    [200, "signedIn"],
    [200, "taken"],
  ]);
});

test("an invitation's link signs in with the invited role, and removing the member ends the session at once", async () => {
  const owner = await signedIn(it);
  const email = "gilfoyle@example.com";
  const { uuid } = (await owner.call("POST", "/api/members", { email, name: "Gilfoyle", role: "viewer" })).body;
  assert.equal((await owner.call("POST", "/api/members", { email, name: "", role: "owner" })).status, 409);
  const [mail] = (await it.as(demoKey).listMessages({ query: { to: email } })).body.data;
  const link = /#(\w{43})/.exec(mail?.body ?? "")?.[1] ?? "";
  const preview = (await guest("POST", "/api/sign-in-link/preview", { link })).body;
  assert.deepEqual([preview.kind, preview.role], ["invitation", "viewer"]);
  const joined = callsAs(it, cookieIn((await guest("POST", "/api/sign-in-link", { link })).headers));
  assert.equal((await joined("GET", "/api/brands")).status, 200);
  assert.equal((await joined("POST", "/api/brands", { name: "X", integrationType: "api" })).status, 403);
  assert.equal((await owner.call("DELETE", `/api/members/${uuid}`)).status, 200);
  assert.equal((await joined("GET", "/api/me")).status, 401);
  const rows = await it.store.db
    .selectFrom("member")
    .innerJoin("data_key", "data_key.uuid", "member.data_key_uuid")
    .select(["email_index", "wrapped"])
    .where("member.uuid", "=", String(uuid))
    .executeTakeFirstOrThrow();
  assert.deepEqual(rows, { email_index: null, wrapped: null });
});

test("an account always keeps an owner, even when two owners remove each other at once", async () => {
  const customerUuid = "d0000000-0000-4000-8000-00000000000f";
  await it.store.db.insertInto("customer").values({ uuid: customerUuid, name: "Pair", created_at: 1 }).execute();
  const one = await signedIn(it, { customerUuid });
  const other = await signedIn(it, { customerUuid });
  const answers = await Promise.all([
    one.call("DELETE", `/api/members/${other.uuid}`),
    other.call("DELETE", `/api/members/${one.uuid}`),
  ]);
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  const last = answers[0]?.status === 200 ? one : other;
  assert.equal((await last.call("PATCH", `/api/members/${last.uuid}`, { role: "viewer" })).status, 409);
});

test("only the customer can read its emails, and no table contains a member's email in plain text", async () => {
  const { email } = await signedIn(it);
  await guest("POST", "/api/sign-in", { email });
  assert.equal((await it.as(demoKey).listMessages({ query: { to: email } })).body.data.length, 1);
  assert.equal((await it.as(otherKey).listMessages({ query: { to: email } })).body.data.length, 0);
  for (const table of ["member", "sign_in", "member_session", "mail", "account_audit", "customer"] as const) {
    const rows = await it.store.db.selectFrom(table).selectAll().execute();
    assert.ok(!JSON.stringify(rows.map((row) => Object.values(row).map(String))).includes(email), table);
  }
  assert.ok(!JSON.stringify(it.log).includes(email));
});

test("pages cannot be framed, run only our scripts, and are not cached", async () => {
  for (const url of ["/", "/sign-in", "/brands", "/nothing"]) {
    const { status, headers } = await guest("GET", url);
    assert.equal(status, 200);
    const csp = String(headers["content-security-policy"]);
    assert.match(
      csp,
      /default-src 'none'.*frame-ancestors 'none'.*script-src 'self';.*require-trusted-types-for 'script'/,
    );
    assert.doesNotMatch(csp, /unsafe|\*/);
    assert.deepEqual([headers["x-frame-options"], headers["cache-control"]], ["DENY", "no-store"]);
  }
  assert.equal((await guest("GET", "/api/nothing")).status, 404);
});
