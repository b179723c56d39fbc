/** Commands that read the audit log and the record of disclosures. */

import { environments } from "@countersign/contract/brand";
import { accountEntryPages } from "../domain/audit/account-audit-rows.ts";
import { disclosures } from "../domain/audit/disclosures.ts";
import { fullNames } from "../domain/brand/brand-rows.ts";
import { streamedEntry } from "../domain/member/audit-stream.ts";
import { withAdmin } from "./admin.ts";
import { command, exampleBrand, exits, instant, oneOf, printing, uuid } from "./arguments.ts";
import { printPages, terminal, terminalSafe } from "./output.ts";

const changes = printing("changes", "", `--brand ${exampleBrand} --from 2026-11-01T00:00Z`)
  .description("print who changed what, in all accounts, newest first")
  .option("--customer <uuid>", "only this customer", uuid)
  .option("--brand <uuid>", "only this brand", uuid)
  .option("--from <time>", "start of the time range, such as 2026-11-21T08:00Z", instant)
  .option("--to <time>", "end of the time range", instant)
  .action(
    exits(({ customer = null, brand, from, to, json }) =>
      withAdmin("sandbox", async ({ home }) => {
        const pages = accountEntryPages(home, { customerUuid: customer, brandUuid: brand, from, to });
        return await printPages(pages, streamedEntry, { json });
      }),
    ),
  );

export const audit = command("audit")
  .description("print the audit log and the record of disclosures")
  .addCommand(changes)
  .addCommand(
    command("disclosures", "--from 2026-11-01T00:00Z --to 2026-12-01T00:00Z --environment production")
      .description("print who read which person's data, as JSON lines")
      .requiredOption("--from <time>", "start of the time range, such as 2026-11-21T08:00Z", instant)
      .requiredOption("--to <time>", "end of the time range", instant)
      .option("--brand <uuid>", "only this brand", uuid)
      .option("--key <uuid>", "only this API key", uuid)
      .option("--person <uuid>", "only this person", uuid)
      .requiredOption("--environment <environment>", environments.join(" or "), oneOf(environments))
      .action(
        exits(({ from, to, brand, key, person, environment }) =>
          withAdmin(environment, async ({ cells, home }) => {
            const which = { environment, from, to, brandUuid: brand, apiKeyUuid: key, personUuid: person };
            const sources = { cells: cells(), namesOf: (brands: readonly string[]) => fullNames(home, brands) };
            for await (const line of disclosures(sources, which))
              terminal.out(`${terminalSafe(JSON.stringify(line))}\n`);
            return 0;
          }),
        ),
      ),
  );
