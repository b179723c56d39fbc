/** Opens the operator's console in a real Chromium. */
import assert from "node:assert/strict";
import { after } from "node:test";
import type { OperatorRole } from "@countersign/contract/operator-role";
import type { BrowserContext } from "playwright-core";
import { signedInStaff } from "../../../../service/src/test/harness/console-staff.ts";
import { signedIn } from "../../../../service/src/test/harness/dashboard-member.ts";
import { requestProduction } from "../../../../service/src/test/harness/production-request.ts";
import { type Sandbox, sandbox } from "../../../../service/src/test/harness/sandbox.ts";
import { portOf, sharedBrowser } from "./browser.ts";
import { dashboardControls, openContext, screens } from "./dashboard.ts";

type At = { on?: keyof typeof screens; colorScheme?: "light" | "dark" };

/** Starts the sandbox with its console listening. */
export async function browserConsole(environment: Record<string, string> = {}) {
  const it = await sandbox({}, environment);
  const { operatorConsole } = it;
  assert.ok(operatorConsole !== null);
  await operatorConsole.listen({ host: "127.0.0.1", port: 0 });
  const operatorUrl = `http://localhost:${portOf(operatorConsole)}`;
  it.accounts.addresses.operatorUrl = operatorUrl;
  const browser = await sharedBrowser();
  const contexts: BrowserContext[] = [];
  after(() => Promise.all(contexts.map((context) => context.close())));

  const visitor = async ({ on = "desktop", colorScheme = "light" }: At = {}) => {
    const { context, faults } = await openContext(browser, { baseURL: operatorUrl, colorScheme, ...screens[on] });
    contexts.push(context);
    const page = await context.newPage();
    return {
      context,
      page,
      ...dashboardControls(page, "console"),
      async done() {
        await context.close();
        assert.deepEqual(faults, []);
      },
    };
  };
  return {
    ...it,
    operatorUrl,
    visitor,
    /** Opens the console as somebody who is already signed in. */
    async staff({ role = "operator", ...at }: At & { role?: OperatorRole } = {}) {
      const person = await visitor(at);
      const staff = await signedInStaff(it, role);
      const cookie = { name: "countersign-operator", value: staff.token, url: operatorUrl };
      await person.context.addCookies([{ ...cookie, httpOnly: true, sameSite: "Strict" }]);
      return { ...person, staff };
    },
  };
}

/** A customer that asks for production, with a changed name and logo in production. */
export async function waitingBrand(it: Sandbox, customer: string, names: { first: string; changed: string }) {
  const customerUuid = it.deps.random.uuid();
  await it.store.db.insertInto("customer").values({ uuid: customerUuid, name: customer, created_at: 1 }).execute();
  const { call, uuid: memberUuid } = await signedIn(it, { customerUuid });
  const { uuid } = (await call("POST", "/api/brands", { name: names.first, integrationType: "api" })).body;
  const path = `/api/brands/${uuid}/production`;
  await call("POST", path, { sourceVersion: 1 });
  const { version } = (await call("GET", `${path}/settings`)).body;
  const patch = { externalName: names.changed, consent: { declared: true } };
  assert.equal((await call("PATCH", `${path}/settings`, { version, patch })).status, 200);
  const asked = { brandUuid: String(uuid), memberUuid, now: it.accountClock.now() };
  await requestProduction(it, { ...asked, note: "dana@linden.example: sign-up of our shop" });
  return { uuid: String(uuid), customerUuid, call };
}
