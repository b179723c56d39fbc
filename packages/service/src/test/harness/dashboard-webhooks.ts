/** A brand's webhooks with a fake receiver, called as dashboard members call them. */
import assert from "node:assert/strict";
import type { OutboundAnswer } from "../../domain/ports.ts";
import { outbound } from "../../providers/outbound.ts";
import { secondDemoCustomer } from "../../providers/sandbox/demo.ts";
import { signedIn } from "./dashboard-member.ts";
import { healthBrand, richard } from "./health-lookup.ts";
import { sandbox } from "./sandbox.ts";

type Sent = { url: string; headers: Record<string, string>; body: string };
export const sent: Sent[] = [];
export const receiver = { status: 204, text: "" };
/** Applies production's URL rules. Only `judge` is used, so nothing is connected. */
const strict = outbound({ loopback: false });
export const it = await sandbox({
  vendors: {
    outbound: {
      judge: strict.judge,
      async post({ url, headers, body }): Promise<OutboundAnswer> {
        sent.push({ url, headers, body });
        return { kind: "answered", ...receiver, durationMs: 3 };
      },
    },
  },
});
export const hour = 3_600_000;
export const day = 24 * hour;
export const owner = await signedIn(it);
export const viewer = await signedIn(it, { role: "viewer" });
export const stranger = await signedIn(it, { customerUuid: secondDemoCustomer.uuid });
export const none = { type: "none" };
export const address = "https://brand.example/hook";

/** Creates a brand with one webhook, and returns the paths and secret of the webhook. */
export async function hooked(url = address, authentication: Record<string, unknown> = none) {
  const brand = await healthBrand(it);
  const base = `/api/brands/${brand.uuid}/sandbox`;
  const made = await owner.call("POST", `${base}/webhooks`, { url, authentication });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const uuid = String(made.body.uuid);
  // The previous test may have deliveries under way.
  await it.runJobs();
  sent.length = 0;
  Object.assign(receiver, { status: 204, text: "" });
  return { brand, base, uuid, one: `${base}/webhooks/${uuid}`, secret: String(made.body.signingSecret) };
}
type Line = {
  uuid: string;
  status: string;
  isErased: boolean;
  isTest: boolean;
  attempts: { httpStatus?: number; error?: string; hasText?: boolean }[];
};
export const list = async (base: string, query = "") =>
  (await owner.call("GET", `${base}/deliveries${query}`)).body as unknown as {
    data: Line[];
    hasOlder: boolean;
    hasNewer: boolean;
    cursors: { older?: string; newer?: string };
  };
export const webhookOf = async (base: string, who = owner) =>
  ((await who.call("GET", `${base}/webhooks`)).body.data as Record<string, unknown>[])[0] ?? {};
export const audit = async (brand: string) =>
  (await owner.call("GET", `/api/audit?brand=${brand}`)).body.data as {
    action: string;
    subject: string;
    who: string;
  }[];

/** Looks up Richard's insurance, which sends an event to the brand's webhooks. */
export async function happen(brand: Awaited<ReturnType<typeof healthBrand>>, externalReference = "patient-4711") {
  const { body } = await brand.api.createHealthLookup({ body: { ...richard, externalReference } });
  await it.runJobs();
  return body.healthDataUuid;
}
