/** The command line of the service. Every command declares its own options, arguments and help. */
import { version } from "../config/version.ts";
import { operatorOn, recordUnlessRecorded } from "../domain/audit/account-audit-rows.ts";
import { pendingMigrations, migrate as runMigrations } from "../store/migrations/migrate.ts";
import { withStore } from "./admin.ts";
import { approvals } from "./approvals.ts";
import { command, exits, printing } from "./arguments.ts";
import { audit } from "./audit.ts";
import { brands } from "./brands.ts";
import { cells } from "./cells.ts";
import { completion } from "./completion.ts";
import { conformance } from "./conformance.ts";
import { customers, dashboard, members, passkeys, sessions } from "./customers.ts";
import { events } from "./events.ts";
import { health } from "./health.ts";
import { issuers } from "./issuers.ts";
import { keys } from "./keys.ts";
import { listen } from "./listen.ts";
import { logs } from "./logs.ts";
import { operators } from "./operators.ts";
import { print, progress, progressBar } from "./output.ts";
import { payers } from "./production.ts";
import { restored } from "./restored.ts";
import { start } from "./start.ts";
import { trigger } from "./trigger.ts";
import { x12 } from "./x12.ts";

const migrate = printing("migrate", "", "--check")
  .description("apply pending database migrations")
  .option("--check", "apply nothing; exit with 1 if migrations are pending")
  .action(
    exits(({ check, json }) =>
      withStore("sandbox", async (admin) => {
        const { home, random } = admin;
        if (check === true) {
          const pending = await pendingMigrations(home);
          print({ pending }, { json });
          return pending.length === 0 ? 0 : 1;
        }
        const onStep = (done: number, total: number) =>
          progressBar({ done, total }, `Migration ${done + 1} of ${total}`);
        const migrated = await runMigrations(home, { onStep });
        progress(null);
        const operator = { requestId: random.uuid(), call: "migrate" };
        const entry = { action: "database.migrated" as const, subject: migrated.at(-1) };
        if (migrated.length > 0) await recordUnlessRecorded(admin, operatorOn({ operator }, null), entry);
        return print({ migrated }, { json });
      }),
    ),
  );

/** The exit codes that programs can rely on, with their meaning. */
export const exitCodes: Readonly<Record<number, string>> = {
  0: "done",
  1: "refused or not found, or a check failed",
  64: "a command or an option that does not exist",
  69: "the database or its standby is not available now; a change may have been made if the message says so",
  75: "an address or a data directory is in use",
  78: "a setting is missing or wrong",
  141: "the reader of the output closed the pipe",
};
const exitCodeLines = Object.entries(exitCodes).map(([code, means]) => `  ${code.padEnd(3)} ${means}\n`);

export const countersign = command("countersign")
  .description("Runs and administers the identity data service.")
  .usage("<command> [options]")
  .version(version, "-V, --version", "print the version")
  .addHelpText("after", `\nExit codes:\n${exitCodeLines.join("")}`)
  .addCommand(start)
  .addCommand(health)
  .addCommand(listen)
  .addCommand(trigger)
  .addCommand(events)
  .addCommand(logs)
  .addCommand(migrate)
  .addCommand(customers)
  .addCommand(members)
  .addCommand(passkeys)
  .addCommand(dashboard)
  .addCommand(sessions)
  .addCommand(operators)
  .addCommand(brands)
  .addCommand(keys)
  .addCommand(approvals)
  .addCommand(audit)
  .addCommand(x12)
  .addCommand(payers)
  .addCommand(issuers)
  .addCommand(cells)
  .addCommand(restored)
  .addCommand(conformance)
  .addCommand(completion);
