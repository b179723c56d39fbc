/** Customers and brands as the operator sees them. */
import { environments } from "@countersign/contract/brand";
import type { ConsoleBrand, ConsoleCustomer, ConsoleMode } from "@countersign/contract/console-customers";
import { dayMs } from "@countersign/contract/time";
import { operatorOn } from "../audit/account-audit-rows.ts";
import { findBrand, listBrandStates } from "../brand/brand-rows.ts";
import { type AdminDeps, changeApproval, setMode } from "../brand/manage.ts";
import type { AccountDeps, Brand } from "../deps.ts";
import { refuse } from "../failure.ts";
import type { Admins } from "../member/brands.ts";
import { countCallsOf, countFailingWebhooks, findCustomers, listApprovalsOf } from "./customer-list-rows.ts";

const customersMax = 25;

/** Customers whose name, brand or uuid matches, with their brands, and the brands' calls of the last 24 hours. */
export async function listForOperator(
  { home }: Pick<AccountDeps, "home">,
  admins: Admins,
  search: string,
): Promise<{ data: ConsoleCustomer[]; hasMore: boolean }> {
  const found = await findCustomers(home, { search, max: customersMax + 1 });
  const customers = found.slice(0, customersMax);
  const states = (await Promise.all(customers.map(({ uuid }) => listBrandStates(home, uuid)))).flat();
  const brands = [...new Set(states.map(({ uuid }) => uuid))];
  const [granted, failing, calls] = await Promise.all([
    listApprovalsOf(home, brands),
    countFailingWebhooks(home, brands),
    Promise.all(environments.map((environment) => callsIn(admins[environment], brands))),
  ]);
  const inEach = calls.flat();
  const stateOf = ({ uuid, environment: name, ...state }: (typeof states)[number]) => {
    const environment = environments.find((one) => one === name) ?? "sandbox";
    const isHere = (one: { brandUuid: string; environment: string }) =>
      one.brandUuid === uuid && one.environment === environment;
    const counted = inEach.filter(isHere);
    const sum = (of: "calls" | "failed") => counted.reduce((all, one) => all + one[of], 0);
    return {
      environment,
      integrationType: state.integrationType,
      externalName: state.externalName,
      mode: state.mode,
      approvals: granted.filter(isHere).map(({ approval }) => approval),
      calls: sum("calls"),
      failed: sum("failed"),
      failingWebhooks: failing.find(isHere)?.count ?? 0,
    };
  };
  const brandsOf = (customer: string): ConsoleBrand[] => {
    const own = states.filter((one) => one.customer === customer);
    const named = [...new Map(own.map(({ uuid, name }) => [uuid, name]))];
    named.sort(([, a], [, b]) => a.localeCompare(b));
    return named.map(([uuid, name]) => ({
      uuid,
      name,
      environments: own.filter((one) => one.uuid === uuid).map(stateOf),
    }));
  };
  return {
    data: customers.map((customer) => ({ ...customer, brands: brandsOf(customer.uuid) })),
    hasMore: found.length > customersMax,
  };
}

async function callsIn({ cells, environment, clock }: AdminDeps, brands: readonly string[]) {
  const since = clock.now() - dayMs;
  const inCells = await Promise.all(cells().map((db) => countCallsOf(db, { environment, brands, since })));
  return inCells.flat().map((one) => ({ ...one, environment }));
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

/** Grants or revokes an approval, as `countersign approvals grant` and `revoke` do. */
export async function approveForOperator(
  deps: AccountDeps,
  admin: AdminDeps,
  input: Parameters<typeof changeApproval>[1],
): Promise<void> {
  const { customerUuid } = await brandIn(admin, input.brandUuid);
  await changeApproval(admin, input, operatorOn(deps, customerUuid));
}

async function brandIn({ home, environment }: AdminDeps, uuid: string): Promise<Brand> {
  const brand = await findBrand(home, environment, uuid);
  if (brand === null) throw refuse(404, "No such brand in this environment.");
  return brand;
}
