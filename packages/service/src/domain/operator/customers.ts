/** Customers and brands as the operator sees them. */
import { environments } from "@countersign/contract/brand";
import type {
  ConsoleBrand,
  ConsoleBrandPage,
  ConsoleCustomer,
  ConsoleMode,
} from "@countersign/contract/console-customers";
import { dayMs, minuteMs } from "@countersign/contract/time";
import { listAccountEntries, operatorOn, recordChange } from "../audit/account-audit-rows.ts";
import { type BrandState, findBrand, listBrandStates } from "../brand/brand-rows.ts";
import { type AdminDeps, changeApproval, setMode } from "../brand/manage.ts";
import type { AccountDeps, Brand } from "../deps.ts";
import { refuse } from "../failure.ts";
import { listOpenRequests, lockOpenRequest } from "../member/approval-request-rows.ts";
import type { Admins } from "../member/brands.ts";
import {
  countCallsOf,
  countErrorsOf,
  countKeys,
  countWebhooks,
  findCustomers,
  listApprovalsOf,
} from "./customer-list-rows.ts";

const customersMax = 25;
const errorsMax = 6;
/** Looks of one person at one brand within this time are one entry, in milliseconds. */
const sameLookMs = 10 * minuteMs;
/** Days of which calls are counted. The last one ends now. */
const days = 7;
/** A day is unusual if the days before it have at least this many calls each, and it has three times as many or a third. */
const usualMin = 20;
const unusualTimes = 3;

/** Customers whose name, brand or uuid matches, with their brands, and the brands' calls of the last seven days. */
export async function listForOperator(
  { home }: Pick<AccountDeps, "home">,
  admins: Admins,
  search: string,
): Promise<{ data: ConsoleCustomer[]; hasMore: boolean }> {
  const found = await findCustomers(home, { search, max: customersMax + 1 });
  const customers = found.slice(0, customersMax);
  const states = (await Promise.all(customers.map(({ uuid }) => listBrandStates(home, uuid)))).flat();
  const stateOf = await figuresOf(home, admins, [...new Set(states.map(({ uuid }) => uuid))]);
  const brandsOf = (customer: string): ConsoleBrand[] => {
    const own = states.filter((one) => one.customer === customer);
    const named = [...new Map(own.map(({ uuid, name }) => [uuid, name]))];
    named.sort(([, a], [, b]) => a.localeCompare(b));
    return named.map(([uuid, name]) => ({
      uuid,
      name,
      environments: own.filter((one) => one.uuid === uuid).map((state) => stateOf(state)),
    }));
  };
  return {
    data: customers.map((customer) => ({ ...customer, brands: brandsOf(customer.uuid) })),
    hasMore: found.length > customersMax,
  };
}

/** Records the look, and then returns a brand with its calls, errors, webhooks and limits. */
export async function lookAtBrand(deps: AccountDeps, admins: Admins, brandUuid: string): Promise<ConsoleBrandPage> {
  const { home } = deps;
  const uuid = brandUuid.toLowerCase();
  const [customer] = await findCustomers(home, { brandUuid: uuid, max: 1 });
  const states = customer === undefined ? [] : await listBrandStates(home, customer.uuid);
  const own = states.filter((one) => one.uuid === uuid);
  const [first] = own;
  if (customer === undefined || first === undefined) throw refuse(404, "No such brand.");
  await recordBrandLook(deps, customer.uuid, uuid);
  const [figures, keys] = await Promise.all([figuresOf(home, admins, [uuid]), countKeys(home, uuid)]);
  const inEach = own.map(async (state) => {
    const { environment, ...more } = figures(state);
    const admin = admins[environment];
    return {
      environment,
      ...more,
      now: admin.clock.now(),
      errors: await errorsIn(admin, uuid),
      keys: keys.find((one) => one.environment === environment)?.count ?? 0,
    };
  });
  const { name, members, requiresPasskey } = customer;
  return {
    uuid,
    name: first.name,
    createdAt: first.createdAt,
    customer: { uuid: customer.uuid, name, members, requiresPasskey },
    environments: await Promise.all(inEach),
  };
}

/** Records the look, unless the same person looked at the brand a moment ago: the page is read again after each act. */
async function recordBrandLook(deps: AccountDeps, customerUuid: string, brandUuid: string): Promise<void> {
  const by = operatorOn(deps, customerUuid);
  const from = deps.clock.now() - sameLookMs;
  const looks = { customerUuid, brandUuid, action: "brand.viewed", actor: by.person?.uuid, from, max: 1 } as const;
  if ((await listAccountEntries(deps.home, looks)).length > 0) return;
  await deps.home.inTransaction((trx) => recordChange(deps, trx, by, { action: "brand.viewed", brandUuid }));
}

/** Counts what brands have and do. Returns a function that returns the figures of a brand in one environment. */
async function figuresOf(home: AccountDeps["home"], admins: Admins, brands: readonly string[]) {
  const [granted, requests, webhooks, calls] = await Promise.all([
    listApprovalsOf(home, brands),
    listOpenRequests(home, "production"),
    countWebhooks(home, brands),
    Promise.all(environments.map((environment) => callsIn(admins[environment], brands))),
  ]);
  const counted = calls.flat();
  const asked = requests.map((one) => ({ ...one, environment: "production" }));
  return ({ uuid, environment: name, ...state }: BrandState) => {
    const environment = environments.find((one) => one === name) ?? "sandbox";
    const isHere = (one: { brandUuid: string; environment: string }) =>
      one.brandUuid === uuid && one.environment === environment;
    const own = counted.filter(isHere);
    const ofDays = (figure: "calls" | "failed") =>
      Array.from({ length: days }, (_, day) =>
        sum(own.filter(({ period }) => period === day).map((one) => one[figure])),
      );
    const [each, failedDays] = [ofDays("calls"), ofDays("failed")];
    const hooks = webhooks.find(isHere);
    return {
      environment,
      integrationType: state.integrationType,
      externalName: state.externalName,
      mode: state.mode,
      approvals: granted.filter(isHere).map(({ approval }) => approval),
      askedAt: asked.find(isHere)?.at ?? null,
      calls: sum(each),
      failed: sum(failedDays),
      days: each,
      unusual: unusualIn(each),
      failedDays,
      lastCallAt: own.length === 0 ? null : Math.max(...own.map(({ lastAt }) => lastAt)),
      webhooks: hooks?.count ?? 0,
      failingWebhooks: hooks?.failing ?? 0,
      failingSince: hooks?.failingSince ?? null,
    };
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** Compares the last day with the mean of the days before it. */
function unusualIn(each: readonly number[]): "more" | "fewer" | null {
  const last = each.at(-1) ?? 0;
  const usual = sum(each.slice(0, -1)) / (each.length - 1);
  if (usual < usualMin) return null;
  if (last >= usual * unusualTimes) return "more";
  return last <= usual / unusualTimes ? "fewer" : null;
}

async function callsIn({ cells, environment, clock }: AdminDeps, brands: readonly string[]) {
  const ask = { environment, brands, since: clock.now() - days * dayMs, periodMs: dayMs };
  const inCells = await Promise.all(cells().map((db) => countCallsOf(db, ask)));
  // A call that is inserted while the others are counted belongs to the last day.
  return inCells.flat().map((one) => ({ ...one, environment, period: Math.min(one.period, days - 1) }));
}

async function errorsIn({ cells, environment, clock }: AdminDeps, brandUuid: string) {
  const ask = { environment, brandUuid, since: clock.now() - days * dayMs };
  const inCells = await Promise.all(cells().map((db) => countErrorsOf(db, ask)));
  const codes = Map.groupBy(inCells.flat(), ({ code }) => code);
  const all = [...codes].map(([code, lines]) => ({ code, calls: sum(lines.map(({ calls }) => calls)) }));
  return all.sort((a, b) => b.calls - a.calls || (a.code < b.code ? -1 : 1)).slice(0, errorsMax);
}

/** Sets what a brand may do, as `countersign brands mode` does. */
export async function limitForOperator(
  deps: AccountDeps,
  admin: AdminDeps,
  { brandUuid, mode }: { brandUuid: string; mode: ConsoleMode },
): Promise<void> {
  const { customerUuid } = await brandIn(admin, brandUuid);
  await setMode(admin, { brandUuid, mode }, operatorOn(deps, customerUuid));
}

/**
 * Grants or revokes an approval, as `countersign approvals grant` and `revoke` do. `onRequest`: whether it is granted only
 * to a brand that has asked for production, because its request confirms the checklist.
 */
export async function approveForOperator(
  deps: AccountDeps,
  admin: AdminDeps,
  { onRequest, ...input }: Parameters<typeof changeApproval>[1] & { onRequest: boolean },
): Promise<void> {
  const { brandUuid, granted } = input;
  const { customerUuid } = await brandIn(admin, brandUuid);
  await changeApproval(admin, input, operatorOn(deps, customerUuid), async (trx) => {
    if (granted && onRequest && !(await lockOpenRequest(trx, brandUuid))) throw notAsked();
  });
}

function notAsked(): Error {
  return refuse(
    409,
    "This brand has no open request for production. A member asks for it in the dashboard, or `countersign approvals grant` grants it without a request.",
  );
}

async function brandIn({ home, environment }: AdminDeps, uuid: string): Promise<Brand> {
  const brand = await findBrand(home, environment, uuid);
  if (brand === null) throw refuse(404, "No such brand in this environment.");
  return brand;
}
