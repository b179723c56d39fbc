import { accountTables } from "./ground/accounts.ts";
import { brandTables } from "./ground/brands.ts";
import { credentialTables } from "./ground/credentials.ts";
import { evidenceTables } from "./ground/evidence.ts";
import { healthTables } from "./ground/health.ts";
import { openidTables } from "./ground/openid.ts";
import { peopleTables } from "./ground/people.ts";
import { reportingTables } from "./ground/reporting.ts";
import { serviceTables } from "./ground/service.ts";
import { signupTables } from "./ground/signup.ts";
import { stateIdTables } from "./ground/state-ids.ts";
import { takeoutTables } from "./ground/takeout.ts";
import { textTables } from "./ground/texts.ts";
import { webhookTables } from "./ground/webhooks.ts";

/**
 * All tables of 1.0.0, by subject, in the order of their references.
 *
 * - A time is Unix milliseconds of the environment's clock, unless a comment says otherwise.
 * - `sealed` is encrypted with the key in `data_key_uuid` and bound to its row. `…_hash`, `…_hmac` and `…_index` are
 *   hashes that find a row without its value.
 * - A table about people has no foreign key to brands, customers or webhooks, because these may be in another database.
 *   Its rows are only written for one that was just read, and none of these is ever deleted.
 * - An index `…_key` on `data_key_uuid` lets the deletion of a key check references to it without scanning the table.
 * - A partial index leaves out the rows without a value, which are most of them.
 * - A `toast_tuple_target` keeps a row with a sealed value of a few kilobytes in one piece.
 * - A `fillfactor` leaves room on each page for the new versions of its rows, which then need no new index entries.
 */
export const ground = [
  serviceTables,
  accountTables,
  brandTables,
  webhookTables,
  peopleTables,
  textTables,
  signupTables,
  evidenceTables,
  credentialTables,
  healthTables,
  openidTables,
  takeoutTables,
  stateIdTables,
  reportingTables,
].join("");
