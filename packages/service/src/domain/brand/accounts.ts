import type { Environment } from "@countersign/contract/brand";
import type { Reader } from "../../store/database.ts";
import type { Brand } from "../deps.ts";
import { findBrand } from "./store.ts";

/** A brand of this customer; null for an unknown brand or another customer's. */
export async function findOwnBrand(
  reader: Reader,
  environment: Environment,
  customerUuid: string,
  brandUuid: string,
): Promise<Brand | null> {
  const brand = await findBrand(reader, environment, brandUuid);
  return brand?.customerUuid === customerUuid ? brand : null;
}

export async function brandsOf(reader: Reader, customerUuid: string): Promise<string[]> {
  const rows = await reader.selectFrom("brand").select("uuid").where("customer_uuid", "=", customerUuid).execute();
  return rows.map((row) => row.uuid);
}
