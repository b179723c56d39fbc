import type { IntegrationType } from "@countersign/contract/brand";

/** The integration types that a brand with traffic may change to. */
const paths: Record<IntegrationType, readonly IntegrationType[]> = {
  v1: ["hosted", "semiHosted", "nonHosted"],
  hosted: ["sdk"],
  semiHosted: ["api"],
  nonHosted: ["api"],
  sdk: [],
  api: [],
};

export function mayBecome(from: IntegrationType, to: IntegrationType, hasTraffic: boolean): boolean {
  return from === to || !hasTraffic || paths[from].includes(to);
}
