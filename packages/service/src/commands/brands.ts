/** Commands about brands: their settings, API keys, and the operator's approvals. */
import { readFile, stat } from "node:fs/promises";
import { approvals as approvalNames } from "@countersign/contract/brand";
import { logoBytesMax } from "@countersign/contract/logo";
import { readConfig } from "../config/config.ts";
import { putLogo } from "../domain/brand/logo.ts";
import { changeApproval, createBrand, createKey, type Ledger, setMode } from "../domain/brand/manage.ts";
import { invalid } from "../domain/failure.ts";
import { listRequests } from "../domain/member/approvals.ts";
import { approveName, listNameRequests, rejectName } from "../domain/member/names.ts";
import { accountsOf } from "./accounts.ts";
import { command, environmentOption, exits, oneOf, print, text, uuid } from "./arguments.ts";
import { shownName } from "./customers.ts";
import { withLedger } from "./ledger.ts";
import { rotateMaster } from "./production.ts";
import { readReady, walletUrlOf } from "./ready.ts";

/** A command about one brand in one environment. */
function brandCommand(name: string) {
  return command(name).requiredOption("--brand <uuid>", "the brand", uuid).addOption(environmentOption());
}

const createCommand = command("create")
  .description("create a brand, with its first API key")
  .requiredOption("--customer <uuid>", "the customer that owns it", uuid)
  .requiredOption("--name <name>", "its name, which people see in texts", shownName)
  .requiredOption("--type <type>", "its integration type", text)
  .addOption(environmentOption())
  .action(
    exits(({ customer, name, type, environment }) =>
      withLedger(environment, async (ledger) =>
        print(
          await createBrand(ledger, {
            customerUuid: customer,
            name,
            settings: { integrationType: type },
            approvals: environment === "sandbox" ? approvalNames : [],
          }),
        ),
      ),
    ),
  );

const logoCommand = brandCommand("logo")
  .description("set a brand's logo: a PNG or JPEG of at most 200 KB")
  .argument("<file>", "the picture")
  .action(
    exits((file, { brand, environment }) =>
      withLedger(environment, async (ledger) => print(await setLogo(ledger, { brandUuid: brand, file }))),
    ),
  );

async function setLogo(ledger: Ledger, { brandUuid, file }: { brandUuid: string; file: string }) {
  const config = readConfig();
  const walletUrl = walletUrlOf(ledger.environment, config, await readReady(config.dataDir));
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  if (size === 0 || size > logoBytesMax)
    throw invalid([{ path: "FILE", message: `must be a picture of at most ${logoBytesMax} bytes` }]);
  return await putLogo(ledger, { brandUuid, bytes: await readFile(file), walletUrl });
}

const modes = ["active", "readOnly", "stopped"] as const;

const modeCommand = brandCommand("mode")
  .description("limit what a brand may do, at once and in every process")
  .argument("<mode>", modes.join(", "), oneOf(modes))
  .action(
    exits((mode, { brand, environment }) =>
      withLedger(environment, async (ledger) => {
        await setMode(ledger, { brandUuid: brand, mode });
        return print({ brand, environment, mode });
      }),
    ),
  );

export const brands = command("brands")
  .description("create a brand, set its logo, or limit what it may do")
  .addCommand(createCommand)
  .addCommand(logoCommand)
  .addCommand(modeCommand);

export const keys = command("keys")
  .description("create API keys, and change the master key")
  .addCommand(
    brandCommand("create")
      .description("create an API key")
      .option("--name <name>", "a name for the key", "key")
      .action(
        exits(({ brand, name, environment }) =>
          withLedger(environment, async (ledger) => print({ apiKey: await createKey(ledger, brand, name) })),
        ),
      ),
  )
  .addCommand(rotateMaster);

/** `approve` and `reject`: answers a brand's request for a name. */
function answerCommand(name: string, { approved, description }: { approved: boolean; description: string }) {
  return command(name)
    .description(description)
    .requiredOption("--request <uuid>", "the request, as `approvals names` prints it", uuid)
    .action(
      exits(({ request }) =>
        withLedger("production", async (ledger) => {
          const accounts = await accountsOf(ledger);
          await (approved ? approveName(accounts, ledger, request) : rejectName(accounts, request));
          return print({ request, approved });
        }),
      ),
    );
}

/** `grant` and `revoke`: changes what a brand is allowed to do. */
function approvalCommand(name: string, { granted, description }: { granted: boolean; description: string }) {
  return brandCommand(name)
    .description(description)
    .argument("<approval>", approvalNames.join(", "), oneOf(approvalNames))
    .action(
      exits((approval, { brand, environment }) =>
        withLedger(environment, async (ledger) => {
          await changeApproval(ledger, { brandUuid: brand, approval, granted });
          return print({ brand, approval, granted });
        }),
      ),
    );
}

export const approvals = command("approvals")
  .description("what brands ask the operator for, and what they are allowed to do")
  .addCommand(
    command("requests")
      .description("list the approvals that brands have requested")
      .action(
        exits(() => withLedger("sandbox", async (ledger) => print(await listRequests(await accountsOf(ledger))))),
      ),
  )
  .addCommand(
    command("names")
      .description("list the names that wait for approval, beside those in use")
      .action(
        exits(() =>
          withLedger("production", async (ledger) => print(await listNameRequests(await accountsOf(ledger)))),
        ),
      ),
  )
  .addCommand(answerCommand("approve", { approved: true, description: "use a requested name" }))
  .addCommand(answerCommand("reject", { approved: false, description: "refuse a requested name" }))
  .addCommand(approvalCommand("grant", { granted: true, description: "allow a brand something" }))
  .addCommand(approvalCommand("revoke", { granted: false, description: "stop allowing it" }));
