import { dayMs } from "@countersign/contract/time";
import type { HomeTrx } from "../../store/database.ts";
import type { AccountDeps } from "../deps.ts";
import type { Mail } from "../ports.ts";
import { deleteMailsBefore, insertMail } from "./mail-rows.ts";
import { type Member, readMemberKey } from "./member-rows.ts";

const deadlineMs = 10_000;
/** How long an outbox keeps sent emails, in milliseconds. */
export const mailKeptMs = dayMs;

/** An email that is sent after its transaction commits. */
export type Written = { id: string; mail: Mail };

/** Writes an email to a member in the caller's transaction. `post` sends it after the commit. */
export async function write(deps: AccountDeps, trx: HomeTrx, member: Member, text: Omit<Mail, "to">): Promise<Written> {
  const id = deps.random.uuid();
  const mail = { ...text, to: member.email };
  if (!deps.mail.keepsMails) return { id, mail };
  const now = deps.clock.now();
  const { uuid: memberUuid, customerUuid } = member;
  const dataKey = await readMemberKey(deps, trx, memberUuid);
  await Promise.all([
    deleteMailsBefore(trx, customerUuid, now - mailKeptMs),
    insertMail(deps, trx, { uuid: id, customerUuid, memberUuid, dataKey, mail, now }),
  ]);
  return { id, mail };
}

export async function post(deps: AccountDeps, { id, mail }: Written): Promise<void> {
  await deps.mail.send({ id, ...mail, deadlineMs });
}
