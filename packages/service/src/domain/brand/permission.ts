/**
 * What the operator lets a brand do now. The mode and the approval `production` decide. The sandbox grants that
 * approval when it creates a brand.
 */
import type { Brand } from "../deps.ts";
import { refuse } from "../failure.ts";

type Permitted = Pick<Brand, "mode" | "approvals">;

/** `read`: get data that the brand may already have, and webhooks. `act`: everything. */
type AccessLevel = "read" | "act";

export function may(brand: Permitted, level: AccessLevel): boolean {
  return obstacle(brand, level) === null;
}

/** Throws 403 if the operator does not let the brand do it. */
export function assertMay(brand: Brand, level: AccessLevel): void {
  const why = obstacle(brand, level);
  if (why !== null) throw refuse(403, why);
}

function obstacle({ mode, approvals }: Permitted, level: AccessLevel): string | null {
  if (!approvals.has("production")) return "The operator has not approved this brand for production.";
  if (mode === "stopped") return "The operator of this service has stopped this brand.";
  return mode === "readOnly" && level === "act" ? "The operator of this service has made this brand read-only." : null;
}
