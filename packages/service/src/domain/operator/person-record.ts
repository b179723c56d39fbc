/** Answers a person who asks what is stored, and deletes them if they ask for it. Values are never read. */

import type { AuditAction } from "@countersign/contract/audit";
import type { PersonRecord } from "@countersign/contract/console-people";
import { erasePersonForOperator } from "../account/erase.ts";
import { brandNamesIn, nameAtDecision } from "../account/receipt.ts";
import { listAccountEntries, operatorOn, recordChange } from "../audit/account-audit-rows.ts";
import { listDecisions } from "../audit/consent-rows.ts";
import type { AccountDeps, Deps, HomeDeps } from "../deps.ts";
import { invalid, refuse } from "../failure.ts";
import { findPerson, type Person } from "../person.ts";
import { findPhoneDates } from "../person-rows.ts";
import type { Phone } from "../ports.ts";
import { namesWithCustomers } from "./customer-list-rows.ts";
import { findOperator } from "./operator-rows.ts";
import { type CountedRows, countRowsAbout, countSdkSessions } from "./person-record-rows.ts";

const receiptsMax = 100;
const looksMax = 50;
const formerOperator = "A former operator";

/** Records the look, and then returns the record. Null if the service knows no person with this phone. */
export async function lookAtRecord(deps: AccountDeps, homeDeps: HomeDeps, typed: string): Promise<PersonRecord | null> {
  const { phone, cell, person } = await personAtPhone(homeDeps, typed);
  await recordLook(deps, homeDeps, "person.viewed", person?.uuid);
  return person === null ? null : await recordOf(deps, cell, { phone, person });
}

/** Deletes the person in the same way as the person can themselves. Refuses if the phone has another holder now. */
export async function deleteForOperator(
  deps: AccountDeps,
  homeDeps: HomeDeps,
  input: { phone: string; personUuid: string },
): Promise<{ isReset: boolean; receipt: string }> {
  const { phone, cell, person } = await personAtPhone(homeDeps, input.phone);
  if (person === null || person.uuid !== input.personUuid.toLowerCase()) {
    // The refusal tells that this number is not that person's, so it is a look.
    await recordLook(deps, homeDeps, "person.viewed", person?.uuid);
    throw refuse(404, "No such person has this phone now. Look at the phone again.");
  }
  // The cell is another database, so this is recorded first: a deletion never lacks its entry.
  await recordLook(deps, homeDeps, "person.deleted", person.uuid);
  const { requestId } = deps.operator;
  const { outcome, receipt } = await erasePersonForOperator(cell, { person, phone, requestId });
  return { isReset: outcome === "reset", receipt };
}

/** The person with a phone as somebody typed it. */
export async function personAtPhone(
  homeDeps: HomeDeps,
  typed: string,
): Promise<{ phone: Phone; cell: Deps; person: Person | null }> {
  const digits = typed.replace(/[\s().-]/g, "");
  const judged = homeDeps.phones.judge(/^\d{10}$/.test(digits) ? `+1${digits}` : digits);
  if (judged.kind !== "supported")
    throw invalid([{ path: "body.phone", message: "Use a US phone number, such as +1 212 555 0110." }]);
  const { phone } = judged;
  const cell = await homeDeps.cells.ofPhone(phone);
  return { phone, cell, person: await findPerson(cell, phone) };
}

/** Records a look before anything is read, or a deletion before anything is deleted. */
export async function recordLook(
  deps: AccountDeps,
  { environment }: HomeDeps,
  action: AuditAction,
  subject: string | undefined,
): Promise<void> {
  const by = operatorOn(deps, null);
  await deps.home.inTransaction((trx) => recordChange(deps, trx, by, { action, environment, subject }));
}

async function recordOf(
  deps: AccountDeps,
  cell: Deps,
  { phone, person }: { phone: Phone; person: Person },
): Promise<PersonRecord> {
  const { environment, db, keyed, home } = cell;
  const index = cell.vault.index("phone", environment, phone);
  const whose = { environment, personUuid: person.uuid };
  const [dates, inCell, inKeyed, decisions] = await Promise.all([
    findPhoneDates(db, environment, index),
    countRowsAbout(db, { ...whose, phoneIndex: index }),
    Promise.all(keyed.every().map((one) => countSdkSessions(one, whose))),
    listDecisions(cell, { personUuid: person.uuid, brands: null, max: receiptsMax }),
  ]);
  const rows = [...inCell, ...inKeyed.flat()];
  const brands = rows.flatMap(({ brandUuid }) => brandUuid ?? []);
  const [names, seen] = await Promise.all([
    namesWithCustomers(home, [...new Set(brands)]),
    // A receipt has the name that the person saw, as its signature and the person's own page have it.
    brandNamesIn(cell, decisions),
  ]);
  return {
    uuid: person.uuid,
    earlierHolders: Math.max(0, (dates?.generation ?? 1) - 1),
    firstSeenAt: dates?.first_seen_at ?? 0,
    lastProvenAt: dates?.last_proven_at ?? null,
    isFixed: cell.phones.isFixed(phone),
    stored: rows.map(({ brandUuid, ...row }: CountedRows) => ({
      ...row,
      brand: brandUuid === null ? null : (names.get(brandUuid) ?? { uuid: brandUuid, name: "", customerName: "" }),
    })),
    receipts: decisions.map((decision) => {
      const { uuid, at, action, brand_uuid } = decision;
      return { uuid, at, action, brandName: brand_uuid === null ? null : nameAtDecision(decision, seen) };
    }),
    looks: await looksAt(deps, person.uuid),
  };
}

async function looksAt(deps: AccountDeps, personUuid: string): Promise<PersonRecord["looks"]> {
  const rows = await listAccountEntries(deps.home, { customerUuid: null, subject: personUuid, max: looksMax });
  const names = await operatorNames(
    deps,
    rows.flatMap(({ operatorUuid }) => operatorUuid ?? []),
  );
  return rows.map(({ at, action, operatorUuid, reason }) => ({
    at,
    action,
    reason,
    who: operatorUuid === null ? "Command line" : (names.get(operatorUuid) ?? formerOperator),
  }));
}

/** The names of operators. A removed one has none. */
export async function operatorNames(
  deps: Pick<AccountDeps, "home" | "vault">,
  uuids: readonly string[],
): Promise<Map<string, string>> {
  const found = await Promise.all([...new Set(uuids)].map((uuid) => findOperator(deps, deps.home, uuid)));
  return new Map(found.flatMap((one) => (one === null ? [] : [[one.uuid, one.name] as const])));
}
