import type { Environment } from "@countersign/contract/brand";

export type { Environment };
/** Both environments, in the order in which a brand uses them. */
export const environmentNames: readonly Environment[] = ["sandbox", "production"];
