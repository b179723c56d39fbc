/** The command line of the service. Every command declares its own options, arguments and help. */
import { readFile } from "node:fs/promises";
import { disclosures } from "../domain/audit/disclosures.ts";
import { x12Line } from "../domain/health/x12/line.ts";
import { pendingMigrations, migrate as runMigrations } from "../store/migrate.ts";
import { withAdmin, withStore } from "./admin.ts";
import { command, environmentOption, exits, instant, print, uuid } from "./arguments.ts";
import { approvals, brands, keys } from "./brands.ts";
import { conformance } from "./conformance.ts";
import { customers, dashboard, members, sessions } from "./customers.ts";
import { health } from "./health.ts";
import { listen } from "./listen.ts";
import { payers } from "./production.ts";
import { start } from "./start.ts";
import { trigger } from "./trigger.ts";

const migrate = command("migrate")
  .description("apply pending database migrations")
  .option("--check", "apply nothing; exit with 1 if migrations are pending")
  .action(
    exits(({ check }) =>
      withStore("sandbox", async ({ db }) => {
        if (check !== true) return print({ migrated: await runMigrations(db) });
        const pending = await pendingMigrations(db);
        print({ pending });
        return pending.length === 0 ? 0 : 1;
      }),
    ),
  );

const audit = command("audit")
  .description("print audit records")
  .addCommand(
    command("disclosures")
      .description("print who read which person's data, as JSON lines")
      .requiredOption("--from <time>", "start of the time range, such as 2026-11-21T08:00Z", instant)
      .requiredOption("--to <time>", "end of the time range", instant)
      .option("--brand <uuid>", "only this brand", uuid)
      .option("--key <uuid>", "only this API key", uuid)
      .option("--person <uuid>", "only this person", uuid)
      .addOption(environmentOption())
      .action(
        exits(({ from, to, brand, key, person, environment }) =>
          withAdmin(environment, async ({ db }) => {
            const which = { environment, from, to, brandUuid: brand, apiKeyUuid: key, personUuid: person };
            for await (const line of disclosures(db, which)) process.stdout.write(`${JSON.stringify(line)}\n`);
            return 0;
          }),
        ),
      ),
  );

const x12 = command("x12")
  .description("read X12 files from the clearinghouse")
  .addCommand(
    command("parse")
      .description("parse 271 responses and print one JSON line per file")
      .argument("<files...>", "files with 271 responses")
      .action(exits(parseX12)),
  );

/** A body that is not a 271 gets a line too. Only an unreadable file sets exit code 1. */
async function parseX12(files: string[]): Promise<number> {
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

export const countersign = command("countersign")
  .description("Runs and administers the identity data service.")
  .addCommand(start)
  .addCommand(health)
  .addCommand(listen)
  .addCommand(trigger)
  .addCommand(migrate)
  .addCommand(customers)
  .addCommand(members)
  .addCommand(dashboard)
  .addCommand(sessions)
  .addCommand(brands)
  .addCommand(keys)
  .addCommand(approvals)
  .addCommand(audit)
  .addCommand(x12)
  .addCommand(payers)
  .addCommand(conformance);
