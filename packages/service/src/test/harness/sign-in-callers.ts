/** Strangers who request sign-in texts, in production, with two processes on one database. */
import assert from "node:assert/strict";
import { after } from "node:test";
import { composeService } from "../../compose/service.ts";
import { createBrand } from "../../domain/brand/manage.ts";
import type { Phone } from "../../domain/ports.ts";
import { openMetrics } from "../../http/metrics.ts";
import { browserOf } from "./account-page.ts";
import { customerOf } from "./below-http.ts";
import { both } from "./both-environments.ts";
import { agreed } from "./consent-shown.ts";
import { refusal } from "./sandbox.ts";

// Jobs run only when a test runs them.
export const it = await both({ ROLES: "api,wallet,dashboard" });
export const { real } = it;
/** A second process on the same database. */
const second = await composeService(
  {
    config: it.config,
    log: { info() {}, warn() {}, error() {} },
    ...it.stores,
    metrics: openMetrics(),
  },
  { production: { clock: real.clock, tools: it.time.tools, quotas: { key: 100_000, address: 100_000 } } },
);
after(second.close);
export const other = second.production ?? assert.fail("no production");
export const hour = 60 * 60_000;
/** The dependencies of each process in each cell. */
export const everyCell = [real, other].flatMap(({ deps }) => deps.cells.all());

const { body: made } = await it.api.createSandboxBrand({ body: {} });
const customerUuid = await customerOf(it, made.uuid);
const { apiKey } = await createBrand(real.admin, {
  customerUuid,
  name: "Piper",
  settings: { consent: { declared: true } },
  approvals: ["production"],
});
export const brand = real.as(apiKey);

let blocks = 0;
/** Returns numbers of a block that no other test uses. */
export function block(count = 1): string[] {
  blocks += 1;
  return Array.from(
    { length: count },
    (_, at) => `+1650${200 + (blocks % 300)}${2 + Math.floor(blocks / 300)}${String(at).padStart(3, "0")}`,
  );
}
export const fresh = () => block()[0] ?? assert.fail();

export function supported(phone: string): Phone {
  const judged = real.deps.phones.judge(phone);
  assert.ok(judged.kind === "supported");
  return judged.phone;
}
/** The cell of a phone's person. */
export const cellOf = (phone: string) => real.deps.cells.ofPhone(supported(phone));

/** Begins a verification, so that the phone is on record, and returns its uuid. */
export async function onRecord(phone: string): Promise<string> {
  return (await brand.createVerification({ body: { channel: "sms", phone } })).body.uuid;
}
export async function phoneOnRecord(phone = fresh()): Promise<string> {
  await onRecord(phone);
  return phone;
}

let callers = 0;
/** A browser that calls one of the two processes, with its own address and network unless an address is given. */
export function stranger(address?: string) {
  callers += 1;
  const own = `198.18.${callers % 250}.${Math.floor(callers / 250)}`;
  return browserOf(callers % 2 === 0 ? real.wallet : other.wallet, {}, address ?? own);
}
export const ask = (phone: string, address?: string) =>
  stranger(address).beginSignIn({ body: { phone, consent: agreed("signIn") } });
/** Runs the jobs of both processes, and erases what has expired. */
export async function work(): Promise<void> {
  await Promise.all([real.worker.runDue(), other.worker.runDue()]);
  await real.sweeper.sweep();
}

export async function signInTexts(phones: readonly string[]): Promise<number> {
  await work();
  return it.texts.filter(({ to, body }) => phones.includes(to) && body.includes("sign in to Countersign")).length;
}

/** Requests a sign-in for each phone and returns how many texts were sent. */
export async function textsFor(phones: readonly string[]): Promise<number> {
  const before = await signInTexts(phones);
  for (let at = 0; at < phones.length; at += 20)
    await Promise.all(phones.slice(at, at + 20).map((phone) => ask(phone)));
  return (await signInTexts(phones)) - before;
}

/** Signs in with the code from the text. */
export async function signIn(phone: string) {
  const browser = stranger();
  const { signIn: uuid } = (await browser.beginSignIn({ body: { phone, consent: agreed("signIn") } })).body;
  await work();
  return await browser.finishSignIn({ body: { signIn: uuid, code: it.codeTo(phone) } });
}

/**
 * Returns what a stranger can learn about a number: the answers to a sign-in, to resends and wrong codes, and to a late
 * code.
 */
export async function learned(phone: string) {
  const browser = stranger();
  const { signIn: uuid, ...begun } = (await browser.beginSignIn({ body: { phone, consent: agreed("signIn") } })).body;
  await work();
  const resend = () =>
    browser.resendSignIn({ body: { signIn: uuid } }).then(({ body: { signIn: _uuid, ...rest } }) => rest, told);
  const wrong = (code: string) => browser.finishSignIn({ body: { signIn: uuid, code } }).catch(told);
  const answers: unknown[] = [begun, await wrong("000000")];
  for (let asked = 0; asked < 3; asked += 1) {
    answers.push(await resend());
    await work();
  }
  for (let tried = 0; tried < 3; tried += 1) answers.push(await wrong("000000"));
  answers.push(await resend());
  const late = stranger();
  const { signIn: lateUuid } = (await late.beginSignIn({ body: { phone, consent: agreed("signIn") } })).body;
  await work();
  return { answers, onceOver: () => late.finishSignIn({ body: { signIn: lateUuid, code: "000000" } }).catch(told) };
}
const told = (outcome: unknown) => refusal(Promise.reject(outcome));
