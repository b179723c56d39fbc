/** Strangers who ask for texts to sign in: in production, over two processes on one database. */
import assert from "node:assert/strict";
import { after } from "node:test";
import { composeService } from "../compose/both.ts";
import { createBrand } from "../domain/brand/manage.ts";
import { openMetrics } from "../http/metrics.ts";
import { browserOf, said } from "./account-page.ts";
import { refusal } from "./harness.ts";
import { both } from "./production-harness.ts";

// Jobs run where a test says so.
export const it = await both({ ROLES: "api,wallet,dashboard" });
export const { real } = it;
/** A second process on the same database. */
const second = await composeService(
  {
    config: it.config,
    log: { info() {}, warn() {}, error() {} },
    store: it.store,
    signals: it.signals,
    metrics: openMetrics(),
  },
  { production: { clock: real.clock, vendors: it.time.ground, quotas: { key: 100_000, address: 100_000 } } },
);
after(second.close);
export const other = second.production ?? assert.fail("no production");
export const hour = 60 * 60_000;

const { body: made } = await it.api.createSandboxBrand({ body: {} });
const { customer_uuid: customerUuid } = await it.store.db
  .selectFrom("brand")
  .select("customer_uuid")
  .where("uuid", "=", made.uuid)
  .executeTakeFirstOrThrow();
const { apiKey } = await createBrand(real.ledger, {
  customerUuid,
  name: "Piper",
  settings: { consent: { declared: true } },
  approvals: ["production"],
});
export const brand = real.as(apiKey);

let blocks = 0;
/** Numbers of a block that no other test uses. */
export function block(count = 1): string[] {
  blocks += 1;
  return Array.from(
    { length: count },
    (_, at) => `+1650${200 + (blocks % 300)}${2 + Math.floor(blocks / 300)}${String(at).padStart(3, "0")}`,
  );
}
export const fresh = () => block()[0] ?? assert.fail();

/** Gives a phone a record here. */
export async function onRecord(phone: string): Promise<string> {
  return (await brand.createVerification({ body: { channel: "sms", phone } })).body.uuid;
}
export async function phoneOnRecord(): Promise<string> {
  const phone = fresh();
  await onRecord(phone);
  return phone;
}

let callers = 0;
/** A browser at an address and a network of its own, or at the given address, before one process or the other. */
export function stranger(address?: string) {
  callers += 1;
  const own = `198.18.${callers % 250}.${Math.floor(callers / 250)}`;
  return browserOf(callers % 2 === 0 ? real.wallet : other.wallet, {}, address ?? own);
}
export const ask = (phone: string, address?: string) =>
  stranger(address).beginSignIn({ body: { phone, consent: said } });
export const work = () => Promise.all([real.worker.runDue(), other.worker.runDue()]);

export async function signInTexts(phones: readonly string[]): Promise<number> {
  await work();
  return it.texts.filter(({ to, body }) => phones.includes(to) && body.includes("sign in to Countersign")).length;
}

/** Asks for a sign-in to each phone; answers how many texts that made. */
export async function textsFor(phones: readonly string[]): Promise<number> {
  const before = await signInTexts(phones);
  for (let at = 0; at < phones.length; at += 20)
    await Promise.all(phones.slice(at, at + 20).map((phone) => ask(phone)));
  return (await signInTexts(phones)) - before;
}

/** Signs in with the code of the text. */
export async function signIn(phone: string) {
  const browser = stranger();
  const { signIn: uuid } = (await browser.beginSignIn({ body: { phone, consent: said } })).body;
  await work();
  return await browser.finishSignIn({ body: { signIn: uuid, code: it.codeTo(phone) } });
}

/** All that a stranger can learn about a number: the answers to a sign-in, its resends, wrong codes, and what comes after. */
export async function learned(phone: string) {
  const browser = stranger();
  const { signIn: uuid, ...begun } = (await browser.beginSignIn({ body: { phone, consent: said } })).body;
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
  const { signIn: lateUuid } = (await late.beginSignIn({ body: { phone, consent: said } })).body;
  await work();
  return { answers, onceOver: () => late.finishSignIn({ body: { signIn: lateUuid, code: "000000" } }).catch(told) };
}
const told = (outcome: unknown) => refusal(Promise.reject(outcome));
