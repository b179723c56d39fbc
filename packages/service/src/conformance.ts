import { readFile } from "node:fs/promises";
import { invalid } from "./domain/failure.ts";
import { checkIdentitySource } from "./providers/identity-http/conformance.ts";
import { systemClock } from "./providers/sandbox/clock.ts";
import { systemTimer } from "./providers/timer.ts";
import { noNotes } from "./providers/vendor.ts";

/** `countersign conformance identity`: whether an operator's source keeps its promises; exit 1 where it breaks one. */
export async function conformanceIdentity(values: Record<string, string | boolean | undefined>): Promise<number> {
  const text = (name: string): string => {
    const value = values[name];
    if (typeof value !== "string" || value === "") throw invalid([{ path: `--${name}`, message: "is required" }]);
    return value;
  };
  const path = text("secret-file");
  const secret = await readFile(path, "utf8").catch(() => {
    throw invalid([{ path: "--secret-file", message: `${path} cannot be read` }]);
  });
  const tested = {
    url: text("url"),
    secret: secret.trim(),
    known: { phone: text("phone"), birthDate: text("birth-date") },
    unknownPhone: text("unknown-phone"),
  };
  const findings = await checkIdentitySource(tested, { clock: systemClock, timer: systemTimer, notes: noNotes });
  for (const { promise, kept } of findings) process.stdout.write(`${kept ? "kept  " : "BROKEN"} ${promise}\n`);
  return findings.every(({ kept }) => kept) ? 0 : 1;
}
