import { isDeepStrictEqual } from "node:util";
import { type Approval, type BrandSettings, type Environment, integrationTypes } from "@countersign/contract/brand";
import type { Database, Trx } from "../../store/database.ts";
import type { Brand, BrandMode } from "../deps.ts";
import { invalid, refuse } from "../failure.ts";
import type { Clock, Random } from "../ports.ts";
import { hashApiKey, makeApiKey } from "./api-key.ts";
import { mayBecome } from "./migration-paths.ts";
import { type Held, heldBack, heldIn, putRequest } from "./name-requests.ts";
import { defaultSettings, patchSettings, type SettingsRules } from "./settings.ts";
import { announceBrandChange, findBrand, hasTraffic, insertSettings } from "./store.ts";

/** Dependencies of administration. The command line can run it without providers, so it needs less than a flow. */
export type Ledger = {
  environment: Environment;
  db: Database;
  clock: Clock;
  random: Random;
  /** Whether a new brand counts as having declared its users' consent. */
  consentDeclared: boolean;
  /** Whether redirects may lead to this machine. */
  loopbackRedirects: boolean;
  /** Whether a brand may switch on 1-Click Health, which needs a clearinghouse. */
  offersHealth: boolean;
  /** Whether a changed name that people read waits for the operator's approval. */
  namesWait: boolean;
  /** Called after a commit, so this process drops its cached brands before it answers. */
  changed(): void;
};

/** What this environment allows in settings. */
export function settingsRules({ loopbackRedirects, offersHealth, random }: Ledger): SettingsRules {
  return { loopback: loopbackRedirects, health: offersHealth, uuid: random.uuid };
}

export async function createCustomer(ledger: Ledger, what: { name: string; uuid?: string }): Promise<string> {
  const uuid = what.uuid ?? ledger.random.uuid();
  await ledger.db
    .insertInto("customer")
    .values({ uuid, name: what.name, created_at: ledger.clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return uuid;
}

/** Extra writes in the transaction of a change. */
export type Alongside<What = void> = (trx: Trx, what: What) => Promise<void>;

export type NewBrand = {
  customerUuid: string;
  name: string;
  settings: Record<string, unknown>;
  /** Approvals that the operator grants at once. In the sandbox, all of them. */
  approvals: readonly Approval[];
  uuid?: string;
  apiKey?: string;
};

/** Creates a brand with its first settings and its first key. */
export async function createBrand(
  ledger: Ledger,
  what: NewBrand,
  alongside?: Alongside,
): Promise<{ uuid: string; apiKey: string; settings: BrandSettings }> {
  const uuid = what.uuid ?? ledger.random.uuid();
  const settings = firstSettings(ledger, what);
  const apiKey = what.apiKey ?? makeApiKey(ledger.random, ledger.environment);
  const now = ledger.clock.now();
  await ledger.db.inTransaction(async (trx) => {
    const customer = await trx
      .selectFrom("customer")
      .select("uuid")
      .where("uuid", "=", what.customerUuid)
      .executeTakeFirst();
    if (customer === undefined) throw refuse(404, "no such customer");
    await trx
      .insertInto("brand")
      .values({ uuid, customer_uuid: what.customerUuid, name: what.name, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await insertSettings(trx, { brandUuid: uuid, environment: ledger.environment, version: 1, settings, now });
    for (const approval of what.approvals)
      await grant(trx, { brandUuid: uuid, environment: ledger.environment, approval, now });
    await insertKey(ledger, trx, { brandUuid: uuid, apiKey, name: "first key" });
    await alongside?.(trx);
    await announceBrandChange(trx);
  });
  ledger.changed();
  return { uuid, apiKey, settings };
}

/** Creates another key of a brand. It is shown once. */
export async function createKey(ledger: Ledger, brandUuid: string, name: string): Promise<string> {
  const apiKey = makeApiKey(ledger.random, ledger.environment);
  await ledger.db.inTransaction(async (trx) => {
    if ((await findBrand(trx, ledger.environment, brandUuid)) === null)
      throw refuse(404, "no such brand in this environment");
    await insertKey(ledger, trx, { brandUuid, apiKey, name });
    await announceBrandChange(trx);
  });
  ledger.changed();
  return apiKey;
}

/** A settings change in progress. `version` is the version before the change. */
export type SettingsChange = {
  version: number;
  before: BrandSettings;
  after: BrandSettings;
  /** `requested`: names that now wait for the operator. `withdrawn`: names that no longer wait. */
  requested: Held["requested"];
  withdrawn: string[];
};

/** Changes some members of a brand's settings, with the writes of `alongside`. Returns the complete settings. */
export async function changeSettings(
  ledger: Ledger,
  brandUuid: string,
  patch: Record<string, unknown>,
  alongside?: Alongside<SettingsChange>,
): Promise<BrandSettings> {
  const settings = await ledger.db.inTransaction(async (trx) => {
    await trx.selectFrom("brand").select("uuid").where("uuid", "=", brandUuid).forNoKeyUpdate().execute();
    const brand = await findBrand(trx, ledger.environment, brandUuid);
    if (brand === null) throw refuse(404, "no such brand");
    const patched = patchSettings(brand.settings, patch, settingsRules(ledger));
    if (patched.kind === "problems") throw invalid(patched.problems);
    const from = brand.settings.integrationType;
    const to = patched.settings.integrationType;
    if (!mayBecome(from, to, await hasTraffic(trx, ledger.environment, brandUuid))) {
      throw invalid([
        { path: "settings.integrationType", message: `cannot become ${to}: a brand of type ${from} has traffic` },
      ]);
    }
    const held = ledger.namesWait ? heldBack(brand.settings, patched.settings) : { ...patched, requested: [] };
    await insertSettings(trx, {
      brandUuid,
      environment: ledger.environment,
      version: brand.settingsVersion + 1,
      settings: held.settings,
      now: ledger.clock.now(),
    });
    const withdrawn = ledger.namesWait ? await requestNames(ledger, trx, { brand, patch, ...held }) : [];
    const [before, after] = [brand.settings, held.settings];
    await alongside?.(trx, { version: brand.settingsVersion, before, after, requested: held.requested, withdrawn });
    await announceBrandChange(trx);
    return held.settings;
  });
  ledger.changed();
  return settings;
}

/**
 * Stores the name requests of a patch. A patch that sets a name back to the current one withdraws its request; returns
 * the withdrawn paths.
 */
async function requestNames(
  { environment, random, clock }: Ledger,
  trx: Trx,
  about: { brand: Brand; patch: Record<string, unknown>; requested: Held["requested"] },
): Promise<string[]> {
  const owner = { customerUuid: about.brand.customerUuid, brandUuid: about.brand.uuid, environment };
  const withdrawn: string[] = [];
  for (const path of heldIn(about.patch)) {
    const wanted = about.requested.find((one) => one.path === path);
    const request = wanted === undefined ? null : { uuid: random.uuid(), value: wanted.value, now: clock.now() };
    const was = await putRequest(trx, owner, { path, request });
    if (was && request === null) withdrawn.push(path);
  }
  return withdrawn;
}

/** Replaces a brand's settings with those of a new brand: the defaults and `what.settings`. */
export async function replaceSettings(
  ledger: Ledger,
  brandUuid: string,
  what: { name: string; settings: Record<string, unknown> },
): Promise<void> {
  const settings = firstSettings(ledger, what);
  await ledger.db.inTransaction(async (trx) => {
    await trx.selectFrom("brand").select("uuid").where("uuid", "=", brandUuid).forNoKeyUpdate().execute();
    const brand = await findBrand(trx, ledger.environment, brandUuid);
    if (brand === null || isDeepStrictEqual(brand.settings, settings)) return;
    const version = brand.settingsVersion + 1;
    await insertSettings(trx, {
      brandUuid,
      environment: ledger.environment,
      version,
      settings,
      now: ledger.clock.now(),
    });
    await announceBrandChange(trx);
  });
  ledger.changed();
}

/** Grants or revokes an approval of a brand. */
export async function changeApproval(
  ledger: Ledger,
  what: { brandUuid: string; approval: Approval; granted: boolean },
): Promise<void> {
  await ledger.db.inTransaction(async (trx) => {
    if ((await findBrand(trx, ledger.environment, what.brandUuid)) === null)
      throw refuse(404, "no such brand in this environment");
    if (what.granted) {
      await grant(trx, { ...what, environment: ledger.environment, now: ledger.clock.now() });
    } else {
      await trx
        .deleteFrom("brand_approval")
        .where("brand_uuid", "=", what.brandUuid)
        .where("environment", "=", ledger.environment)
        .where("approval", "=", what.approval)
        .execute();
    }
    await announceBrandChange(trx);
  });
  ledger.changed();
}

/** Sets what the operator allows a brand to do. Nothing else about the brand changes. */
export async function setMode(ledger: Ledger, what: { brandUuid: string; mode: BrandMode }): Promise<void> {
  const { environment } = ledger;
  const of = { brand_uuid: what.brandUuid, environment };
  await ledger.db.inTransaction(async (trx) => {
    if ((await findBrand(trx, environment, what.brandUuid)) === null)
      throw refuse(404, "no such brand in this environment");
    await trx
      .deleteFrom("brand_mode")
      .where("brand_uuid", "=", what.brandUuid)
      .where("environment", "=", environment)
      .execute();
    if (what.mode !== "active")
      await trx
        .insertInto("brand_mode")
        .values({ ...of, mode: what.mode, set_at: ledger.clock.now() })
        .execute();
    await announceBrandChange(trx);
  });
  ledger.changed();
}

function firstSettings(ledger: Ledger, what: Pick<NewBrand, "name" | "settings">): BrandSettings {
  // An unknown type is treated as `api` here. `patchSettings` reports it together with all other problems.
  const integrationType = integrationTypes.find((one) => one === what.settings.integrationType) ?? "api";
  const defaults = defaultSettings({ name: what.name, integrationType, consentDeclared: ledger.consentDeclared });
  // A name is validated only when it changes, so validate the default name as a change.
  const { externalName } = defaults;
  const given = { externalName, ...what.settings };
  const patched = patchSettings({ ...defaults, externalName: "" }, given, settingsRules(ledger));
  if (patched.kind === "problems") throw invalid(patched.problems);
  return patched.settings;
}

async function grant(
  trx: Trx,
  what: { brandUuid: string; environment: Environment; approval: string; now: number },
): Promise<void> {
  await trx
    .insertInto("brand_approval")
    .values({
      brand_uuid: what.brandUuid,
      environment: what.environment,
      approval: what.approval,
      granted_at: what.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function insertKey(
  ledger: Ledger,
  trx: Trx,
  what: { brandUuid: string; apiKey: string; name: string; ipRanges?: string[] },
): Promise<string> {
  const uuid = ledger.random.uuid();
  await trx
    .insertInto("api_key")
    .values({
      uuid,
      brand_uuid: what.brandUuid,
      environment: ledger.environment,
      name: what.name,
      hash: hashApiKey(what.apiKey),
      last_four: what.apiKey.slice(-4),
      ...(what.ipRanges === undefined ? {} : { ip_ranges: what.ipRanges }),
      created_at: ledger.clock.now(),
      last_used_at: null,
      revoked_at: null,
    })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .execute();
  return uuid;
}
