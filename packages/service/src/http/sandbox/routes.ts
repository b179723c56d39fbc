import { approvals, BrandSettings } from "@countersign/contract/brand";
import * as contract from "@countersign/contract/sandbox";
import type { FastifyInstance } from "fastify";
import { findOwnBrand } from "../../domain/brand/brand-rows.ts";
import { type AdminDeps, changeSettings, createBrand } from "../../domain/brand/manage.ts";
import { hasPushAuthorization, withoutSecret } from "../../domain/brand/settings.ts";
import type { HomeDeps } from "../../domain/deps.ts";
import { plainEmail } from "../../domain/email.ts";
import { invalid, refuse } from "../../domain/failure.ts";
import { phoneAt } from "../../domain/phone.ts";
import { listEmails, listMessages, listTexts } from "../../domain/sandbox/outbox.ts";
import { resetCustomer } from "../../domain/sandbox/reset.ts";
import { takeIncomingText } from "../../domain/verification/texts/stop.ts";
import { compileEmpty } from "../empty-members.ts";
import { type Guard, type Mounting, mount } from "../mount.ts";
import { clockHome, moveClock, type SandboxClock } from "./clock.ts";
import { controlledBy, type Driver } from "./guard.ts";
import { routesListeners } from "./listeners.ts";
import { routesSandboxLogo } from "./logo.ts";
import { routesSandboxWebhooks } from "./webhooks.ts";

/** Controls of the sandbox that are not part of its flows. */
export type Controls = SandboxClock & {
  homeDeps: HomeDeps;
  admin: AdminDeps;
  /**
   * Whether a customer's sandbox key may read the emails of its members. Emails let their reader sign in as the
   * addressee, and developers can create keys, so this is true only where the keys are public anyway.
   */
  showsEmailsOf(customerUuid: string): boolean;
  /** Resets a customer's demo brands to their initial settings. */
  resetDemo(customerUuid: string): Promise<void>;
};

export function routesSandbox(app: FastifyInstance, controls: Controls, guard: Guard<Driver>): void {
  const mounting = controlledBy(controls.homeDeps, guard);
  outboxRoutes(app, controls, mounting);
  answerRoutes(app, controls, mounting);
  clockRoutes(app, controls, mounting);
  brandRoutes(app, controls, mounting);
  routesSandboxLogo(app, controls, mounting);
  routesSandboxWebhooks(app, controls.homeDeps, mounting);
  routesListeners(app, controls.homeDeps, mounting);
  mount(app, contract.resetSandbox, mounting, async ({ customerUuid }) => {
    const removed = await resetCustomer(controls.homeDeps, customerUuid);
    await controls.resetDemo(customerUuid);
    return { removed };
  });
}

function outboxRoutes(app: FastifyInstance, { homeDeps, showsEmailsOf }: Controls, mounting: Mounting<Driver>): void {
  mount(app, contract.listMessages, mounting, async ({ customerUuid }, { query }) => {
    const withEmails = showsEmailsOf(customerUuid);
    if (query.to === undefined) return { data: await listMessages(homeDeps, { customerUuid, withEmails }) };
    if (query.to.includes("@"))
      return { data: withEmails ? await listEmails(homeDeps, { customerUuid, to: plainEmail(query.to) }) : [] };
    // A plus sign that is not percent-encoded arrives as a space.
    const to = phoneAt(homeDeps, query.to.replace(/^ /, "+"), "query.to");
    return { data: await listTexts(homeDeps, { customerUuid, to }) };
  });
}

function answerRoutes(app: FastifyInstance, { homeDeps }: Controls, mounting: Mounting<Driver>): void {
  mount(app, contract.answerText, mounting, async ({ customerUuid }, { body }, { deps }) => {
    const phone = phoneAt(homeDeps, body.from, "body.from");
    // All customers share the fixed test people, so one customer's STOP would affect the others.
    if (homeDeps.phones.isFixed(phone))
      throw invalid([{ path: "body.from", message: "Use another phone: STOP has no effect on fixed people." }]);
    const text = { kind: "text" as const, id: homeDeps.random.uuid(), from: body.from, body: body.body };
    return { heeded: await takeIncomingText(deps, text, customerUuid) };
  });
}

function clockRoutes(app: FastifyInstance, controls: Controls, mounting: Mounting<Driver>): void {
  mount(app, contract.readClock, mounting, async () => controls.readClock());
  mount(app, contract.moveClock, mounting, async (_driver, { body }) => moveClock(controls, body));
  mount(app, contract.resetClock, mounting, async () => clockHome(controls));
}

/** The contract leaves patches of settings open, so `mount` does not know their members. */
const dropEmptySettings = compileEmpty(BrandSettings, { isPatch: true });

function brandRoutes(app: FastifyInstance, { homeDeps, admin }: Controls, mounting: Mounting<Driver>): void {
  const own = async (customerUuid: string, brandUuid: string) => {
    const brand = await findOwnBrand(homeDeps.home, homeDeps.environment, customerUuid, brandUuid);
    if (brand === null) throw refuse(404, "No such brand.");
    return brand;
  };
  mount(app, contract.createSandboxBrand, mounting, async ({ customerUuid, by }, { body }) => {
    dropEmptySettings(body.settings);
    const brand = { customerUuid, name: body.name ?? "Sandbox brand", settings: body.settings ?? {}, approvals };
    const made = await createBrand(admin, { ...brand, by, recorded: { environment: admin.environment } });
    return { ...made, settings: withoutSecret(made.settings) };
  });
  mount(app, contract.readSandboxBrand, mounting, async ({ customerUuid }, { params }) => {
    const { uuid, name, settings } = await own(customerUuid, params.uuid);
    return { uuid, name, settings: withoutSecret(settings), hasPushAuthorization: hasPushAuthorization(settings) };
  });
  mount(app, contract.patchSandboxBrand, mounting, async ({ customerUuid, by }, { params, body }) => {
    const { uuid: brandUuid } = await own(customerUuid, params.uuid);
    dropEmptySettings(body);
    return withoutSecret(await changeSettings(admin, brandUuid, body, { by }));
  });
}
