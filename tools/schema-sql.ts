import { openDatabase } from "../packages/service/src/store/database.ts";
import { migrate } from "../packages/service/src/store/migrate.ts";
import { dumpSchema } from "../packages/service/src/store/schema-dump.ts";
import { startTestServer } from "./test-server.ts";

/** `docs/schema.sql`: what all migrations make of an empty database, on the server that the service brings along. */
export async function schemaSql(): Promise<string> {
  const server = await startTestServer();
  try {
    // A closed pool's sockets may still be open when the server stops, and say so; a failed statement throws by itself.
    const store = openDatabase({ connectionString: server.url }, () => {});
    await migrate(store.db);
    const dumped = await dumpSchema(store.pool);
    await store.close();
    return dumped;
  } finally {
    await server.stop();
  }
}
