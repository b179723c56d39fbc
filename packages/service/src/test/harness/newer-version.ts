/**
 * Preloaded into a service to make it a newer version, which changes a big table and builds an index of it. The variable
 * `NEWER_MIGRATION` adds another migration.
 */
import { migrations } from "../../store/migrations/migrate.ts";

const { NEWER_MIGRATION = "" } = process.env;
Object.assign(migrations, {
  "9000-newer": "alter table request_log add column newer text",
  "9001-newer-index": { request_log_newer: "request_log (brand_uuid, newer)" },
  ...(NEWER_MIGRATION === "" ? {} : { "9002-newer": NEWER_MIGRATION }),
});
