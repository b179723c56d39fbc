import { openDatabase } from "../packages/service/src/store/database.ts";
import { migrate } from "../packages/service/src/store/migrations/migrate.ts";
import { dumpSchema } from "../packages/service/src/store/migrations/schema-dump.ts";
import { startTestServer } from "./test-server.ts";

/** Generates `docs/schema.sql`: the result of all migrations on an empty database. */
export async function schemaSql(): Promise<string> {
  const server = await startTestServer();
  try {
    // Ignore connection errors, because sockets of a closed pool may be open while the server stops. Failed statements
    // still throw.
    const store = openDatabase({ connectionString: server.url }, () => {});
    await migrate(store.db);
    const dumped = await dumpSchema(store.pool);
    await store.close();
    return dumped;
  } finally {
    await server.stop();
  }
}
