/** Names that wait for the operator's approval. */
import { type Environment, environments } from "@countersign/contract/brand";
import type { HomeReader, HomeTrx } from "../../store/database.ts";
import { insertRows } from "../../store/statements/rows.ts";

/** The owner of a name: a brand in one environment, or an account itself (`brandUuid` is null). */
export type NameOwner = { customerUuid: string; brandUuid: string | null; environment: string };
/** `path` is the name's setting, or `name` for the account's own name. */
export type NameRequest = {
  uuid: string;
  customerUuid: string;
  brandUuid: string | null;
  /** Null for the account's own name. */
  environment: Environment | null;
  path: string;
  value: string;
  requestedAt: number;
};

export async function insertNameRequest(
  trx: HomeTrx,
  owner: NameOwner,
  { uuid, path, value, now }: { uuid: string; path: string; value: string; now: number },
): Promise<void> {
  await insertRows(trx, "name_request", [
    {
      uuid,
      customer_uuid: owner.customerUuid,
      brand_uuid: owner.brandUuid,
      environment: owner.environment,
      path,
      value,
      requested_at: now,
    },
  ]);
}

/** Deletes the request of one name. Returns whether there was one. */
export async function deleteNameRequest(trx: HomeTrx, owner: NameOwner, path: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("name_request")
    .where("customer_uuid", "=", owner.customerUuid)
    .where("brand_uuid", "is not distinct from", owner.brandUuid)
    .where("environment", "=", owner.environment)
    .where("path", "=", path)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes a request that is decided. Returns false if it is gone. */
export async function takeNameRequest(trx: HomeTrx, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom("name_request").where("uuid", "=", uuid).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The requests of one owner, by path. */
export async function findNameRequests(
  reader: HomeReader,
  owner: NameOwner,
): Promise<Pick<NameRequest, "path" | "value" | "requestedAt">[]> {
  return await reader
    .selectFrom("name_request")
    .select(["path", "value", "requested_at as requestedAt"])
    .where("customer_uuid", "=", owner.customerUuid)
    .where("brand_uuid", "is not distinct from", owner.brandUuid)
    .where("environment", "=", owner.environment)
    .orderBy("path")
    .execute();
}

export async function findNameRequest(reader: HomeReader, uuid: string): Promise<NameRequest | null> {
  const row = await requestQuery(reader).where("name_request.uuid", "=", uuid).executeTakeFirst();
  return row === undefined ? null : toRequest(row);
}

/** All requests with the names of their customers, oldest first. */
export async function listNameRequestRows(reader: HomeReader): Promise<(NameRequest & { customerName: string })[]> {
  const rows = await requestQuery(reader)
    .innerJoin("customer", "customer.uuid", "name_request.customer_uuid")
    .select("customer.name as customerName")
    .orderBy("requested_at")
    .orderBy("name_request.uuid")
    .execute();
  return rows.map(toRequest);
}

function requestQuery(reader: HomeReader) {
  return reader
    .selectFrom("name_request")
    .select(["name_request.uuid", "name_request.customer_uuid as customerUuid", "brand_uuid as brandUuid"])
    .select(["environment", "path", "value", "requested_at as requestedAt"]);
}

function toRequest<Row extends { environment: string }>(row: Row): Row & { environment: Environment | null } {
  return { ...row, environment: environments.find((one) => one === row.environment) ?? null };
}
