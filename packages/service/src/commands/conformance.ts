import { readFile } from "node:fs/promises";
import { invalid } from "../domain/failure.ts";
import { checkIdentitySource } from "../providers/identity-http/conformance.ts";
import { checkRiskSource } from "../providers/risk-http/conformance.ts";
import type { Finding } from "../providers/source-conformance.ts";
import { systemClock } from "../providers/system.ts";
import { systemTimer } from "../providers/timer.ts";
import { noNotes } from "../providers/vendor.ts";

import { text, type Values } from "./arguments.ts";

const ground = { clock: systemClock, timer: systemTimer, notes: noNotes };

/** `countersign conformance identity`: checks that an identity source follows the contract. Exits with 1 if not. */
export async function conformanceIdentity(values: Values): Promise<number> {
  const tested = {
    ...(await sourceOf(values)),
    known: { phone: text(values, "phone"), birthDate: text(values, "birth-date") },
    unknownPhone: text(values, "unknown-phone"),
  };
  return report(await checkIdentitySource(tested, ground));
}

/** `countersign conformance risk`: the same for a risk source. */
export async function conformanceRisk(values: Values): Promise<number> {
  const tested = { ...(await sourceOf(values)), phone: text(values, "phone") };
  return report(await checkRiskSource(tested, ground));
}

async function sourceOf(values: Values): Promise<{ url: string; secret: string }> {
  const path = text(values, "secret-file");
  const secret = await readFile(path, "utf8").catch(() => {
    throw invalid([{ path: "--secret-file", message: `${path} cannot be read` }]);
  });
  return { url: text(values, "url"), secret: secret.trim() };
}

function report(findings: readonly Finding[]): number {
  for (const { promise, kept } of findings) process.stdout.write(`${kept ? "kept  " : "BROKEN"} ${promise}\n`);
  return findings.every(({ kept }) => kept) ? 0 : 1;
}
