/** Commands about brands: their settings, API keys, and the operator's approvals. */
import { readFile, stat } from "node:fs/promises";
import { approvals as approvalNames } from "@countersign/contract/brand";
import { logoBytesMax } from "@countersign/contract/logo";
import { readConfig } from "../config/config.ts";
import { putLogo } from "../domain/brand/logo.ts";
import { type AdminDeps, changeApproval, createBrand, createKey, setMode } from "../domain/brand/manage.ts";
import { invalid } from "../domain/failure.ts";
import { listRequests } from "../domain/member/approvals.ts";
import { approveName, listNameRequests, rejectName } from "../domain/member/name-approval.ts";
import { accountsOf } from "./accounts.ts";
import { withAdmin } from "./admin.ts";
import { command, environmentOption, exits, oneOf, print, text, uuid } from "./arguments.ts";
import { shownName } from "./customers.ts";
import { rotateMaster } from "./production.ts";
import { readReady, walletUrlOf } from "./ready.ts";

/** A command about one brand in one environment. */
function brandCommand(name: string) {
  return command(name).requiredOption("--brand <uuid>", "the brand", uuid).addOption(environmentOption());
}

const createCommand = command("create")
  .description("create a brand and its first API key")
  .requiredOption("--customer <uuid>", "the customer that owns the brand", uuid)
  .requiredOption("--name <name>", "the brand's name, as people see it in texts", shownName)
  .requiredOption("--type <type>", "the integration type", text)
  .addOption(environmentOption())
  .action(
    exits(({ customer, name, type, environment }) =>
      withAdmin(environment, async (admin) =>
        print(
          await createBrand(admin, {
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
  .argument("<file>", "the image file")
  .action(
    exits((file, { brand, environment }) =>
      withAdmin(environment, async (admin) => print(await setLogo(admin, { brandUuid: brand, file }))),
    ),
  );

async function setLogo(admin: AdminDeps, { brandUuid, file }: { brandUuid: string; file: string }) {
  const config = readConfig();
  const walletUrl = walletUrlOf(admin.environment, config, await readReady(config.dataDir));
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  if (size === 0 || size > logoBytesMax)
    throw invalid([{ path: "FILE", message: `must be an image of at most ${logoBytesMax} bytes` }]);
  return await putLogo(admin, { brandUuid, bytes: await readFile(file), walletUrl });
}

const modes = ["active", "readOnly", "stopped"] as const;

const modeCommand = brandCommand("mode")
  .description("limit what a brand can do; every process applies it immediately")
  .argument("<mode>", modes.join(", "), oneOf(modes))
  .action(
    exits((mode, { brand, environment }) =>
      withAdmin(environment, async (admin) => {
        await setMode(admin, { brandUuid: brand, mode });
        return print({ brand, environment, mode });
      }),
    ),
  );

export const brands = command("brands")
  .description("create brands, set their logos, and limit what they can do")
  .addCommand(createCommand)
  .addCommand(logoCommand)
  .addCommand(modeCommand);

export const keys = command("keys")
  .description("create API keys, and rotate the master key")
  .addCommand(
    brandCommand("create")
      .description("create an API key")
      .option("--name <name>", "a name for the key", "key")
      .action(
        exits(({ brand, name, environment }) =>
          withAdmin(environment, async (admin) => print({ apiKey: await createKey(admin, brand, name) })),
        ),
      ),
  )
  .addCommand(rotateMaster);

/** `approve` and `reject`: answers a brand's request for a name. */
function answerCommand(name: string, { approved, description }: { approved: boolean; description: string }) {
  return command(name)
    .description(description)
    .requiredOption("--request <uuid>", "the request's UUID, as `approvals names` prints it", uuid)
    .action(
      exits(({ request }) =>
        withAdmin("production", async (admin) => {
          const accounts = await accountsOf(admin);
          await (approved ? approveName(accounts, admin, request) : rejectName(accounts, request));
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
        withAdmin(environment, async (admin) => {
          await changeApproval(admin, { brandUuid: brand, approval, granted });
          return print({ brand, approval, granted });
        }),
      ),
    );
}

export const approvals = command("approvals")
  .description("review what brands request, and grant or revoke approvals")
  .addCommand(
    command("requests")
      .description("list the approvals that brands have requested")
      .action(exits(() => withAdmin("sandbox", async (admin) => print(await listRequests(await accountsOf(admin)))))),
  )
  .addCommand(
    command("names")
      .description("list the names that wait for approval, with the current names")
      .action(
        exits(() => withAdmin("production", async (admin) => print(await listNameRequests(await accountsOf(admin))))),
      ),
  )
  .addCommand(answerCommand("approve", { approved: true, description: "approve a requested name" }))
  .addCommand(answerCommand("reject", { approved: false, description: "reject a requested name" }))
  .addCommand(approvalCommand("grant", { granted: true, description: "grant an approval to a brand" }))
  .addCommand(approvalCommand("revoke", { granted: false, description: "revoke an approval of a brand" }));
