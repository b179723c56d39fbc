/** `countersign restored`: after a restore, ends what the dump brought back and repeats what it undid. */
import { readFile } from "node:fs/promises";
import { text as readText } from "node:stream/consumers";
import { approvals, environments } from "@countersign/contract/brand";
import { deleteEveryAccountSession } from "../domain/account/account-session-rows.ts";
import { operatorOn, recordChange } from "../domain/audit/account-audit-rows.ts";
import { listEveryKey } from "../domain/brand/api-key-rows.ts";
import { revokeKey } from "../domain/brand/keys.ts";
import { type AdminDeps, changeApproval, setMode } from "../domain/brand/manage.ts";
import type { Operator } from "../domain/deps.ts";
import { Failure, refuse } from "../domain/failure.ts";
import { removeByOperator, signOutAgain } from "../domain/member/end-access.ts";
import { endEverySession } from "../domain/member/member-session-rows.ts";
import { deleteEverySignIn } from "../domain/member/sign-in-rows.ts";
import { deleteEveryArtifact } from "../domain/openid/openid-artifact-rows.ts";
import { endEveryOperatorSession } from "../domain/operator/operator-rows.ts";
import { removeOperator } from "../domain/operator/operators.ts";
import { deleteEverySession } from "../domain/session/session-rows.ts";
import { isRecord } from "../domain/validate.ts";
import { accountsOf } from "./accounts.ts";
import { type Act, assertBrand, change } from "./admin.ts";
import { exits, instant, printing, text } from "./arguments.ts";
import { brandModes } from "./brands.ts";
import { type Format, print } from "./output.ts";

export const restored = printing("restored", "--since 2026-11-29T02:00Z --log audit.jsonl")
  .description(
    "after a restore, before the service starts: end all sessions, links and tokens, and repeat what the streamed audit " +
      "log says was revoked, removed or limited since the dump",
  )
  .requiredOption("--since <time>", "when the dump was made, such as 2026-11-29T02:00Z", instant)
  .option("--log <file>", "the streamed audit log, as JSON lines, or - for standard input", text)
  .action(exits(afterRestore));

type Given = Format & { since: number; log?: string | undefined };

/** What an entry of the streamed audit log says, as far as it is needed here. */
type Entry = {
  at: number;
  action: string;
  member: string | undefined;
  brand: string | undefined;
  environment: string | undefined;
  subject: string | undefined;
};
type Line = { at: string | null; what: string; on: string | null; subject: string | null; result: string };

async function afterRestore({ since, log, json }: Given): Promise<number> {
  const entries = log === undefined ? [] : entriesIn(log === "-" ? await readText(process.stdin) : await readLog(log));
  return await change({ command: "restored", action: "database.restored" }, async (admin, act) => {
    const lines = Object.entries(await endEverything(admin, act)).map(([what, count]): Line => {
      return { at: null, what, on: null, subject: null, result: `${count} ended` };
    });
    const lost = entries.filter(({ at }) => at >= since).sort((a, b) => a.at - b.at);
    for (const [index, entry] of lost.entries()) {
      if (withoutEffect.test(entry.action) && !isSignedOut(entry)) continue;
      const isLast = !lost.slice(index + 1).some((later) => replaces(later, entry));
      const result = isLast ? await repeated(admin, act.operator, entry) : "changed again later";
      lines.push({
        at: new Date(entry.at).toISOString(),
        what: entry.action,
        on: entry.brand ?? entry.member ?? null,
        subject: entry.subject ?? null,
        result,
      });
    }
    return print(lines, { json });
  });
}

/** Also what was used or ended since the dump, because the dump has it from before. */
async function endEverything(admin: AdminDeps, { by, entry }: Act) {
  const { home, cells, keyed } = admin;
  const ofHome = await home.inTransaction(async (trx) => {
    await recordChange(admin, trx, by, entry);
    return {
      "sessions of members": await endEverySession(trx),
      "sign-in links and codes": await deleteEverySignIn(trx),
      "sessions of operators, and their invitations": await endEveryOperatorSession(trx),
      "OpenID grants, codes and tokens": await deleteEveryArtifact(trx),
    };
  });
  const people = await Promise.all(cells().map((db) => deleteEveryAccountSession(db)));
  const frames = await Promise.all(keyed.every().map((store) => store.inTransaction(deleteEverySession)));
  return { ...ofHome, "sessions of people": sum(people), "sessions and session keys of the SDK": sum(frames) };
}

const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);

/** Actions that leave nothing that a restore could undo, or that concern what was just ended. */
const withoutEffect =
  /^(call|clock|text|sandbox|listener|delivery|database|link|session)\.|^(member\.signedIn|operator\.signedIn|person\.viewed|audit\.exported|webhook\.tested|logo\.refused)$/;

/** Whether the operator signed a member out, which also ended passkeys and invitations. The restore brought them back. */
function isSignedOut({ action, member }: Entry): boolean {
  return action === "session.ended" && member !== undefined;
}

/** Whether a later entry replaces the effect of an earlier one. */
function replaces(later: Entry, earlier: Entry): boolean {
  if (later.brand !== earlier.brand || later.environment !== earlier.environment) return false;
  if (earlier.action === "brand.limited") return later.action === "brand.limited";
  return (
    earlier.action === "approval.revoked" && later.action === "approval.granted" && later.subject === earlier.subject
  );
}

/** Repeats an entry if that only takes something away. Returns what was done. */
async function repeated(admin: AdminDeps, operator: Operator, entry: Entry): Promise<string> {
  try {
    return (await repeat(admin, operator, entry)) ? "repeated" : "repeat it by hand";
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return "not in this database";
    throw error;
  }
}

async function repeat(admin: AdminDeps, operator: Operator, entry: Entry): Promise<boolean> {
  if (entry.action === "operator.removed") {
    await removeOperator(await accountsOf(admin, operator), entry.subject ?? "");
    return true;
  }
  if (entry.action === "member.removed") {
    await removeByOperator(await accountsOf(admin, operator), entry.member ?? "");
    return true;
  }
  if (isSignedOut(entry)) {
    await signOutAgain(await accountsOf(admin, operator), entry.member ?? "");
    return true;
  }
  const environment = environments.find((one) => one === entry.environment);
  const { brand: brandUuid, subject = "" } = entry;
  if (brandUuid === undefined || environment === undefined) return false;
  const inEnvironment = { ...admin, environment };
  const { customerUuid } = await assertBrand(inEnvironment, brandUuid);
  const by = operatorOn({ operator }, customerUuid);
  const mode = brandModes.find((one) => one === subject);
  const approval = approvals.find((one) => one === subject);
  if (entry.action === "brand.limited" && mode !== undefined) await setMode(inEnvironment, { brandUuid, mode }, by);
  else if (entry.action === "approval.revoked" && approval !== undefined)
    await changeApproval(inEnvironment, { brandUuid, approval, granted: false }, by);
  else if (entry.action === "key.revoked") {
    // A command names the key's UUID, and the dashboard its name.
    const keys = await listEveryKey(admin.home, { environment, brandUuid, now: admin.clock.now() });
    const named = keys.filter((one) => one.revokedAt === null && (one.uuid === subject || one.name === subject));
    const [key] = named;
    if (key === undefined) throw refuse(404, "No such key.");
    if (named.length > 1) return false;
    await revokeKey(inEnvironment, { brandUuid, keyUuid: key.uuid, subject }, by);
  } else return false;
  return true;
}

async function readLog(file: string): Promise<string> {
  return await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw refuse(422, `${file} cannot be read: ${error.message}`);
  });
}

/**
 * Reads the bodies that a receiver got, the lines of `AUDIT_STREAM=stdout`, or what `audit changes --json` printed. Other
 * lines are left out. Refuses a log without any entry, because nothing would be repeated.
 */
function entriesIn(log: string): Entry[] {
  const printed = log.trimStart().startsWith("[") ? parsed(log) : null;
  const lines = log.split("\n").map((line) => (line.startsWith("{") ? parsed(line) : null));
  const entries = (Array.isArray(printed) ? printed : lines).flatMap((found): Entry[] => {
    if (!isRecord(found)) return [];
    const listed = Array.isArray(found.entries) ? found.entries : [found.audit ?? found];
    return listed.filter(isRecord).flatMap((one): Entry[] => {
      const at = typeof one.at === "string" ? Date.parse(one.at) : Number.NaN;
      if (Number.isNaN(at) || typeof one.action !== "string") return [];
      const word = (name: string) => (typeof one[name] === "string" ? one[name] : undefined);
      const [member, brand, environment] = [word("aboutMember"), word("brand"), word("environment")];
      return [{ at, action: one.action, member, brand, environment, subject: word("subject") }];
    });
  });
  if (entries.length === 0) throw refuse(422, "The log has no entry that the service streamed.");
  return entries;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
