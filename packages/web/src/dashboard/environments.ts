import type { Environment } from "@countersign/contract/brand";

export type { Environment };
/** Both, in the order in which a brand goes through them. */
export const environmentNames: readonly Environment[] = ["sandbox", "production"];
