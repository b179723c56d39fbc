import type { Indexes } from "../build-indexes.ts";

/** For the count of a brand's lookups that have no result yet. */
export const openLookups: Indexes = {
  health_lookup_open: "health_lookup (brand_uuid) where state in ('pending', 'processing')",
};
