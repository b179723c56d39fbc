import type { GivenData } from "@countersign/contract/issuance";
import { isUuid } from "@countersign/contract/primitives";
import type { Trx } from "../../store/database.ts";
import type { DataKey } from "../../store/vault.ts";
import { type AuditAction, recordAudit } from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import { invalid, refuse } from "../failure.ts";
import { queueRevocations } from "../takeout/status.ts";
import { endTakeouts } from "../takeout/takeout-rows.ts";
import { readCredentialData } from "./credential-data.ts";
import { requireApproval, withIds } from "./issue.ts";
import { findIssued, type IssuedCredential, type IssuedData, updateIssued } from "./issued-credential-rows.ts";

/** The members an issuer may change. `expirationDate: null` removes the date. */
export type CredentialChange = {
  data?: GivenData;
  expirationDate?: number | null;
  status?: IssuedCredential["status"];
};

/** Reads a credential for its issuer, and records the read. */
export async function readIssued(deps: Deps, caller: Caller, id: string): Promise<IssuedCredential> {
  return await deps.db.inTransaction(async (trx) => {
    const { credential } = await own(deps, trx, caller, { id, lock: false });
    await record(deps, trx, caller, "credential.read", credential);
    return credential;
  });
}

/**
 * Changes, revokes or reinstates a credential for its issuer. Earlier shares keep the values they were made with. An
 * issuer without approval can only revoke.
 */
export async function changeIssued(
  deps: Deps,
  caller: Caller,
  id: string,
  change: CredentialChange,
): Promise<IssuedCredential> {
  if (change.data === undefined && change.expirationDate === undefined && change.status === undefined) {
    throw invalid([{ path: "body", message: "Send data, expirationDate or status." }]);
  }
  return await deps.db.inTransaction(async (trx) => {
    const { credential, dataKey } = await own(deps, trx, caller, { id, lock: true });
    const onlyRevokes = change.data === undefined && change.expirationDate === undefined && change.status === "revoked";
    if (!onlyRevokes) requireApproval(caller);
    const changed: IssuedCredential = {
      ...credential,
      data: change.data === undefined ? credential.data : newData(deps, credential, change.data),
      expiresAt: change.expirationDate === undefined ? credential.expiresAt : change.expirationDate,
      status: change.status ?? credential.status,
      updatedAt: deps.clock.now(),
    };
    await updateIssued(deps, trx, changed, dataKey);
    // A wallet's copy cannot change, so it is revoked with the credential.
    await queueRevocations(deps, trx, await endTakeouts(deps, trx, { issuedUuids: [changed.id] }));
    await record(deps, trx, caller, "credential.changed", changed);
    return changed;
  });
}

/** Throws the same 404 for every credential that the brand did not issue. */
async function own(
  deps: Deps,
  trx: Trx,
  caller: Caller,
  input: { id: string; lock: boolean },
): Promise<{ credential: IssuedCredential; dataKey: DataKey }> {
  const found = isUuid(input.id) ? await findIssued(deps, trx, caller, input) : null;
  if (found === null) throw refuse(404, "No such credential.");
  return found;
}

function newData(deps: Deps, { type, data }: IssuedCredential, given: GivenData): IssuedData {
  const read = readCredentialData({ type, data: given }, "body");
  if (read.kind === "problems") throw invalid(read.problems);
  return withIds(deps.random, read.data, "children" in data ? data.children : []);
}

async function record(
  deps: Deps,
  trx: Trx,
  caller: Caller,
  action: AuditAction,
  { id, type, status, personUuid }: IssuedCredential,
): Promise<void> {
  await recordAudit(deps, trx, caller, { action, personUuid, detail: { credentialUuid: id, types: [type], status } });
}
