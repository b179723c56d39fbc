import { readFile, stat } from "node:fs/promises";
import { approvals } from "@countersign/contract/brand";
import { logoBytesMax } from "@countersign/contract/logo";
import { memberRoles } from "@countersign/contract/member";
import { readConfig } from "../config/config.ts";
import { endSessionsOfPerson } from "../domain/account/session.ts";
import { disclosures } from "../domain/audit/disclosures.ts";
import { putLogo } from "../domain/brand/logo.ts";
import { type AdminDeps, changeApproval, createBrand, createKey, setMode } from "../domain/brand/manage.ts";
import { invalid } from "../domain/failure.ts";
import { x12Line } from "../domain/health/x12/line.ts";
import { listRequests } from "../domain/member/approvals.ts";
import { addMember, openAccount } from "../domain/member/member.ts";
import { approveName, listNameRequests, rejectName } from "../domain/member/name-approval.ts";
import { signOutEverywhere } from "../domain/member/session.ts";
import { linkFor } from "../domain/member/sign-in.ts";
import { migrate, pendingMigrations } from "../store/migrate.ts";
import { accountsOf } from "./accounts.ts";
import {
  type Command,
  email,
  environment,
  instant,
  maybeUuid,
  name,
  oneOf,
  print,
  text,
  uuid,
  type Values,
} from "./arguments.ts";
import { conformanceIdentity, conformanceRisk } from "./conformance.ts";
import { health } from "./health.ts";
import { withLedger, withStore } from "./ledger.ts";
import { listen } from "./listen.ts";
import { rotateMaster, syncPayerList } from "./production.ts";
import { readReady, walletUrlOf } from "./ready.ts";
import { start } from "./start.ts";
import { trigger } from "./trigger.ts";

/** Every command, by its words. */
export const commands: Record<string, Command> = {
  start,
  health,
  listen,
  trigger,
  migrate: (values) =>
    withStore("sandbox", (ledger) => (values.check === true ? checkMigrations(ledger) : runMigrations(ledger))),
  "customers create": (values) =>
    withLedger("sandbox", async (ledger) =>
      print(await openAccount(await accountsOf(ledger), ledger, { name: name(values), email: email(values) })),
    ),
  "members add": (values) =>
    withLedger("sandbox", async (ledger) => {
      const customerUuid = uuid(values, "customer");
      return print(
        await addMember(await accountsOf(ledger), {
          customerUuid,
          email: email(values),
          role: oneOf(memberRoles, values.role ?? "owner", "--role"),
        }),
      );
    }),
  "dashboard link": (values) =>
    withLedger("sandbox", async (ledger) => print({ link: await linkFor(await accountsOf(ledger), email(values)) })),
  "sessions end": (values) =>
    withLedger(environment(values), async (ledger) =>
      print({
        ended:
          values.person === undefined
            ? await signOutEverywhere(await accountsOf(ledger), email(values))
            : await endSessionsOfPerson(ledger, uuid(values, "person")),
      }),
    ),
  "brands create": (values) =>
    withLedger(environment(values), async (ledger) =>
      print(
        await createBrand(ledger, {
          customerUuid: uuid(values, "customer"),
          name: name(values),
          settings: { integrationType: text(values, "type") },
          approvals: ledger.environment === "sandbox" ? approvals : [],
        }),
      ),
    ),
  "brands logo": (values, [file = ""]) =>
    withLedger(environment(values), async (ledger) => {
      const config = readConfig();
      const walletUrl = walletUrlOf(ledger.environment, config, await readReady(config.dataDir));
      const { size } = await stat(file).catch(() => ({ size: 0 }));
      if (size === 0 || size > logoBytesMax)
        throw invalid([{ path: "FILE", message: `must be a picture of at most ${logoBytesMax} bytes` }]);
      return print(await putLogo(ledger, { brandUuid: uuid(values, "brand"), bytes: await readFile(file), walletUrl }));
    }),
  "brands mode": (values, [word]) =>
    withLedger(environment(values), async (ledger) => {
      const mode = oneOf(["active", "readOnly", "stopped"], word, "mode");
      const brandUuid = uuid(values, "brand");
      await setMode(ledger, { brandUuid, mode });
      return print({ brand: brandUuid, environment: ledger.environment, mode });
    }),
  "audit disclosures": (values) =>
    withLedger(environment(values), async ({ db, environment: inEnvironment }) => {
      const which = { environment: inEnvironment, from: instant(values, "from"), to: instant(values, "to") };
      const named = { brandUuid: maybeUuid(values, "brand"), apiKeyUuid: maybeUuid(values, "key") };
      for await (const line of disclosures(db, { ...which, ...named, personUuid: maybeUuid(values, "person") }))
        process.stdout.write(`${JSON.stringify(line)}\n`);
      return 0;
    }),
  "conformance identity": conformanceIdentity,
  "conformance risk": conformanceRisk,
  "x12 parse": (_values, files) => parseX12(files),
  "payers sync": syncPayerList,
  "keys rotate-master": rotateMaster,
  "keys create": (values) =>
    withLedger(environment(values), async (ledger) =>
      print({ apiKey: await createKey(ledger, uuid(values, "brand"), String(values.name ?? "key")) }),
    ),
  "approvals requests": () =>
    withLedger("sandbox", async (ledger) => print(await listRequests(await accountsOf(ledger)))),
  "approvals names": () =>
    withLedger("production", async (ledger) => print(await listNameRequests(await accountsOf(ledger)))),
  "approvals approve": (values) =>
    withLedger("production", async (ledger) => {
      const request = uuid(values, "request");
      await approveName(await accountsOf(ledger), ledger, request);
      return print({ request, approved: true });
    }),
  "approvals reject": (values) =>
    withLedger("production", async (ledger) => {
      const request = uuid(values, "request");
      await rejectName(await accountsOf(ledger), request);
      return print({ request, approved: false });
    }),
  "approvals grant": (values, rest) => approve(values, rest, true),
  "approvals revoke": (values, rest) => approve(values, rest, false),
};

function approve(values: Values, [word]: string[], granted: boolean): Promise<number> {
  const approval = oneOf(approvals, word, "approval");
  return withLedger(environment(values), async (ledger) => {
    const brand = uuid(values, "brand");
    await changeApproval(ledger, { brandUuid: brand, approval, granted });
    return print({ brand, approval, granted });
  });
}

/** One JSON line per file. A body that is not a 271 gets a line too; only an unreadable file sets exit code 1. */
async function parseX12(files: string[]): Promise<number> {
  if (files.length === 0) throw invalid([{ path: "FILE", message: "is required" }]);
  let code = 0;
  for (const file of files) {
    const bytes = await readFile(file).catch((error: Error) => {
      process.stderr.write(`${file}: ${error.message}\n`);
      code = 1;
      return null;
    });
    if (bytes !== null) process.stdout.write(`${x12Line(file, bytes)}\n`);
  }
  return code;
}

async function checkMigrations({ db }: AdminDeps): Promise<number> {
  const pending = await pendingMigrations(db);
  print({ pending });
  return pending.length === 0 ? 0 : 1;
}

async function runMigrations({ db }: AdminDeps): Promise<number> {
  return print({ migrated: await migrate(db) });
}
