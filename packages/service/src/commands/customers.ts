/** Commands about customers and the people who sign in for them. */
import { environments } from "@countersign/contract/brand";
import { memberRoles } from "@countersign/contract/member";
import { endSessionsOfPerson } from "../domain/account/session.ts";
import { listCustomers } from "../domain/brand/customer-rows.ts";
import { assertName } from "../domain/brand/name.ts";
import { removeByOperator, signOutEverywhere } from "../domain/member/end-access.ts";
import { addMember, openAccount } from "../domain/member/member.ts";
import { listMembers } from "../domain/member/member-rows.ts";
import { removePasskeyByOperator } from "../domain/member/passkey.ts";
import { havePasskeys, listPasskeys } from "../domain/member/passkey-rows.ts";
import { linkFor } from "../domain/member/sign-in.ts";
import { accountsOf } from "./accounts.ts";
import { change, withAdmin } from "./admin.ts";
import { command, email, exampleBrand, exits, oneOf, printing, uuid } from "./arguments.ts";
import { print } from "./output.ts";

const exampleCustomer = exampleBrand.replace("b", "d");
const exampleMember = exampleBrand.replace("b", "e");
const customerOption = "the customer, as `countersign customers list` shows it";
/** For commands that only read. */
const unrecorded = { requestId: "", call: "" };

export const customers = command("customers")
  .description("create and list accounts of customers")
  .addCommand(
    printing("list", "")
      .description("list all customers, also those without a brand")
      .action(
        exits(({ json }) =>
          withAdmin("sandbox", async ({ home }) => {
            const rows = (await listCustomers(home)).map(({ uuid: customer, name, createdAt }) => {
              return { customer, name, createdAt: new Date(createdAt).toISOString() };
            });
            return print(rows, { json });
          }),
        ),
      ),
  )
  .addCommand(
    printing("create", '--name "Pied Piper" --email richard@piedpiper.example')
      .description("create an account and its first owner")
      .requiredOption("--name <name>", "the customer's name, as people see it in emails", shownName)
      .requiredOption("--email <email>", "the owner's email address", email)
      .action(
        exits(({ name, email: address, json }) =>
          change({ command: "customers create", action: "customer.created" }, async (admin, { operator }) => {
            const accounts = await accountsOf(admin, operator);
            const { uuid: customer } = await openAccount(accounts, admin, { name, email: address });
            return print({ customer }, { json });
          }),
        ),
      ),
  );

export const members = command("members")
  .description("add, list and remove the members of a customer's account")
  .addCommand(
    printing("list", `--customer ${exampleCustomer}`)
      .description("list the members of an account and the people who are invited")
      .requiredOption("--customer <uuid>", customerOption, uuid)
      .action(
        exits(({ customer, json }) =>
          withAdmin("sandbox", async (admin) => {
            const accounts = await accountsOf(admin, unrecorded);
            const found = await listMembers(accounts, admin.home, customer);
            const withPasskey =
              found.length === 0
                ? new Set()
                : await havePasskeys(
                    admin.home,
                    found.map((one) => one.uuid),
                  );
            const rows = found.map(({ uuid: member, email: address, role, joinedAt }) => ({
              member,
              email: address,
              role,
              state: joinedAt === null ? "invited" : "member",
              passkeys: withPasskey.has(member),
            }));
            return print(rows, { json });
          }),
        ),
      ),
  )
  .addCommand(
    printing("remove", `--member ${exampleMember}`)
      .description("remove a member, with their sessions, passkeys, links and the invitations that they sent")
      .requiredOption("--member <uuid>", "the member, as `countersign members list` shows it", uuid)
      .action(
        exits(({ member, json }) =>
          change({ command: "members remove", action: "member.removed" }, async (admin, { operator }) =>
            print(await removeByOperator(await accountsOf(admin, operator), member), { json }),
          ),
        ),
      ),
  )
  .addCommand(
    printing("add", `--customer ${exampleCustomer} --email jared@piedpiper.example --role viewer`)
      .description("add a member without an invitation")
      .requiredOption("--customer <uuid>", customerOption, uuid)
      .requiredOption("--email <email>", "the member's email address", email)
      .option("--role <role>", memberRoles.join(", "), oneOf(memberRoles), "owner" as const)
      .action(
        exits(({ customer, email: address, role, json }) =>
          change({ command: "members add", action: "member.added", customer }, async (admin, { operator }) => {
            const accounts = await accountsOf(admin, operator);
            const { uuid: member } = await addMember(accounts, { customerUuid: customer, email: address, role });
            return print({ member, email: address, role }, { json });
          }),
        ),
      ),
  );

/** A command about one member. */
const memberCommand = (name: string, rest = "") =>
  printing(name, `--member ${exampleMember}${rest}`).requiredOption(
    "--member <uuid>",
    "the member, as `countersign members list` shows it",
    uuid,
  );

export const passkeys = command("passkeys")
  .description("list and remove the passkeys of members")
  .addCommand(
    memberCommand("list")
      .description("list a member's passkeys")
      .action(
        exits(({ member, json }) =>
          withAdmin("sandbox", async ({ home }) => {
            const rows = (await listPasskeys(home, member)).map(({ uuid: passkey, name, ...line }) => ({
              passkey,
              name,
              createdAt: new Date(line.createdAt).toISOString(),
              lastUsedAt: line.lastUsedAt === null ? null : new Date(line.lastUsedAt).toISOString(),
            }));
            return print(rows, { json });
          }),
        ),
      ),
  )
  .addCommand(
    memberCommand("remove", ` --passkey ${exampleBrand.replace("b", "f")}`)
      .description("remove a passkey; the member gets an email")
      .requiredOption("--passkey <uuid>", "the passkey, as `countersign passkeys list` shows it", uuid)
      .action(
        exits(({ member, passkey, json }) =>
          change({ command: "passkeys remove", action: "passkey.deleted" }, async (admin, { operator }) => {
            const accounts = await accountsOf(admin, operator);
            await removePasskeyByOperator(accounts, { memberUuid: member, uuid: passkey });
            return print({ member, passkey, state: "removed" }, { json });
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

const endSessions = printing(
  "end",
  "--email richard@piedpiper.example",
  `--person ${exampleBrand.replace("b", "a")} --environment production`,
)
  .description(
    "sign a member out of the dashboard, or a person out of their own page, on all devices; a member also loses " +
      "passkeys, links and the invitations that they sent",
  )
  .option("--email <email>", "the member's email address", email)
  .option("--person <uuid>", "the person", uuid)
  .option("--environment <environment>", `the person's: ${environments.join(" or ")}`, oneOf(environments));

export const sessions = command("sessions")
  .description("sign members or people out")
  .addCommand(
    endSessions.action(
      exits(async ({ email: address, person, environment, json }) => {
        if ((person === undefined) === (address === undefined))
          return endSessions.error("error: give either --email, for a member, or --person");
        if ((person === undefined) !== (environment === undefined))
          return endSessions.error("error: --person needs --environment, and --email has none");
        const changing = { command: "sessions end", action: "session.ended" as const, subject: person };
        return await change({ ...changing, ...(environment && { environment }) }, async (admin, { operator }) => {
          if (person === undefined || environment === undefined)
            return print(await signOutEverywhere(await accountsOf(admin, operator), address ?? ""), { json });
          const inEach = admin.cells().map((db) => endSessionsOfPerson({ environment, db }, person));
          const ended = (await Promise.all(inEach)).reduce((sum, count) => sum + count, 0);
          return print({ person, environment, ended }, { json });
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
