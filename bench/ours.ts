/** Our service in a separate process, on a given database. It has its usual settings, but known codes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { composeService } from "../packages/service/src/compose/service.ts";
import { readConfig } from "../packages/service/src/config/config.ts";
import { openMetrics } from "../packages/service/src/http/metrics.ts";
import { openLog } from "../packages/service/src/log.ts";
import { tuneMemory } from "../packages/service/src/processes/memory.ts";
import { productionCaps, sandboxCaps } from "../packages/service/src/providers/caps.ts";
import { openDatabase } from "../packages/service/src/store/database.ts";
import { migrate } from "../packages/service/src/store/migrations/migrate.ts";
import { openSignals } from "../packages/service/src/store/signals.ts";
import { knownCode } from "./flows.ts";

const [databaseUrl = ""] = process.argv.slice(2);
const dataDir = mkdtempSync(join(tmpdir(), "countersign-bench-"));
process.on("exit", () => rmSync(dataDir, { recursive: true, force: true }));
process.on("disconnect", () => process.exit());

tuneMemory();
const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
const connection = { connectionString: databaseUrl };
const log = openLog(config.logLevel);
const store = openDatabase(connection, (error) => log.warn(error.message));
await migrate(store.db);
const signals = await openSignals(connection, (error) => log.warn(error.message));
const service = await composeService(
  { config, log, store, signals, metrics: openMetrics() },
  // Include the counts that only production needs: texts that were sent and never used.
  {
    sandbox: {
      policy: { caps: { ...sandboxCaps, pumping: productionCaps.pumping } },
      codes: { make: () => knownCode },
    },
  },
);
await service.sandbox.seedDemo("http://localhost:4001");
process.send?.(await service.sandbox.app.listen({ host: "127.0.0.1", port: 0 }));
