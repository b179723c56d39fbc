/** The status lists that verifiers load, and the job that marks copies as invalid in them. */
import { deflateSync } from "node:zlib";
import { isUuid } from "@countersign/contract/primitives";
import type { Trx } from "../../store/database.ts";
import { enqueueAll } from "../../store/queue.ts";
import { brandsWith } from "../brand/brand-rows.ts";
import type { Deps, HomeDeps } from "../deps.ts";
import { issuerUrl, statusListOf } from "./addresses.ts";
import { openSigner, signatureAlgorithm } from "./keys.ts";
import { findStatuses, setInvalid } from "./status-list-rows.ts";
import { type Ended, endTakeouts, listTakenBrands } from "./takeout-rows.ts";

/** How long a verifier may use a list before it loads it again, in seconds. */
export const statusTtlSeconds = 60;
/** How long a list is valid, in seconds. It limits how long an attacker can present an old list. */
const statusLifeSeconds = 600;

/** The list as a signed token (`statuslist+jwt`). Null if there is none. */
export async function statusListToken(deps: HomeDeps, uuid: string): Promise<string | null> {
  const statuses = isUuid(uuid) ? await findStatuses(deps, uuid.toLowerCase()) : null;
  if (statuses === null) return null;
  const signer = await openSigner(deps);
  const iat = Math.floor(deps.clock.now() / 1_000);
  const header = { alg: signatureAlgorithm, typ: "statuslist+jwt", kid: signer.kid };
  const payload = {
    iss: issuerUrl(deps),
    sub: statusListOf(deps, uuid.toLowerCase()),
    iat,
    exp: iat + statusLifeSeconds,
    ttl: statusTtlSeconds,
    status_list: { bits: 1, lst: deflateSync(statuses, { level: 9 }).toString("base64url") },
  };
  const text = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${text}.${signer.sign(text)}`;
}

/** Queues the revocation of copies, in the transaction that ended them. The job starts right after the commit. */
export async function queueRevocations(deps: Deps, trx: Trx, ended: readonly Ended[]): Promise<void> {
  await enqueueAll(
    deps,
    trx,
    ended.flatMap(({ uuid, drawn }) =>
      drawn === null
        ? []
        : [
            {
              environment: deps.environment,
              name: "takeout.revoke" as const,
              subject: uuid,
              dueAt: deps.clock.now(),
              payload: { listUuid: drawn.listUuid, indexes: drawn.indexes.join(" ") },
            },
          ],
    ),
  );
}

/** Job: sets the statuses of ended copies. */
export async function revokeStatuses(deps: Deps, job: { listUuid: string; indexes: string }): Promise<void> {
  await setInvalid(deps, { listUuid: job.listUuid, indexes: job.indexes.split(" ").map(Number) });
}

/** Ends the credentials of brands that may no longer issue. Repeating it changes nothing. */
export async function endUnapproved(deps: Deps): Promise<void> {
  const { db, home, environment } = deps;
  const brands = await listTakenBrands(deps);
  const approved = await brandsWith(home, { environment, approval: "issuance", brands });
  const unapproved = brands.filter((brand) => !approved.has(brand));
  if (unapproved.length === 0) return;
  await db.inTransaction(async (trx) =>
    queueRevocations(deps, trx, await endTakeouts(deps, trx, { brands: unapproved })),
  );
}
