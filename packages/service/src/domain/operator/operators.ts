/** The people who may use the console: invited, listed and removed by commands. */
import type { OperatorRole } from "@countersign/contract/operator-role";
import { hourMs } from "@countersign/contract/time";
import type { HomeTrx } from "../../store/database.ts";
import { operatorOn, recordChange } from "../audit/account-audit-rows.ts";
import type { AccountDeps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { randomToken, tokenHash } from "../token.ts";
import {
  type ConsoleOperator,
  findOperator,
  findOperatorByEmail,
  insertOperator,
  listOperatorRows,
  lockOperators,
  removeOperatorRow,
  setOperatorLink,
  setOperatorRole,
} from "./operator-rows.ts";

/** Lifetime of an invitation's link, in milliseconds. */
const inviteLifeMs = 24 * hourMs;

/** What the console's flows need. */
export type OperatorDeps = Pick<AccountDeps, "home" | "vault" | "random" | "clock" | "operator"> & {
  addresses: Pick<AccountDeps["addresses"], "operatorUrl">;
};

/** A new operator, or a known one who gets another role. Returns the link, which works once and can add a passkey. */
export async function inviteOperator(
  deps: OperatorDeps,
  input: Pick<ConsoleOperator, "email" | "name" | "role">,
): Promise<{ uuid: string; link: string }> {
  return await deps.home.inTransaction(async (trx) => {
    const known = await findOperatorByEmail(deps, trx, input.email);
    const uuid = known?.uuid ?? (await insertOperator(deps, trx, input));
    if (uuid === null) throw refuse(409, "Another command invited this person at the same time.");
    if (known !== null && known.role !== input.role) await setOperatorRole(trx, uuid, input.role);
    const entry = { action: "operator.invited" as const, subject: `${input.role} ${uuid}` };
    await recordChange(deps, trx, operatorOn(deps, null), entry);
    return { uuid, link: await linkOf(deps, trx, uuid) };
  });
}

async function linkOf(deps: OperatorDeps, trx: HomeTrx, uuid: string): Promise<string> {
  const { operatorUrl } = deps.addresses;
  if (operatorUrl === null) throw refuse(409, "The console is off. Set OPERATOR_PORT and start the service first.");
  const token = randomToken(deps.random);
  await setOperatorLink(trx, { uuid, hash: tokenHash(token), expiresAt: deps.clock.now() + inviteLifeMs });
  // Browsers never send the fragment, so the secret reaches no server, proxy or referrer.
  return `${operatorUrl}/sign-in#${token}`;
}

export type OperatorLine = {
  operator: string;
  email: string;
  name: string;
  role: OperatorRole;
  passkeys: number;
  /** Until when the newest invitation works. Null if it was used. */
  invitedUntil: string | null;
};

export async function listOperators(deps: Pick<OperatorDeps, "home" | "vault">): Promise<OperatorLine[]> {
  const rows = await listOperatorRows(deps, deps.home);
  return rows.map(({ uuid, email, name, role, passkeys, linkUntil }) => ({
    operator: uuid,
    ...{ email, name, role, passkeys },
    invitedUntil: linkUntil === null ? null : new Date(linkUntil).toISOString(),
  }));
}

/** Removes the operator that a start with DEMO invited. Returns how many there were. */
export async function removeSeededOperator(deps: OperatorDeps, email: string): Promise<number> {
  return await deps.home.inTransaction(async (trx) => {
    await lockOperators(trx);
    const operator = await findOperatorByEmail(deps, trx, email);
    if (operator === null) return 0;
    await removeLocked(deps, trx, operator.uuid);
    return 1;
  });
}

/**
 * Ends an operator's sessions, passkeys and invitation, and makes their name unreadable. The last operator can go, too:
 * who runs the command can invite another.
 */
export async function removeOperator(deps: OperatorDeps, uuid: string): Promise<void> {
  await deps.home.inTransaction(async (trx) => {
    await lockOperators(trx);
    if ((await findOperator(deps, trx, uuid)) === null)
      throw refuse(404, "No such operator. `countersign operators list` lists them.");
    await removeLocked(deps, trx, uuid);
  });
}

async function removeLocked(deps: OperatorDeps, trx: HomeTrx, uuid: string): Promise<void> {
  await recordChange(deps, trx, operatorOn(deps, null), { action: "operator.removed", subject: uuid });
  await removeOperatorRow(trx, uuid, deps.clock.now());
}
