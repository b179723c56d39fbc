/** A customer's brand in production, with the operator's answers to its requests. */
import assert from "node:assert/strict";
import type { listAudit } from "@countersign/contract/audit";
import type { Static } from "typebox";
import { changeApproval } from "../../domain/brand/manage.ts";
import { approveName, listNameRequests } from "../../domain/member/name-approval.ts";
import type { Both } from "./both-environments.ts";
import { type Answer, signedIn } from "./dashboard-member.ts";

let numbers = 0;
export const freshNumber = () => `+1650253${String(1000 + numbers++).padStart(4, "0")}`;

export type Waiting = { path: string; current: string | null; requested: string };
export type View = {
  version: number;
  settings: { externalName: string; otpOrigin: string | null; styling: { logoUrl: string | null } };
  waitingNames: Waiting[];
};

/** Creates a customer with a brand that its member sets up and the operator approves. */
export const approvedBrands =
  (it: Both) =>
  async (customer: string, integrationType = "api") => {
    const { real } = it;
    const customerUuid = it.deps.random.uuid();
    await it.store.db.insertInto("customer").values({ uuid: customerUuid, name: customer, created_at: 1 }).execute();
    const { call } = await signedIn(it, { customerUuid });
    const { uuid } = (await call("POST", "/api/brands", { name: "Piper", integrationType })).body;
    const path = `/api/brands/${uuid}/production`;
    assert.equal((await call("POST", path, { sourceVersion: 1 })).status, 201);
    await changeApproval(real.admin, { brandUuid: String(uuid), approval: "production", granted: true });
    const view = async () => (await call("GET", `${path}/settings`)).body as View;
    const patch = async (settings: Record<string, unknown>): Promise<Answer> =>
      await call("PATCH", `${path}/settings`, { version: (await view()).version, patch: settings });
    await patch({ consent: { declared: true } });
    const { apiKey } = (await call("POST", `${path}/keys`, { name: "Backend", ipRanges: [] })).body;
    const api = real.as(String(apiKey));
    const pending = async () =>
      (await listNameRequests(it.accounts))
        .filter((one) => one.customer === customerUuid && one.environment !== "sandbox")
        .map((one) => one.request);
    return {
      api,
      call,
      uuid: String(uuid),
      view,
      patch,
      pending,
      /** Returns the text of a new verification. */
      async texted(): Promise<string> {
        const phone = freshNumber();
        const { uuid: verification } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
        await api.deliverVerification({ params: { uuid: verification }, body: {} });
        await real.worker.runDue();
        return it.texts.findLast(({ to }) => to === phone)?.body ?? assert.fail("no text");
      },
      async audit() {
        const { data } = (await call("GET", "/api/audit")).body as Static<typeof listAudit.reply>;
        return data
          .filter(({ action }) => action.startsWith("name."))
          .map(({ action, who, changes }) => `${action} by ${who ?? "the operator"}: ${JSON.stringify(changes)}`);
      },
      async approve() {
        for (const uuid of await pending()) await approveName(it.accounts, () => real.admin, uuid);
      },
    };
  };
