/** Commands with which the operator answers brands' requests. */
import { writeFile } from "node:fs/promises";
import { approvals as approvalNames, type Environment } from "@countersign/contract/brand";
import { changeApproval } from "../domain/brand/manage.ts";
import { listRequests, refuseProduction } from "../domain/member/approvals.ts";
import { approveName, listNameRequests, rejectName, requestedLogo } from "../domain/member/name-approval.ts";
import { accountsOf } from "./accounts.ts";
import { change, withAdmin } from "./admin.ts";
import { brandId, command, exampleBrand, exits, oneOf, printing, text, uuid } from "./arguments.ts";
import { brandCommandIn } from "./brands.ts";
import { print } from "./output.ts";

const requests = printing("requests", "")
  .description("list the brands that ask for approval, with what the service checked and what they confirmed")
  .action(
    exits(({ json }) =>
      withAdmin("sandbox", async (admin) => print(await listRequests(admin), { json, isWhole: true })),
    ),
  );

const names = printing("names", "")
  .description("list the names and logos that wait for approval, with the current ones")
  .action(
    exits(({ json }) =>
      withAdmin("production", async ({ home }) => print(await listNameRequests({ home }), { json, isWhole: true })),
    ),
  );

const logo = printing("logo", `--request ${exampleBrand.replace("b", "e")} logo.png`)
  .description("save the picture of a logo that waits for approval, to look at it")
  .requiredOption("--request <uuid>", "the request's UUID, as `countersign approvals names` shows it", uuid)
  .argument("<file>", "where to save it")
  .action(
    exits((file, { request, json }) =>
      withAdmin("production", async (admin) => {
        const { type, bytes } = await requestedLogo(await accountsOf(admin, { requestId: "", call: "" }), request);
        await writeFile(file, bytes);
        return print({ request, file, type, bytes: bytes.length }, { json });
      }),
    ),
  );

const refuse = printing("refuse", `--brand ${exampleBrand} --reason "The redirect URL is another company's."`)
  .description("refuse a brand's request for production; it can ask again")
  .requiredOption("--brand <uuid>", "the brand, as `countersign approvals requests` shows it", brandId)
  .requiredOption("--reason <text>", "why; the brand reads it", text)
  .action(
    exits(({ brand, reason, json }) =>
      change(
        { command: "approvals refuse", environment: "production", action: "approval.refused", brand },
        async (admin, { operator }) => {
          await refuseProduction(await accountsOf(admin, operator), brand, reason);
          return print({ brand, refused: true }, { json });
        },
      ),
    ),
  );

type Answer = { action: "name.approved" | "name.rejected"; description: string };

/** `approve` and `reject`: answer a request for a name. */
function answerCommand(name: "approve" | "reject", { action, description }: Answer) {
  return printing(name, `--request ${exampleBrand.replace("b", "e")}`)
    .description(description)
    .requiredOption("--request <uuid>", "the request's UUID, as `countersign approvals names` shows it", uuid)
    .option("--reason <text>", "why; the brand can read it", text)
    .action(
      exits(({ request, reason, json }) =>
        change({ command: `approvals ${name}`, environment: "production", action }, async (admin, { operator }) => {
          const accounts = await accountsOf(admin, { ...operator, reason });
          const approved = name === "approve";
          const adminOf = (environment: Environment) => ({
            ...admin,
            environment,
            loopbackRedirects: environment === "sandbox",
          });
          await (approved ? approveName(accounts, adminOf, request) : rejectName(accounts, request));
          return print({ request, approved }, { json });
        }),
      ),
    );
}

/** `grant` and `revoke`: change what a brand may do. */
function approvalCommand(name: "grant" | "revoke", description: string) {
  const granted = name === "grant";
  return brandCommandIn(name, "production")
    .description(description)
    .argument("<approval>", approvalNames.join(", "), oneOf(approvalNames))
    .action(
      exits((approval, { brand, environment, json }) => {
        const action = granted ? ("approval.granted" as const) : ("approval.revoked" as const);
        const changing = { command: `approvals ${name}`, environment, action, brand, subject: approval };
        return change(changing, async (admin, { by }) => {
          await changeApproval(admin, { brandUuid: brand, approval, granted }, by);
          return print({ brand, environment, approval, granted }, { json });
        });
      }),
    );
}

export const approvals = command("approvals")
  .description("review what brands request, and grant or revoke approvals")
  .addCommand(requests)
  .addCommand(refuse)
  .addCommand(names)
  .addCommand(logo)
  .addCommand(answerCommand("approve", { action: "name.approved", description: "approve a requested name or logo" }))
  .addCommand(answerCommand("reject", { action: "name.rejected", description: "reject a requested name or logo" }))
  .addCommand(approvalCommand("grant", "grant an approval to a brand"))
  .addCommand(approvalCommand("revoke", "revoke an approval of a brand"));
