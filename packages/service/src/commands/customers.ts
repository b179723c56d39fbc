/** Commands about customers and the people who sign in for them. */
import { memberRoles } from "@countersign/contract/member";
import { endSessionsOfPerson } from "../domain/account/session.ts";
import { assertName } from "../domain/brand/name.ts";
import { addMember, openAccount } from "../domain/member/open.ts";
import { signOutEverywhere } from "../domain/member/session.ts";
import { linkFor } from "../domain/member/sign-in.ts";
import { accountsOf } from "./accounts.ts";
import { command, email, environmentOption, exits, oneOf, print, uuid } from "./arguments.ts";
import { withLedger } from "./ledger.ts";

export const customers = command("customers")
  .description("open an account for a customer")
  .addCommand(
    command("create")
      .description("open an account, with its first owner")
      .requiredOption("--name <name>", "the customer's name, which people see in emails", shownName)
      .requiredOption("--email <email>", "the owner's email address", email)
      .action(
        exits(({ name, email }) =>
          withLedger("sandbox", async (ledger) =>
            print(await openAccount(await accountsOf(ledger), ledger, { name, email })),
          ),
        ),
      ),
  );

export const members = command("members")
  .description("add people to a customer's account")
  .addCommand(
    command("add")
      .description("add a member, without an invitation")
      .requiredOption("--customer <uuid>", "the customer", uuid)
      .requiredOption("--email <email>", "the member's email address", email)
      .option("--role <role>", memberRoles.join(", "), oneOf(memberRoles), "owner" as const)
      .action(
        exits(({ customer, email, role }) =>
          withLedger("sandbox", async (ledger) =>
            print(await addMember(await accountsOf(ledger), { customerUuid: customer, email, role })),
          ),
        ),
      ),
  );

export const dashboard = command("dashboard")
  .description("let a member into the dashboard")
  .addCommand(
    command("link")
      .description("print a link that signs a member in, once, within 15 minutes")
      .requiredOption("--email <email>", "the member's email address", email)
      .action(
        exits(({ email }) =>
          withLedger("sandbox", async (ledger) => print({ link: await linkFor(await accountsOf(ledger), email) })),
        ),
      ),
  );

const endSessions = command("end")
  .description("sign a member out of the dashboard, or a person out of their own page, on all devices")
  .option("--email <email>", "the member's email address", email)
  .option("--person <uuid>", "the person", uuid)
  .addOption(environmentOption());

export const sessions = command("sessions")
  .description("sign somebody out")
  .addCommand(
    endSessions.action(
      exits(({ email, person, environment }) =>
        withLedger(environment, async (ledger) => {
          if (person !== undefined) return print({ ended: await endSessionsOfPerson(ledger, person) });
          if (email === undefined) return endSessions.error("error: --email or --person is required");
          return print({ ended: await signOutEverywhere(await accountsOf(ledger), email) });
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
