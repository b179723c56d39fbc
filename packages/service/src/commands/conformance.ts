import { readFile } from "node:fs/promises";
import { invalid } from "../domain/failure.ts";
import { checkIdentitySource } from "../providers/identity-http/conformance.ts";
import { checkRiskSource } from "../providers/risk-http/conformance.ts";
import type { Finding } from "../providers/source-conformance.ts";
import { systemClock } from "../providers/system.ts";
import { systemTimer } from "../providers/timer.ts";
import { noNotes } from "../providers/vendor.ts";
import { command, exits, text } from "./arguments.ts";

const tools = { clock: systemClock, timer: systemTimer, notes: noNotes };

type SourceOptions = { url: string; secretFile: string; phone: string };
type IdentityOptions = SourceOptions & { birthDate: string; unknownPhone: string };

const common = "--url https://source.example/ask --secret-file ./secret --phone +12125550010";

function sourceCommand(name: string, ...examples: string[]) {
  return command(name, ...examples)
    .description(`test a source's ${name} API, and exit with 1 if a check fails`)
    .requiredOption("--url <url>", "the source's URL", text)
    .requiredOption("--secret-file <file>", "a file with the secret that the source and this service share", text)
    .requiredOption("--phone <phone>", "a phone that the source knows", text);
}

export const conformance = command("conformance")
  .description("test an identity source or a risk source of your own")
  .addCommand(
    sourceCommand("identity", `${common} --birth-date 1985-04-12 --unknown-phone +12125550999`)
      .requiredOption("--birth-date <date>", "the birth date of the person with that phone", text)
      .requiredOption("--unknown-phone <phone>", "a phone that the source does not know", text)
      .action(exits(conformanceIdentity)),
  )
  .addCommand(sourceCommand("risk", common).action(exits(conformanceRisk)));

export async function conformanceIdentity({ birthDate, unknownPhone, ...source }: IdentityOptions): Promise<number> {
  const known = { phone: source.phone, birthDate };
  return report(await checkIdentitySource({ ...(await sourceOf(source)), known, unknownPhone }, tools));
}

export async function conformanceRisk(source: SourceOptions): Promise<number> {
  return report(await checkRiskSource({ ...(await sourceOf(source)), phone: source.phone }, tools));
}

async function sourceOf({ url, secretFile: path }: SourceOptions): Promise<{ url: string; secret: string }> {
  const secret = await readFile(path, "utf8").catch(() => {
    throw invalid([{ path: "--secret-file", message: `${path} cannot be read` }]);
  });
  return { url, secret: secret.trim() };
}

function report(findings: readonly Finding[]): number {
  for (const { promise, kept } of findings) process.stdout.write(`${kept ? "pass" : "FAIL"}  ${promise}\n`);
  return findings.every(({ kept }) => kept) ? 0 : 1;
}
