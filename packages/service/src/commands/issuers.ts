/** Commands about the authorities whose state IDs production accepts. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { dayMs } from "@countersign/contract/time";
import { invalid, refuse } from "../domain/failure.ts";
import { addAuthorities, expiresSoonMs, listAuthorities, removeAuthority } from "../domain/state-id/authority-rows.ts";
import { readOneCertificate, readTrustFile } from "../domain/state-id/trust-list.ts";
import { change, withAdmin } from "./admin.ts";
import { command, exits, printing, text } from "./arguments.ts";
import { print } from "./output.ts";

function contentOf(path: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(path));
  } catch {
    throw invalid([{ path, message: "cannot be read" }]);
  }
}

const add = printing(
  "add",
  "california.pem",
  "aamva.vical --publisher aamva.pem --replace",
  'territory.pem --jurisdiction US-GU --name "Guam"',
)
  .description("trust the root certificates of a file: PEM, DER, or a signed list (VICAL) such as AAMVA's")
  .argument("<file>", "the file", text)
  .option("--publisher <file>", "the certificate of the publisher of a signed list", text)
  .option("--jurisdiction <code>", "the state, such as US-CA, if the certificate does not name it", text)
  .option("--name <name>", "the name that people read, such as California", text)
  .option("--replace", "also remove what a former file of this name added and this one lacks")
  .action(
    exits((path, { publisher, jurisdiction, name, replace, json }) =>
      change(
        {
          command: "issuers add",
          environment: "production",
          action: "stateIds.authoritiesAdded",
          subject: basename(path),
        },
        async ({ home, clock }) => {
          const now = clock.now();
          const authorities = readTrustFile({
            bytes: contentOf(path),
            publisher: publisher === undefined ? undefined : readOneCertificate(contentOf(publisher)),
            ...{ jurisdiction, name, at: now },
          });
          const changed = await addAuthorities(home, authorities, {
            source: basename(path),
            replaces: replace === true,
            now,
          });
          return print({ authorities: authorities.length, ...changed }, { json });
        },
      ),
    ),
  );

const list = printing("list", "")
  .description("list the authorities whose state IDs are accepted, with the expiry of their root certificates")
  .action(
    exits(({ json }) =>
      withAdmin("production", async ({ home, clock }) => {
        const now = clock.now();
        const stateOf = (expiresAt: number) =>
          expiresAt <= now ? "expired" : expiresAt <= now + expiresSoonMs ? "expires soon" : "valid";
        const rows = (await listAuthorities(home)).map((one) => ({
          jurisdiction: one.jurisdiction,
          name: one.name,
          state: stateOf(one.expiresAt),
          expiresAt: new Date(one.expiresAt).toISOString(),
          daysLeft: Math.max(0, Math.floor((one.expiresAt - now) / dayMs)),
          file: one.source,
          certificate: one.fingerprint.toString("hex").slice(0, idLength),
        }));
        return print(rows, { json });
      }),
    ),
  );

/** How many characters of a fingerprint the list shows. */
const idLength = 16;

const remove = printing("remove", "b3c1f0a9d2e44711")
  .description("stop trusting a root certificate; state IDs that it issued are refused from then on")
  .argument("<certificate>", "the certificate, as `countersign issuers list` shows it", text)
  .action(
    exits((id, { json }) =>
      change(
        { command: "issuers remove", environment: "production", action: "stateIds.authorityRemoved", subject: id },
        async ({ home }) => {
          const found = (await listAuthorities(home)).filter(({ fingerprint }) =>
            fingerprint.toString("hex").startsWith(id.toLowerCase()),
          );
          const [one, ...others] = found;
          if (one === undefined || others.length > 0) throw refuse(404, `No single certificate begins with ${id}.`);
          await removeAuthority(home, one.fingerprint);
          return print({ jurisdiction: one.jurisdiction, certificate: id, state: "removed" }, { json });
        },
      ),
    ),
  );

export const issuers = command("issuers")
  .description("manage the authorities whose state IDs production accepts")
  .addCommand(add)
  .addCommand(list)
  .addCommand(remove);
