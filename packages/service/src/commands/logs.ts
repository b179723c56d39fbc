/** `countersign logs tail`: a brand's calls as they happen. */
import type { LogLine } from "@countersign/contract/dashboard-reporting";
import { composeVault } from "../compose/adapters.ts";
import { readConfig } from "../config/config.ts";
import { searchLog } from "../domain/reporting/log.ts";
import { cutFrom } from "../domain/reporting/pages.ts";
import { systemTimer } from "../providers/timer.ts";
import { assertBrand, withAdmin } from "./admin.ts";
import { command, exits, untilInterrupted } from "./arguments.ts";
import { brandCommand } from "./brands.ts";
import { line } from "./output.ts";

/** How often new lines are read. */
const everyMs = 1_000;

export const logs = command("logs")
  .description("show brands' API calls")
  .addCommand(
    brandCommand("tail", "", "--environment production --json", "--once")
      .description("print a brand's latest calls, then each new one until Ctrl-C")
      .option("--once", "print the latest calls and end")
      .action(
        exits(({ brand, environment, json, once }) =>
          withAdmin(environment, async (admin) => {
            const { home, clock } = admin;
            await assertBrand(admin, brand);
            const vault = await composeVault({ config: readConfig(), home });
            const interrupted = untilInterrupted();
            let newer: string | undefined;
            for (;;) {
              const cells = admin.cells().map((db, number) => ({ number, db }));
              const deps = { environment, cells, home, clock, vault };
              const { data, hasNewer, cursors } = await searchLog(deps, {
                brandUuid: brand,
                filter: {},
                ...(newer === undefined ? {} : { newer: cutFrom(newer) }),
              });
              // Omit the phone, because a terminal has no roles.
              for (const { phoneLastFour: _, ...one } of data.toReversed()) line(one, { json }, lineText(one));
              newer = cursors.newer;
              if (once === true || interrupted.aborted) return 0;
              if (!hasNewer) await Promise.race([systemTimer.pause(everyMs), untilAborted(interrupted)]);
            }
          }),
        ),
      ),
  );

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function lineText({
  at,
  method,
  route,
  status,
  errorCode,
  subjectUuid,
  keyName,
  latencyMs,
}: Omit<LogLine, "phoneLastFour">) {
  const parts = [new Date(at).toISOString(), status, method, route, errorCode, subjectUuid, keyName, `${latencyMs} ms`];
  return parts.filter((part) => part !== null).join("  ");
}
