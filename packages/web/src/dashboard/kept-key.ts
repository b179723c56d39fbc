/** Keys that were made or pasted since the page was opened: kept in its memory alone, so that guides can be filled in. */
import type { Environment } from "./environments.ts";

const kept = new Map<string, string>();
const nameOf = (brand: string, environment: Environment) => `${environment}/${brand}`;

export function keepKey(brand: string, environment: Environment, apiKey: string): void {
  kept.set(nameOf(brand, environment), apiKey);
}

export function keptKey(brand: string, environment: Environment): string | null {
  return kept.get(nameOf(brand, environment)) ?? null;
}

/** A key as it is pasted into commands: nothing that a shell would take for more than a word. */
export function isKey(text: string, environment: Environment): boolean {
  return new RegExp(`^sk_${environment}_[A-Za-z0-9_]{1,100}$`).test(text);
}
