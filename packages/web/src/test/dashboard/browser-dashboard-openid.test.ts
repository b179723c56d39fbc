/** Single sign-on in a browser, with a real OpenID provider. */
import assert from "node:assert/strict";
import test from "node:test";
import { openIdServer } from "../../../../service/src/test/harness/openid-provider.ts";
import { browserDashboard } from "../harness/dashboard.ts";

const provider = await openIdServer();
const it = await browserDashboard(provider.environment);
provider.open(it.dashboardUrl);

test("single sign-on opens the dashboard, and leaves no code in the address", async () => {
  const person = await it.visitor();
  provider.someone.account = { email: "demo@example.com", isVerified: true };
  await person.page.goto("/sign-in");
  await person.at("signIn");
  await person.picture("sign-in-openid");
  await person.button("Use single sign-on").click();
  await person.at("brands");
  assert.equal(new URL(person.page.url()).search, "");
  await person.page.goto("/me");
  await person.page.getByText("with single sign-on").waitFor();
  await person.done();
});

test("a refused sign-in says why in a sentence, and offers another way", async () => {
  const person = await it.visitor({ on: "phone", colorScheme: "dark" });
  provider.someone.account = { email: "nobody@example.com", isVerified: true };
  await person.page.goto("/sign-in");
  await person.button("Use single sign-on").click();
  await person.at("openidRefused");
  await person.page.getByText("No member has your address.").waitFor();
  assert.equal(new URL(person.page.url()).search, "");
  await person.picture("sign-in-openid-refused");
  await person.button("Sign in another way").click();
  await person.at("signIn");
  // A link to the return page in a tab that began no sign-in.
  await person.page.goto("/sign-in/openid?code=x&state=y");
  await person.page.getByText("it began in another window").waitFor();
  await person.done();
});

test("signs all other sessions out at once", async () => {
  const person = await it.member();
  provider.someone.account = { email: person.member.email, isVerified: true };
  const other = await it.visitor();
  await other.page.goto("/sign-in");
  await other.button("Use single sign-on").click();
  await other.at("brands");
  await person.page.goto("/me");
  await person.at("mine");
  await person.picture("sessions");
  await person.button("Sign out all other sessions").click();
  await person.button("Sign out all other sessions").waitFor({ state: "detached" });
  await other.page.reload();
  await other.at("signIn");
  await person.done();
  await other.done();
});
