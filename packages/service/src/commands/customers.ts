/** Commands about customers and the people who sign in for them. */
import { memberRoles } from "@countersign/contract/member";
import { endSessionsOfPerson } from "../domain/account/session.ts";
import { assertName } from "../domain/brand/name.ts";
import { addMember, openAccount } from "../domain/member/member.ts";
import { signOutEverywhere } from "../domain/member/session.ts";
import { linkFor } from "../domain/member/sign-in.ts";
import { accountsOf } from "./accounts.ts";
import { change } from "./admin.ts";
import { command, email, environmentOption, exampleBrand, exits, oneOf, printing, uuid } from "./arguments.ts";
import { print } from "./output.ts";

export const customers = command("customers")
  .description("create accounts for customers")
  .addCommand(
    printing("create", '--name "Pied Piper" --email richard@piedpiper.example')
      .description("create an account and its first owner")
      .requiredOption("--name <name>", "the customer's name, as people see it in emails", shownName)
      .requiredOption("--email <email>", "the owner's email address", email)
      .action(
        exits(({ name, email: address, json }) =>
          change({ command: "customers create", action: "customer.created" }, async (admin, { operator }) =>
            print(await openAccount(await accountsOf(admin, operator), admin, { name, email: address }), { json }),
          ),
        ),
      ),
  );

export const members = command("members")
  .description("add members to a customer's account")
  .addCommand(
    printing("add", `--customer ${exampleBrand.replace("b", "d")} --email jared@piedpiper.example --role viewer`)
      .description("add a member without an invitation")
      .requiredOption("--customer <uuid>", "the customer", uuid)
      .requiredOption("--email <email>", "the member's email address", email)
      .option("--role <role>", memberRoles.join(", "), oneOf(memberRoles), "owner" as const)
      .action(
        exits(({ customer, email: address, role, json }) =>
          change({ command: "members add", action: "member.added", customer }, async (admin, { operator }) => {
            const accounts = await accountsOf(admin, operator);
            return print(await addMember(accounts, { customerUuid: customer, email: address, role }), { json });
          }),
        ),
      ),
  );

export const dashboard = command("dashboard")
  .description("give members access to the dashboard")
  .addCommand(
    printing("link", "--email richard@piedpiper.example")
      .description("print a sign-in link for a member; it works once, within 15 minutes")
      .requiredOption("--email <email>", "the member's email address", email)
      .action(
        exits(({ email: address, json }) =>
          change({ command: "dashboard link", action: "link.created" }, async (admin, { operator }) =>
            print({ link: await linkFor(await accountsOf(admin, operator), address) }, { json }),
          ),
        ),
      ),
  );

const endSessions = printing("end", "--email richard@piedpiper.example", `--person ${exampleBrand.replace("b", "a")}`)
  .description("sign a member out of the dashboard, or a person out of their own page, on all devices")
  .option("--email <email>", "the member's email address", email)
  .option("--person <uuid>", "the person", uuid)
  .addOption(environmentOption());

export const sessions = command("sessions")
  .description("sign members or people out")
  .addCommand(
    endSessions.action(
      exits(async ({ email: address, person, environment, json }) => {
        if (person === undefined && address === undefined)
          return endSessions.error("error: --email or --person is required");
        const changing = { command: "sessions end", environment, action: "session.ended" as const, subject: person };
        return await change(changing, async (admin, { operator }) => {
          if (person !== undefined) {
            const inEach = admin.cells().map((db) => endSessionsOfPerson({ environment, db }, person));
            const ended = (await Promise.all(inEach)).reduce((sum, count) => sum + count, 0);
            return print({ ended }, { json });
          }
          return print({ ended: await signOutEverywhere(await accountsOf(admin, operator), address ?? "") }, { json });
        });
      }),
    ),
  );

/** A name that people see in texts and emails. */
export function shownName(given: string): string {
  const name = given.trim();
  assertName("--name", name);
  return name;
}
