/** Commands about customers and the people who sign in for them. */
import { memberRoles } from "@countersign/contract/member";
import { endSessionsOfPerson } from "../domain/account/session.ts";
import { assertName } from "../domain/brand/name.ts";
import { addMember, openAccount } from "../domain/member/member.ts";
import { signOutEverywhere } from "../domain/member/session.ts";
import { linkFor } from "../domain/member/sign-in.ts";
import { accountsOf } from "./accounts.ts";
import { withAdmin } from "./admin.ts";
import { command, email, environmentOption, exits, oneOf, print, uuid } from "./arguments.ts";

export const customers = command("customers")
  .description("create accounts for customers")
  .addCommand(
    command("create")
      .description("create an account and its first owner")
      .requiredOption("--name <name>", "the customer's name, as people see it in emails", shownName)
      .requiredOption("--email <email>", "the owner's email address", email)
      .action(
        exits(({ name, email }) =>
          withAdmin("sandbox", async (admin) =>
            print(await openAccount(await accountsOf(admin), admin, { name, email })),
          ),
        ),
      ),
  );

export const members = command("members")
  .description("add members to a customer's account")
  .addCommand(
    command("add")
      .description("add a member without an invitation")
      .requiredOption("--customer <uuid>", "the customer", uuid)
      .requiredOption("--email <email>", "the member's email address", email)
      .option("--role <role>", memberRoles.join(", "), oneOf(memberRoles), "owner" as const)
      .action(
        exits(({ customer, email, role }) =>
          withAdmin("sandbox", async (admin) =>
            print(await addMember(await accountsOf(admin), { customerUuid: customer, email, role })),
          ),
        ),
      ),
  );

export const dashboard = command("dashboard")
  .description("give members access to the dashboard")
  .addCommand(
    command("link")
      .description("print a sign-in link for a member; it works once, within 15 minutes")
      .requiredOption("--email <email>", "the member's email address", email)
      .action(
        exits(({ email }) =>
          withAdmin("sandbox", async (admin) => print({ link: await linkFor(await accountsOf(admin), email) })),
        ),
      ),
  );

const endSessions = command("end")
  .description("sign a member out of the dashboard, or a person out of their own page, on all devices")
  .option("--email <email>", "the member's email address", email)
  .option("--person <uuid>", "the person", uuid)
  .addOption(environmentOption());

export const sessions = command("sessions")
  .description("sign members or people out")
  .addCommand(
    endSessions.action(
      exits(({ email, person, environment }) =>
        withAdmin(environment, async (admin) => {
          if (person !== undefined) return print({ ended: await endSessionsOfPerson(admin, person) });
          if (email === undefined) return endSessions.error("error: --email or --person is required");
          return print({ ended: await signOutEverywhere(await accountsOf(admin), email) });
        }),
      ),
    ),
  );

/** A name that people see in texts and emails. */
export function shownName(given: string): string {
  const name = given.trim();
  assertName("--name", name);
  return name;
}
