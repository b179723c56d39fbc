/** The console of an installation that is not a demo: an invitation adds a passkey, with which the operator signs in. */
import assert from "node:assert/strict";
import test from "node:test";
import { inviteOperator } from "../../../../service/src/domain/operator/operators.ts";
import { signedInStaff } from "../../../../service/src/test/harness/console-staff.ts";
import { consolePasskey } from "../../../../service/src/test/harness/made-passkey.ts";
import { browserConsole } from "../harness/console.ts";

const it = await browserConsole({
  DEMO: "off",
  OPERATOR_PORT: "0",
  SMTP_URL: "smtp://127.0.0.1:1",
  SMTP_FROM: "Countersign <id@example.com>",
  IDENTITY_SOURCE_URL: "http://127.0.0.1:1/ask",
  IDENTITY_SOURCE_SECRET: "a-secret-of-the-identity-source-0123456789",
  IDENTITY_SOURCE_ISSUER: "0b1f7c80-5d0a-4a55-9d7c-1f0f6f6d2a11",
});

test("an invited person adds a passkey and signs in with it; another browser's passkey opens nothing", async () => {
  const { link } = await inviteOperator(it.accounts, { email: "r@operator.example", name: "Russ", role: "operator" });
  const person = await it.visitor();
  const { page, context, button } = person;
  const cdp = await context.newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const options = {
    ...{ protocol: "ctap2" as const, transport: "internal" as const, hasResidentKey: true, hasUserVerification: true },
    ...{ isUserVerified: true, automaticPresenceSimulation: true },
  };
  await cdp.send("WebAuthn.addVirtualAuthenticator", { options });
  await page.goto(link);
  await button("Accept the invitation").click();
  await person.at("addPasskey");
  await person.picture("add-passkey");
  await page.goto("/approvals");
  await person.at("addPasskey");
  await button("Create a passkey").click();
  await person.at("approvals");
  await button("Sign out").click();
  await person.at("signIn");
  await button("Sign in with a passkey").click();
  await person.at("approvals");
  await page.goto("/me");
  await person.at("me");
  await person.picture("me-passkey");
  const removal = () => page.getByRole("dialog").getByRole("button", { name: "Delete passkey", exact: true });
  await button("Delete passkey").click();
  await removal().click();
  await page.getByText("This is the last passkey of an operator. Invite another operator first.").waitFor();
  const colleague = await signedInStaff(it);
  await consolePasskey(it, colleague.uuid);
  await page.goto("/operators");
  await person.at("operators");
  await person.picture("operators-passkeys");
  await button(`Delete passkey ${colleague.name}`).click();
  await page.getByRole("textbox", { name: "Reason" }).fill("The phone was stolen");
  await person.picture("operators-delete");
  await removal().click();
  await page
    .getByRole("row", { name: new RegExp(`^${colleague.name}`) })
    .getByText("No passkey")
    .waitFor();
  const { rows } = await it.store.pool.query("select action from account_audit order by id");
  const actions = rows.map(({ action }) => action);
  for (const action of ["operator.invited", "operator.signedIn", "passkey.created", "session.ended", "passkey.deleted"])
    assert.ok(actions.includes(action), action);
  await button("Sign out").click();
  await person.at("signIn");
  await it.store.db.deleteFrom("operator_passkey").execute();
  await button("Sign in with a passkey").click();
  await page.getByText("This passkey does not open this console.").waitFor();
  await page.getByText("countersign operators invite").waitFor();
  await person.at("signIn");
  await person.picture("sign-in-refused");
  await person.done();
});

test("the vendors' page shows latency, hits, errors and the breaker of an adapter, and how to test it", async () => {
  const { vendors } = it.metrics;
  const vendor = "identity_source";
  const at = it.accountClock.now();
  for (let count = 0; count < 40; count += 1) {
    vendors.called({ vendor, operation: "ask", outcome: "2xx", at, durationMs: 120 + 10 * count });
    vendors.answered({ vendor, isHit: count % 10 !== 0 });
  }
  for (let count = 0; count < 5; count += 1)
    vendors.called({ vendor, operation: "ask", outcome: "timeout", at: at + count * 1_000, durationMs: 10_000 });
  vendors.breakerTurned({ vendor, state: "open" });
  for (const at of [{}, { colorScheme: "dark" }, { on: "phone" }] as const) {
    const person = await it.staff(at);
    await it.store.db.updateTable("operator_session").set({ method: "passkey" }).execute();
    const { page } = person;
    await page.goto("/");
    await person.at("status");
    const attention = page.getByRole("region", { name: "Needs attention" });
    await attention.getByText("Vendor identity_source is not called now, because calls failed.").first().waitFor();
    await page.goto("/vendors");
    await person.at("vendors");
    const card = page.getByRole("region", { name: /^Identity source/ });
    await card.getByText("Not called now").waitFor();
    await card.getByText("90%").waitFor();
    // Equal failures in a row are one line.
    await card.getByRole("row", { name: /^No answer in time ask.*5/ }).waitFor();
    const guides = await card.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    assert.ok(guides.some((to) => to?.endsWith("/docs/guides/vendors#identity-source") === true));
    assert.ok(guides.some((to) => to?.endsWith("/docs/operate/monitor#countersignvendordown") === true));
    // A vendor that is not called now shows its test at once.
    await card.getByText("countersign conformance identity").waitFor();
    await person.picture(`vendors-failing-${Object.values(at)[0] ?? "light"}`);
    await person.done();
  }
});
