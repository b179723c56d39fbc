import type { IntegrationType } from "@countersign/contract/brand";

/** What a brand with traffic may become. */
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
