/**
 * What the operator lets a brand do now. The mode and the approval `production` decide. The sandbox grants that
 * approval when it creates a brand.
 */
import type { Brand } from "../deps.ts";
import { refuse } from "../failure.ts";

/** `read`: get data that the brand may already have, and webhooks. `act`: everything. */
type Deed = "read" | "act";

export function may(brand: Brand, deed: Deed): boolean {
  return obstacle(brand, deed) === null;
}

/** Throws 403 if the operator does not let the brand do it. */
export function assertMay(brand: Brand, deed: Deed): void {
  const why = obstacle(brand, deed);
  if (why !== null) throw refuse(403, why);
}

function obstacle({ mode, approvals }: Brand, deed: Deed): string | null {
  if (!approvals.has("production")) return "The operator has not approved this brand for production.";
  if (mode === "stopped") return "The operator of this service has stopped this brand.";
  return mode === "readOnly" && deed === "act" ? "The operator of this service has made this brand read-only." : null;
}
