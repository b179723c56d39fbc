import { parseArgs } from "node:util";
import { environments } from "@countersign/contract/brand";
import { commands } from "./commands/commands.ts";
import { ConfigProblems } from "./config/config.ts";
import { Failure } from "./domain/failure.ts";
import { DataDirInUse } from "./store/data-dir.ts";

/** Exit codes of sysexits.h: wrong usage, a resource that is in use, a wrong configuration. */
const exitUsage = 64;
const exitInUse = 75;
const exitConfig = 78;

const options = {
  name: { type: "string" },
  email: { type: "string" },
  roles: { type: "string" },
  customer: { type: "string" },
  brand: { type: "string" },
  type: { type: "string" },
  environment: { type: "string", default: environments[0] },
  role: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  key: { type: "string" },
  person: { type: "string" },
  request: { type: "string" },
  url: { type: "string" },
  forward: { type: "string" },
  api: { type: "string" },
  json: { type: "boolean", default: false },
  "secret-file": { type: "string" },
  phone: { type: "string" },
  "unknown-phone": { type: "string" },
  "birth-date": { type: "string" },
  check: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

const usage = `countersign <command>

  start [--roles all|api,wallet,dashboard,worker]   the service, or the part that this process is for
  health                                            whether the service on this machine answers (exit 1)
  listen --forward URL [--brand UUID] [--api URL] [--key sk_sandbox_…] [--json]
                                                    a brand's webhooks on this machine, until Ctrl-C
  trigger EVENT [--brand UUID] [--api URL] [--key sk_sandbox_…]
                                                    send a made-up event to a brand's webhooks
  migrate [--check]                                 bring the database up to date, or say whether it is (exit 1)
  customers create --name NAME --email EMAIL        an account and its first owner
  members add --customer UUID --email EMAIL [--role owner]     a member, without an invitation
  dashboard link --email EMAIL                      a link that signs a member in: once, within 15 minutes
  sessions end --email EMAIL                        sign a member out of the dashboard, everywhere
  sessions end --person UUID [--environment sandbox]   a person, out of their own page
  brands create --customer UUID --name NAME --type TYPE [--environment sandbox]
  brands logo --brand UUID [--environment sandbox] FILE   a PNG or JPEG of at most 200 KB
  brands mode --brand UUID [--environment sandbox] active|readOnly|stopped
                                                    hold a brand back at once, in every process
  audit disclosures --from INSTANT --to INSTANT [--environment sandbox] [--brand UUID] [--key UUID] [--person UUID]
                                                    who read what of whom, one JSON line each
  x12 parse FILE...                                 what 271 responses say, one JSON line per file
  conformance identity --url URL --secret-file FILE --phone KNOWN --birth-date DATE --unknown-phone PHONE
  conformance risk --url URL --secret-file FILE --phone PHONE
                                                    whether a source of identity data keeps its contract (exit 1)
  keys create --brand UUID [--environment sandbox] [--name NAME]
  keys rotate-master                                put what MASTER_KEY_OTHER wrapped under MASTER_KEY, while the service runs
  payers sync                                       read the clearinghouse's list of payers anew
  approvals requests                                what brands ask the operator for
  approvals names                                   names that wait for approval, beside those in use
  approvals approve|reject --request UUID           use a requested name, or keep the one in use
  approvals grant|revoke --brand UUID [--environment sandbox] production|trusted|autofill|silent|issuance|addOns|barePhone
`;

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({ args: process.argv.slice(2), options, allowPositionals: true });
  const [first = "", second = "", ...rest] = positionals;
  const command = commands[`${first} ${second}`.trim()] ?? commands[first];
  if (values.help || command === undefined) {
    process.stdout.write(usage);
    return values.help ? 0 : exitUsage;
  }
  return await command(values, commands[first] === undefined ? rest : [second, ...rest]);
}

/** Error codes for a database that can't be reached: nothing listens, the host is unknown, or no answer arrives. */
const unreachable = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ETIMEDOUT"]);

function report(error: unknown): number {
  if (error instanceof ConfigProblems) {
    process.stderr.write(`The configuration is not usable:\n${error.problems.map((one) => `  - ${one}\n`).join("")}`);
    return exitConfig;
  }
  if (error instanceof DataDirInUse) {
    process.stderr.write(`${error.message}\n`);
    return exitInUse;
  }
  if (error instanceof Failure) {
    const { errors } = error.data;
    process.stderr.write(`${error.message}\n${errors === undefined ? "" : `${JSON.stringify(errors, null, 2)}\n`}`);
    return 1;
  }
  if (error instanceof Error && "syscall" in error && error.syscall === "listen") {
    process.stderr.write(
      `${error.message}: set API_PORT, WALLET_PORT or DASHBOARD_PORT to a free port, or to 0 for any.\n`,
    );
    return exitInUse;
  }
  if (error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")) {
    process.stderr.write(`${error.message}\n\n${usage}`);
    return exitUsage;
  }
  if (error instanceof Error && "code" in error && unreachable.has(String(error.code))) {
    const reasons = error instanceof AggregateError ? error.errors.map(String).join(", ") : error.message;
    process.stderr.write(`The database that DATABASE_URL names cannot be reached: ${reasons}\n`);
    return 1;
  }
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
}

process.exitCode = await run().catch(report);
