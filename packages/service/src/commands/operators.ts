/** Commands about the people who sign in to the operator's console. */
import { operatorRoles } from "@countersign/contract/operator-role";
import { inviteOperator, listOperators, removeOperator } from "../domain/operator/operators.ts";
import { accountsOf } from "./accounts.ts";
import { change, withAdmin } from "./admin.ts";
import { command, email, exampleBrand, exits, oneOf, printing, uuid } from "./arguments.ts";
import { shownName } from "./customers.ts";
import { print } from "./output.ts";

const invite = printing("invite", '--email gavin@operator.example --name "Gavin Belson" --role support')
  .description("print a link with which a person adds a passkey for the console; it works once, within a day")
  .requiredOption("--email <email>", "the person's email address", email)
  .requiredOption("--name <name>", "the person's name, as the audit log shows it", shownName)
  .requiredOption("--role <role>", operatorRoles.join(" or "), oneOf(operatorRoles))
  .action(
    exits(({ email: address, name, role, json }) =>
      change({ command: "operators invite", action: "operator.invited" }, async (admin, { operator }) => {
        const accounts = await accountsOf(admin, operator);
        const { uuid: invited, link } = await inviteOperator(accounts, { email: address, name, role });
        return print({ operator: invited, link }, { json });
      }),
    ),
  );

const list = printing("list", "")
  .description("list the people who may use the console")
  .action(
    exits(({ json }) =>
      withAdmin("sandbox", async (admin) => {
        const accounts = await accountsOf(admin, { requestId: "", call: "" });
        return print(await listOperators(accounts), { json });
      }),
    ),
  );

const remove = printing("remove", `--operator ${exampleBrand.replace("b", "a")}`)
  .description("end a person's access to the console, with their sessions, passkeys and invitation")
  .requiredOption("--operator <uuid>", "the person, as `countersign operators list` shows it", uuid)
  .action(
    exits(({ operator: who, json }) =>
      change({ command: "operators remove", action: "operator.removed" }, async (admin, { operator }) => {
        await removeOperator(await accountsOf(admin, operator), who);
        return print({ operator: who, state: "removed" }, { json });
      }),
    ),
  );

export const operators = command("operators")
  .description("invite, list and remove the people who use the operator's console")
  .addCommand(invite)
  .addCommand(list)
  .addCommand(remove);
