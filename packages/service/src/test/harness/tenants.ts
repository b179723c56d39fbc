/** Two tenants in both environments. One of them owns one of everything, and the other must never learn about it. */
import assert from "node:assert/strict";
import type { Environment } from "@countersign/contract/brand";
import { sql } from "kysely";
import { createBrand } from "../../domain/brand/manage.ts";
import { openSession } from "../../domain/member/session.ts";
import { outbound } from "../../providers/outbound.ts";
import { demoBrands, firstDemoCustomer, secondDemoCustomer } from "../../providers/sandbox/demo.ts";
import { mailOutbox } from "../../providers/sandbox/outboxes.ts";
import { ownHeaders, phoneOnRecord, birthDate as sandboxBirthDate, signIn } from "./account-page.ts";
import { freshPhone } from "./below-http.ts";
import { type Both, both } from "./both-environments.ts";
import { agreed } from "./consent-shown.ts";
import { signedIn } from "./dashboard-member.ts";
import { eventually } from "./eventually.ts";
import { richard } from "./health-lookup.ts";
import { keepOffers } from "./kept-offers.ts";
import { png } from "./logo-pictures.ts";
import { demoKey, frameOfKey, otherKey } from "./sandbox.ts";
import { birthDate, knownPhone } from "./vendors/fake-sources.ts";

/** An id and what it identifies: a column of the database, or a token that only its holder has. */
export type Thing = { kind: string; id: string; environment: Environment | null };
type Json = Record<string, unknown>;

export const brandTypes = ["api", "v1", "semiHosted", "hosted", "nonHosted", "sdk"] as const;
type Keyed = { uuid: string; apiKey: string };
type Signed = Awaited<ReturnType<typeof signedIn>>;
export type Brands = Record<(typeof brandTypes)[number], Keyed>;
export type Population = Awaited<ReturnType<typeof populate>>;

/** Creates a brand of each type for the customer of a key. */
async function brandsOf(it: Both, key: string): Promise<Brands> {
  const made = brandTypes.map(async (integrationType) => {
    const settings = { integrationType, health: { enabled: true }, consent: { declared: true } };
    const { body } = await it.as(key).createSandboxBrand({ body: { name: integrationType, settings } });
    return [integrationType, { uuid: body.uuid, apiKey: body.apiKey }] as const;
  });
  return Object.fromEntries(await Promise.all(made)) as Brands;
}

/** Creates an approved production brand. */
async function realBrandOf(it: Both, customerUuid: string): Promise<Keyed> {
  return await createBrand(it.real.admin, {
    customerUuid,
    name: "Real",
    settings: { consent: { declared: true } },
    approvals: ["production"],
  });
}

/** Opens both environments, with a receiver that accepts every webhook. */
export async function openForTenants(): Promise<Both> {
  const { judge } = outbound({ loopback: false });
  const post = async () => ({ kind: "answered" as const, status: 204, durationMs: 1 });
  const it = await both({}, {}, { vendors: { outbound: { judge, post } } });
  await Promise.all([it.wallet.ready(), it.production.wallet.ready()]);
  return it;
}

export async function populate(it: Both) {
  // There is no mail server here.
  it.accounts.mail = mailOutbox();
  const [owner, colleague, stranger] = [
    await signedIn(it),
    await signedIn(it),
    await signedIn(it, { customerUuid: secondDemoCustomer.uuid }),
  ];
  const others = { same: await brandsOf(it, demoKey), other: await brandsOf(it, otherKey) };
  const realOthers = [
    await realBrandOf(it, firstDemoCustomer.uuid),
    await realBrandOf(it, secondDemoCustomer.uuid),
  ] as const;
  const secondPerson = await signIn(it, await phoneOnRecord(it));
  const before = await idsIn(it);

  const brands = await brandsOf(it, demoKey);
  const phone = freshPhone();
  await fillSandbox(it, brands, phone);
  await fillDashboard(it, brands.api, owner);
  const person = await signIn(it, phone);
  await person.proveAccount({ body: { birthDate: sandboxBirthDate } });
  const [share] = (await person.readAccount()).body.brands;
  if (share !== undefined)
    await person.stopSharing({ params: { uuid: share.uuid }, body: { consent: agreed("stop") } });
  await it.as(brands.api.apiKey).createOneClick({ body: { phone } });
  const tokens = await bearerTokens(it, brands);
  const ofPerson = await it.store.db
    .selectFrom("verification")
    .select("uuid")
    .where("brand_uuid", "is", null)
    .execute();
  const signIns = new Set(ofPerson.map(({ uuid }) => uuid));
  const sandbox = newIds(await idsIn(it), before, "sandbox").map((thing) =>
    signIns.has(thing.id) ? { ...thing, kind: "sign_in.verification" } : thing,
  );

  const beforeReal = await idsIn(it);
  const real = await realBrandOf(it, firstDemoCustomer.uuid);
  await fillReal(it, real);
  const production = newIds(await idsIn(it), beforeReal, "production");
  return {
    brands,
    others,
    real,
    realOthers,
    phone,
    line: await lineOf(it, brands.api.uuid),
    owner,
    colleague,
    stranger,
    strangersBrand: demoBrands.find((one) => one.customerUuid === secondDemoCustomer.uuid)?.uuid ?? assert.fail(),
    ownPage: await ownHeaders(it.wallet, person.cookie()),
    anothersPage: await ownHeaders(it.wallet, secondPerson.cookie()),
    things: [...sandbox, ...tokens, ...production],
  };
}

async function fillSandbox(it: Both, brands: Brands, phone: string): Promise<void> {
  const api = it.as(brands.api.apiKey);
  for (const type of ["api", "sdk"] as const) await verified(it, brands[type].apiKey, phone);
  await api.createOneClick({ body: { phone } });
  await api.createHealthLookup({ body: { ...richard, externalReference: "theirs" } });
  const credentials = [{ type: "EmailCredential" as const, data: { email: `${phone.slice(1)}@example.com` } }];
  await api.issueCredentials({ body: { phone, credentials } });
  for (const type of ["v1", "semiHosted", "hosted"] as const)
    await asked(keyed(it, brands[type].apiKey, type === "v1" ? "/1-click" : "/v2/1-click", { phone }));
  await listen(it, brands.sdk.apiKey);
  await it.runJobs();
}

async function verified(it: Both, key: string, phone: string): Promise<void> {
  const api = it.as(key);
  const params = { uuid: (await api.createVerification({ body: { channel: "sms", phone } })).body.uuid };
  await api.deliverVerification({ params, body: {} });
  await it.runJobs();
  const [text] = (await it.api.listMessages({ query: { to: phone } })).body.data;
  await api.submitVerificationCode({ params, body: { code: /\d{6}/.exec(text?.body ?? "")?.[0] ?? "" } });
}

/** Creates the data of the brand's members. */
async function fillDashboard(it: Both, brand: Keyed, owner: Signed): Promise<void> {
  const base = `/api/brands/${brand.uuid}/sandbox`;
  const made = await owner.call("POST", `${base}/webhooks`, {
    url: "https://brand.example/hook",
    authentication: { type: "none" },
  });
  await asked(owner.call("POST", `${base}/webhooks/${made.body.uuid}/test`, {}));
  await asked(owner.call("PUT", `${base}/logo?version=1`, png()));
  const invited = { email: `invited-${brand.uuid}@example.com`, name: "Invited", role: "viewer" };
  await asked(owner.call("POST", "/api/members", invited));
  await asked(owner.call("POST", "/api/me/passkeys", {}));
  await asked(owner.call("POST", "/api/sign-in-passkey", {}));
  await owner.call("POST", "/api/sign-in", { email: owner.email });
  await it.store.db.insertInto("passkey").values(passkeyOf(it, owner.uuid)).execute();
  await it.store.home.inTransaction((trx) =>
    openSession(it.accounts, trx, { memberUuid: owner.uuid, method: "code", device: "Another" }),
  );
  await it.runJobs();
  await requestLogWritten(it, brand.uuid);
}

/**
 * Creates a listener that took one event but has not reported its result. Another event waits, so that a call that
 * takes from it does not block.
 */
async function listen(it: Both, key: string): Promise<void> {
  const { db } = it.store;
  const { body } = await keyed(it, key, "/sandbox/listeners", { forward: "http://localhost:9/hook" });
  const endpoint = String((body as Json).uuid);
  for (const event of ["1-click.health.lookup", "1-click.health.lookup"])
    await asked(keyed(it, key, "/sandbox/events", { event }));
  const offers = () => db.selectFrom("listener_offer").selectAll().where("endpoint_uuid", "=", endpoint).execute();
  await happened(async () => (await offers()).length === 2);
  const restore = await keepOffers(it.pools, endpoint);
  // Let the attempts end and restore their rows by hand. Otherwise they would end by themselves while other code
  // compares rows.
  const told = { taken: true, http_status: 200, duration_ms: 1 };
  await db.updateTable("listener_offer").set(told).where("endpoint_uuid", "=", endpoint).execute();
  const ended = db.selectFrom("webhook_delivery").select("uuid").where("endpoint_uuid", "=", endpoint);
  await happened(async () => (await ended.where("status", "=", "delivered").execute()).length === 2);
  await db.updateTable("webhook_delivery").set({ status: "pending" }).where("endpoint_uuid", "=", endpoint).execute();
  await restore();
}

/** Creates tokens that give access to their holder and are stored only as a hash. */
async function bearerTokens(it: Both, brands: Brands): Promise<Thing[]> {
  const phone = freshPhone();
  const { sessionKey } = (await it.as(brands.sdk.apiKey).createSession({ body: { phone } })).body;
  const opened = await it.wallet.inject({
    method: "POST",
    url: "/api/session",
    payload: { sessionKey, frame: frameOfKey(sessionKey) },
  });
  const hosted = (await it.as(brands.hosted.apiKey).beginOneClick({ body: { phone } })).body;
  const api = it.as(brands.api.apiKey);
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
  await api.deliverVerification({ params: { uuid }, body: { format: "link" } });
  await it.runJobs();
  const [text] = (await it.api.listMessages({ query: { to: phone } })).body.data;
  const devices = await Promise.all(
    ["", "/v2", "/v2.1"].map(async (prefix) => {
      const payload = { channel: "autofill", deviceIp: "::121:2555:0010" };
      const { headers } = await keyed(it, brands.api.apiKey, `${prefix}/1-click/verifications`, payload);
      return [
        `device ${prefix}`,
        String(headers.location).split("/").at(-1) ?? assert.fail("no redirect for the device"),
      ];
    }),
  );
  const { sessionKey: unopened } = (await it.as(brands.sdk.apiKey).createSession({ body: { phone } })).body;
  const words: Record<string, string> = {
    ...Object.fromEntries(devices),
    unopened,
    sessionKey,
    sessionToken: String(opened.json().sessionToken),
    page: new URL(hosted.url ?? "").pathname.slice("/request/".length),
    link: /\/v\/(\w+)/.exec(text?.body ?? "")?.[1] ?? assert.fail("the text has no link"),
  };
  return Object.entries(words).map(([kind, id]) => ({ kind, id, environment: "sandbox" as const }));
}

async function fillReal(it: Both, brand: Keyed): Promise<void> {
  const api = it.real.as(brand.apiKey);
  const verificationUuid = await it.prove(api, knownPhone);
  await api.createOneClick({ body: { verificationUuid, birthDate } });
  await requestLogWritten(it, brand.uuid);
}

function passkeyOf(it: Both, memberUuid: string) {
  const uuid = crypto.randomUUID();
  const now = it.accountClock.now();
  return {
    uuid,
    member_uuid: memberUuid,
    credential_id: uuid,
    public_key: Buffer.alloc(32),
    counter: 0,
    name: "A key",
    transports: [],
    is_synced: false,
    created_at: now,
    last_used_at: null,
  };
}

async function keyed(it: Both, key: string, url: string, payload?: Json) {
  return await it.inject({ method: "POST", url, headers: { authorization: key }, ...(payload && { payload }) });
}

async function asked(call: Promise<{ status: number; body: unknown }>): Promise<void> {
  const { status, body } = await call;
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`);
}

const happened = (look: () => Promise<boolean>) => eventually(async () => ((await look()) ? true : undefined));

const requestLogWritten = (it: Both, brandUuid: string) =>
  happened(async () => {
    const lines = it.store.db.selectFrom("request_log").select("id").where("brand_uuid", "=", brandUuid);
    return (await lines.execute()).length > 0;
  });

async function lineOf(it: Both, brandUuid: string): Promise<string> {
  const lines = it.store.db.selectFrom("request_log").select("id").where("brand_uuid", "=", brandUuid);
  return String((await lines.executeTakeFirstOrThrow()).id);
}

/** Returns every id in the database by its column: uuids, and numbers of rows. */
async function idsIn(it: Both): Promise<Map<string, Set<string>>> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema() and (data_type = 'uuid' or (data_type = 'bigint' and column_name = 'id'))
    and column_name not in ('data_key_uuid', 'cause_uuid')
    -- Lines are written a moment later, so the brand or key of another tenant could count as new.
    and (table_name, column_name) not in (('request_log', 'brand_uuid'), ('request_log', 'api_key_uuid'))
    order by column_name not in ('uuid', 'id'), 1, 2`.execute(it.store.db);
  const found = new Map<string, Set<string>>();
  for (const { table, column } of columns) {
    const { rows } = await sql<{ id: string }>`select distinct ${sql.ref(column)}::text as id from ${sql.table(table)}
      where ${sql.ref(column)} is not null`.execute(it.store.db);
    found.set(`${table}.${column}`, new Set(rows.map(({ id }) => id)));
  }
  return found;
}

function newIds(after: Map<string, Set<string>>, before: Map<string, Set<string>>, environment: Environment): Thing[] {
  const seen = new Set<string>();
  // Rows of several tables share numbers.
  const ownName = (kind: string, id: string) => (/^\d+$/.test(id) ? `${kind} ${id}` : id);
  return [...after].flatMap(([kind, ids]) =>
    [...ids]
      .filter((id) => before.get(kind)?.has(id) !== true && !seen.has(ownName(kind, id)) && seen.add(ownName(kind, id)))
      .map((id): Thing => ({ kind, id, environment })),
  );
}
