/** Keys that the member created or pasted since the page was loaded. They are kept in memory only, for the guides. */
import type { Environment } from "@countersign/contract/brand";

const kept = new Map<string, string>();
const nameOf = (brand: string, environment: Environment) => `${environment}/${brand}`;

export function keepKey(brand: string, environment: Environment, apiKey: string): void {
  kept.set(nameOf(brand, environment), apiKey);
}

export function keptKey(brand: string, environment: Environment): string | null {
  return kept.get(nameOf(brand, environment)) ?? null;
}

/** Whether a text is a key of this environment. The pattern excludes characters that a shell would interpret. */
export function isKey(text: string, environment: Environment): boolean {
  return new RegExp(`^sk_${environment}_[A-Za-z0-9_]{1,100}$`).test(text);
}
