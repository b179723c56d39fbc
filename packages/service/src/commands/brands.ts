/** Commands about brands, and the options that every command about one brand has. */
import { readFile } from "node:fs/promises";
import { approvals, environments, integrationTypes } from "@countersign/contract/brand";
import { logoBytesMax } from "@countersign/contract/logo";
import { readConfig } from "../config/config.ts";
import { listBrandStates } from "../domain/brand/brand-rows.ts";
import { putLogo } from "../domain/brand/logo.ts";
import { changeSettings, createBrand, setMode } from "../domain/brand/manage.ts";
import { invalid } from "../domain/failure.ts";
import { change, withAdmin } from "./admin.ts";
import { brandId, command, environmentOption, exampleBrand, exits, oneOf, printing, text, uuid } from "./arguments.ts";
import { shownName } from "./customers.ts";
import { print } from "./output.ts";
import { readReady, walletUrlOf } from "./ready.ts";

/** A command about one brand in one environment. */
export function brandCommand(name: string, ...examples: string[]) {
  return printing(name, ...examples.map((rest) => `--brand ${exampleBrand}${rest === "" ? "" : ` ${rest}`}`))
    .requiredOption("--brand <uuid>", "the brand, as `countersign brands list` shows it", brandId)
    .addOption(environmentOption());
}

/** Like `brandCommand`, where a change or an answer in the wrong environment would mislead. */
export function brandCommandIn(name: string, ...examples: string[]) {
  const inProduction = examples.map((rest) => `--brand ${exampleBrand} --environment production ${rest}`.trimEnd());
  return printing(name, ...inProduction)
    .requiredOption("--brand <uuid>", "the brand, as `countersign brands list` shows it", brandId)
    .requiredOption("--environment <environment>", environments.join(" or "), oneOf(environments));
}

const list = printing("list", "", `--customer ${exampleBrand.replace("b", "d")}`)
  .description("list brands, with the settings' version in each environment, and the customers that own them")
  .option("--customer <uuid>", "only this customer's brands", uuid)
  .action(
    exits(({ customer, json }) =>
      withAdmin("sandbox", async ({ home }) => {
        const states = await listBrandStates(home, customer ?? null);
        const rows = states.map(({ uuid: brand, name, environment, integrationType, mode, version, customer }) => {
          return { brand, name, environment, type: integrationType, mode, version, customer };
        });
        return print(rows, { json });
      }),
    ),
  );

const create = printing("create", `--customer ${exampleBrand.replace("b", "d")} --name "Pied Piper" --type api`)
  .description("create a brand and its first API key, which is shown once; a brand in production also gets a sandbox")
  .requiredOption(
    "--customer <uuid>",
    "the customer that owns the brand, as `countersign customers list` shows it",
    uuid,
  )
  .requiredOption("--name <name>", "the brand's name, as people see it in texts", shownName)
  .requiredOption("--type <type>", `the integration type: ${integrationTypes.join(", ")}`, text)
  .addOption(environmentOption())
  .action(
    exits(({ customer, name, type, environment, json }) =>
      change({ command: "brands create", environment, action: "brand.created", customer }, async (admin, { by }) => {
        const { uuid, apiKey, settings } = await createBrand(admin, {
          customerUuid: customer,
          name,
          settings: { integrationType: type },
          approvals: environment === "sandbox" ? approvals : [],
          withSandbox: environment === "production",
          by,
          recorded: { environment, subject: type },
        });
        return print({ brand: uuid, environment, apiKey, settings }, { json });
      }),
    ),
  );

const logo = brandCommand("logo", "logo.png")
  .description("set a brand's logo: a PNG or JPEG of at most 200 KB")
  .argument("<file>", "the image file")
  .action(
    exits(async (file, { brand, environment, json }) => {
      const bytes = await readPicture(file);
      const changing = { command: "brands logo", environment, action: "settings.changed" as const, brand };
      return await change(changing, async (admin, { by }) => {
        const config = readConfig();
        const walletUrl = walletUrlOf(environment, config, await readReady(config.dataDir));
        const put = await putLogo(admin, { brandUuid: brand, bytes, walletUrl }, { by });
        return print({ brand, environment, ...put }, { json });
      });
    }),
  );

/** Why a file cannot be read, by the system's error code. */
const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EISDIR: "is a folder, not a file",
  EACCES: "may not be read by this user",
};

async function readPicture(file: string): Promise<Buffer> {
  const problem = (message: string) => invalid([{ path: file, message }]);
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw problem(fileProblems[error.code ?? ""] ?? `cannot be read: ${error.message}`);
  });
  if (bytes.length === 0) throw problem("is empty");
  if (bytes.length > logoBytesMax) throw problem(`has ${bytes.length} bytes: a logo has at most ${logoBytesMax} bytes`);
  return bytes;
}

export const brandModes = ["active", "readOnly", "stopped"] as const;

const mode = brandCommandIn("mode", "stopped")
  .description("limit what a brand can do; every process applies it immediately")
  .argument("<mode>", brandModes.join(", "), oneOf(brandModes))
  .action(
    exits((wanted, { brand, environment, json }) =>
      change(
        { command: "brands mode", environment, action: "brand.limited", brand, subject: wanted },
        async (admin, { by }) => {
          await setMode(admin, { brandUuid: brand, mode: wanted }, by);
          return print({ brand, environment, mode: wanted }, { json });
        },
      ),
    ),
  );

const declarations = ["declared", "withdrawn"] as const;

const consent = brandCommandIn("consent", "declared")
  .description("declare for a brand that people see the required sentence before they continue, or withdraw that")
  .argument("<declaration>", declarations.join(", "), oneOf(declarations))
  .action(
    exits((wanted, { brand, environment, json }) =>
      change({ command: "brands consent", environment, action: "settings.changed", brand }, async (admin, { by }) => {
        const declared = wanted === "declared";
        await changeSettings(admin, brand, { consent: { declared } }, { by });
        return print({ brand, environment, consentDeclared: declared }, { json });
      }),
    ),
  );

export const brands = command("brands")
  .description("list and create brands, set their logos, declare their consent, and limit what they can do")
  .addCommand(list)
  .addCommand(create)
  .addCommand(logo)
  .addCommand(consent)
  .addCommand(mode);
