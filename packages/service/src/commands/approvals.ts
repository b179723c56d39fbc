/** Commands with which the operator answers brands' requests. */
import { writeFile } from "node:fs/promises";
import { approvals as approvalNames, type Environment } from "@countersign/contract/brand";
import { changeApproval } from "../domain/brand/manage.ts";
import { listRequests } from "../domain/member/approvals.ts";
import { approveName, listNameRequests, rejectName, requestedLogo } from "../domain/member/name-approval.ts";
import { accountsOf } from "./accounts.ts";
import { change, withAdmin } from "./admin.ts";
import { command, exampleBrand, exits, oneOf, printing, uuid } from "./arguments.ts";
import { brandCommand } from "./brands.ts";
import { print } from "./output.ts";

const requests = printing("requests", "")
  .description("list the approvals that brands have requested")
  .action(
    exits(({ json }) =>
      withAdmin("sandbox", async ({ home }) => print(await listRequests({ home }), { json, isWhole: true })),
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

type Answer = { action: "name.approved" | "name.rejected"; description: string };

/** `approve` and `reject`: answer a request for a name. */
function answerCommand(name: "approve" | "reject", { action, description }: Answer) {
  return printing(name, `--request ${exampleBrand.replace("b", "e")}`)
    .description(description)
    .requiredOption("--request <uuid>", "the request's UUID, as `countersign approvals names` shows it", uuid)
    .action(
      exits(({ request, json }) =>
        change({ command: `approvals ${name}`, environment: "production", action }, async (admin, { operator }) => {
          const accounts = await accountsOf(admin, operator);
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
  return brandCommand(name, "--environment production production")
    .description(description)
    .argument("<approval>", approvalNames.join(", "), oneOf(approvalNames))
    .action(
      exits((approval, { brand, environment, json }) => {
        const action = granted ? ("approval.granted" as const) : ("approval.revoked" as const);
        const changing = { command: `approvals ${name}`, environment, action, brand, subject: approval };
        return change(changing, async (admin, { note }) => {
          await changeApproval(admin, { brandUuid: brand, approval, granted }, note);
          return print({ brand, approval, granted }, { json });
        });
      }),
    );
}

export const approvals = command("approvals")
  .description("review what brands request, and grant or revoke approvals")
  .addCommand(requests)
  .addCommand(names)
  .addCommand(logo)
  .addCommand(answerCommand("approve", { action: "name.approved", description: "approve a requested name or logo" }))
  .addCommand(answerCommand("reject", { action: "name.rejected", description: "reject a requested name or logo" }))
  .addCommand(approvalCommand("grant", "grant an approval to a brand"))
  .addCommand(approvalCommand("revoke", "revoke an approval of a brand"));
