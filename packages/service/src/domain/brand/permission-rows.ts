/** What the operator lets brands do. The rows of `brand_approval` and `brand_mode` are written by `brand-rows`. */
import { approvals, type Environment } from "@countersign/contract/brand";
import { type RawBuilder, sql } from "kysely";
import type { AnyReader, HomeReader } from "../../store/database.ts";
import { type Placeholders, statement } from "../../store/statements/statement.ts";
import type { Brand, BrandMode } from "../deps.ts";

/** What the operator lets a brand do, and its customer. */
type Permitted = Pick<Brand, "customerUuid" | "approvals" | "mode">;

export type PermissionRow = { customer_uuid: string; approvals: string[] | null; mode: BrandMode | null };

export function permissionQuery(reader: AnyReader, environment: Environment | RawBuilder<Environment>) {
  return reader
    .selectFrom("brand")
    .select((eb) =>
      eb
        .selectFrom("brand_approval")
        .select(sql<string[]>`coalesce(array_agg(approval), '{}')`.as("approvals"))
        .whereRef("brand_approval.brand_uuid", "=", "brand.uuid")
        .where("brand_approval.environment", "=", environment)
        .as("approvals"),
    )
    .select((eb) =>
      eb
        .selectFrom("brand_mode")
        .select("mode")
        .whereRef("brand_mode.brand_uuid", "=", "brand.uuid")
        .where("brand_mode.environment", "=", environment)
        .as("mode"),
    );
}

export function permittedOf(row: PermissionRow): Permitted {
  const granted = approvals.filter((one) => row.approvals?.includes(one));
  return { customerUuid: row.customer_uuid, approvals: new Set(granted), mode: row.mode ?? "active" };
}

/** The permissions of brands, by uuid. Unlike `findBrands`, it reads no settings. */
export async function findPermissions(
  reader: HomeReader,
  environment: Environment,
  uuids: readonly string[],
): Promise<Map<string, Permitted>> {
  if (uuids.length === 0) return new Map();
  const { rows } = await permissionsStatement(reader, { environment, uuids });
  return new Map(rows.map((row) => [row.uuid, permittedOf(row)]));
}
const permissionsStatement = statement(
  (db, { environment, uuids }: Placeholders<{ environment: Environment; uuids: readonly string[] }>) =>
    permissionQuery(db, environment)
      .select(["brand.uuid", "brand.customer_uuid"])
      .where(({ eb, fn }) => eb("brand.uuid", "=", fn.any(uuids))),
);
