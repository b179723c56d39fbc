import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Approval, approvals, type Environment, environments } from "@countersign/contract/brand";
import { logoBytesMax } from "@countersign/contract/logo";
import { type MemberRole, memberRoles } from "@countersign/contract/member";
import { health } from "./command-health.ts";
import { listen } from "./command-listen.ts";
import { rotateMaster, syncPayerList } from "./command-production.ts";
import { readReady } from "./command-ready.ts";
import { withLedger, withStore } from "./command-store.ts";
import { trigger } from "./command-trigger.ts";
import { composeMail, composeVault } from "./compose-adapters.ts";
import { type Config, readConfig } from "./config.ts";
import { conformanceIdentity, conformanceRisk } from "./conformance.ts";
import { endSessionsOfPerson } from "./domain/account/session.ts";
import { disclosures } from "./domain/audit/disclosures.ts";
import { putLogo } from "./domain/brand/logo.ts";
import { changeApproval, createBrand, createKey, type Ledger, setMode } from "./domain/brand/manage.ts";
import { invalid } from "./domain/failure.ts";
import { x12Line } from "./domain/health/x12/line.ts";
import { listRequests } from "./domain/member/approvals.ts";
import type { AccountDeps } from "./domain/member/deps.ts";
import { addMember, openAccount } from "./domain/member/open.ts";
import { signOutEverywhere } from "./domain/member/session.ts";
import { linkFor } from "./domain/member/sign-in.ts";
import { openMetrics } from "./http/metrics.ts";
import { openLog } from "./log.ts";
import { type Service, startService } from "./main.ts";
import { systemClock } from "./providers/sandbox/clock.ts";
import { firstDemoCustomer } from "./providers/sandbox/demo.ts";
import { mailOutbox } from "./providers/sandbox/mail-outbox.ts";
import { migrate, pendingMigrations } from "./store/migrate.ts";
import { openTracing } from "./tracing.ts";
import { welcome } from "./welcome.ts";

type Values = Record<string, string | boolean | undefined>;
type Command = (values: Values, rest: string[]) => Promise<number>;

/** How long a stop may take before it is cut short. */
const stopDeadlineMs = 9_500;

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
      print(await openAccount(await accountsOf(ledger), ledger, { name: text(values, "name"), email: email(values) })),
    ),
  "members add": (values) =>
    withLedger("sandbox", async (ledger) => {
      const customerUuid = uuid(values, "customer");
      return print(
        await addMember(await accountsOf(ledger), { customerUuid, email: email(values), role: role(values) }),
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
          name: text(values, "name"),
          settings: { integrationType: text(values, "type") },
          approvals: ledger.environment === "sandbox" ? approvals : [],
        }),
      ),
    ),
  "brands logo": (values, [file = ""]) =>
    withLedger(environment(values), async (ledger) => {
      const { publicWalletUrl, walletPort } = readConfig();
      const walletUrl = publicWalletUrl ?? `http://localhost:${walletPort}`;
      const { size } = await stat(file).catch(() => ({ size: 0 }));
      if (size === 0 || size > logoBytesMax)
        throw invalid([{ path: "FILE", message: `must be a picture of at most ${logoBytesMax} bytes` }]);
      return print(await putLogo(ledger, { brandUuid: uuid(values, "brand"), bytes: await readFile(file), walletUrl }));
    }),
  "brands mode": (values, [word]) =>
    withLedger(environment(values), async (ledger) => {
      const mode = (["active", "readOnly", "stopped"] as const).find((one) => one === word);
      if (mode === undefined) throw invalid([{ path: "mode", message: "must be active, readOnly or stopped" }]);
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
  "approvals grant": (values, rest) => approve(values, rest, true),
  "approvals revoke": (values, rest) => approve(values, rest, false),
};

async function start(values: Values): Promise<number> {
  const config = readConfig(undefined, values.roles === undefined ? {} : { ROLES: String(values.roles) });
  const log = openLog(config.logLevel);
  const tracing = config.tracesUrl === null ? null : openTracing({ url: config.tracesUrl });
  const service = await startService(config, log);
  const { server, production } = service.composed;
  const missing = production?.missing ?? [];
  const about = { node: process.version, database: server.kind, missing };
  const { signInLink } = await offerLink(config, service);
  process.stdout.write(welcome(service.ready, { ...about, signInLink }));
  const signal = await new Promise<string>((resolve) => {
    for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(name, () => resolve(name));
  });
  log.info("stopping", { signal });
  const cut = setTimeout(() => process.exit(1), config.stopDelayMs + stopDeadlineMs);
  await service.stop();
  await tracing?.close();
  clearTimeout(cut);
  log.flush();
  return 0;
}

/** Where DEMO is on, a link that signs in at once: on a terminal, or else in a file that only its user reads, which is named. */
async function offerLink(config: Config, { composed }: Service): Promise<{ signInLink?: string }> {
  const path = join(config.dataDir, "sign-in-link");
  await rm(path, { force: true });
  if (!config.demo) return {};
  const link = await linkFor(composed.accounts, firstDemoCustomer.email);
  if (process.stdout.isTTY) return { signInLink: link };
  await writeFile(path, `${link}\n`, { mode: 0o600 });
  return { signInLink: `the link in ${path}` };
}

function approve(values: Values, [word]: string[], granted: boolean): Promise<number> {
  const approval: Approval | undefined = approvals.find((one) => one === word);
  if (approval === undefined) throw invalid([{ path: "approval", message: `must be one of ${approvals.join(", ")}` }]);
  return withLedger(environment(values), async (ledger) => {
    const brand = uuid(values, "brand");
    await changeApproval(ledger, { brandUuid: brand, approval, granted });
    return print({ brand, approval, granted });
  });
}

/** One JSON line per file. Bodies that are no 271 are an answer too; only a file that cannot be read is a failure. */
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

async function checkMigrations({ db }: Ledger): Promise<number> {
  const pending = await pendingMigrations(db);
  print({ pending });
  return pending.length === 0 ? 0 : 1;
}

async function runMigrations({ db }: Ledger): Promise<number> {
  return print({ migrated: await migrate(db) });
}

/** Accounts, as far as the command line needs them. Where the dashboard is, the service that runs here has written down. */
async function accountsOf({ db, random }: Ledger): Promise<AccountDeps> {
  const config = readConfig();
  const ready = await readReady(config.dataDir);
  const dashboardUrl = ready?.dashboardUrl ?? config.publicDashboardUrl ?? `http://localhost:${config.dashboardPort}`;
  const vault = await composeVault({ config, db });
  const mail = composeMail({ config, metrics: openMetrics(), log: openLog("warn") }) ?? mailOutbox();
  return { db, vault, random, clock: systemClock, mail, addresses: { dashboardUrl } };
}

function role(values: Values): MemberRole {
  const found = memberRoles.find((one) => one === (values.role ?? "owner"));
  if (found === undefined) throw invalid([{ path: "--role", message: `must be one of ${memberRoles.join(", ")}` }]);
  return found;
}

function email(values: Values): string {
  const value = text(values, "email");
  if (!/^[^\s@]+@[^\s@]+$/.test(value)) throw invalid([{ path: "--email", message: "must be an e-mail address" }]);
  return value;
}

function environment(values: Values): Environment {
  const found = environments.find((one) => one === values.environment);
  if (found === undefined)
    throw invalid([{ path: "--environment", message: `must be one of ${environments.join(", ")}` }]);
  return found;
}

function text(values: Values, name: string): string {
  const value = values[name];
  if (typeof value !== "string" || value === "") throw invalid([{ path: `--${name}`, message: "is required" }]);
  return value;
}

function uuid(values: Values, name: string): string {
  const value = text(values, name);
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value))
    throw invalid([{ path: `--${name}`, message: "must be a UUID" }]);
  return value;
}

function maybeUuid(values: Values, name: string): string | undefined {
  return values[name] === undefined ? undefined : uuid(values, name);
}

function instant(values: Values, name: string): number {
  const at = Date.parse(text(values, name));
  if (Number.isNaN(at)) throw invalid([{ path: `--${name}`, message: "must be an instant such as 2026-11-21T08:00Z" }]);
  return at;
}

function print(value: unknown): number {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  return 0;
}
