import type { HealthEntity } from "@countersign/contract/health";
import { minuteMs } from "@countersign/contract/time";
import type { WebhookEventName } from "@countersign/contract/webhook";
import type { AccountActor } from "../audit/account-audit-rows.ts";
import type { Deps, HomeDeps } from "../deps.ts";
import { invalid, refuse } from "../failure.ts";
import { countUsesBelow, useOf } from "../verification/limits/use-count-rows.ts";
import { lockExisting, recordAbout } from "./endpoint.ts";
import { listEndpoints } from "./endpoint-rows.ts";
import { healthLookupEvent, queueDelivery } from "./publish.ts";

/** Maximum test events, because the receiver's owner may not have asked for them. */
const testsMax = 10;
const testsWindowMs = minuteMs;

/** Sends a made-up event to each enabled webhook of a brand that gets it, and returns the delivery uuids. */
export async function triggerTest(
  deps: HomeDeps,
  { brandUuid, event }: { brandUuid: string; event: WebhookEventName },
  by?: AccountActor,
): Promise<string[]> {
  const endpoints = await listEndpoints(deps, brandUuid);
  const enabled = endpoints.filter(({ disabledAt }) => disabledAt === null);
  if (enabled.length === 0)
    throw refuse(409, "The brand has no active webhook: create one, or run `countersign listen`.");
  const hearing = enabled.filter(({ events }) => events.includes(event));
  if (hearing.length === 0) throw refuse(409, `No active webhook of the brand gets ${event}: choose it for one.`);
  const deliveries: string[] = [];
  for (const { uuid } of hearing) deliveries.push(await testEndpoint(deps, { uuid, event }, by));
  return deliveries;
}

/** A webhook, and the event to send. Without one, the webhook's first event. */
type Tested = { uuid: string; event?: WebhookEventName };

/** Sends a test event to a webhook, in a cell that the webhook selects. */
export async function testEndpoint(deps: HomeDeps, tested: Tested, by?: AccountActor): Promise<string> {
  return await sendTest(deps.cells.ofText(tested.uuid), tested, by);
}

/** Sends a test event without personal data, in the same way as a real event. */
export async function sendTest(deps: Deps, { uuid, event: wanted }: Tested, by?: AccountActor): Promise<string> {
  const endpoint = await deps.home.inTransaction(async (trx) => {
    const endpoint = await lockExisting(deps, trx, uuid);
    const problem = endpoint.heardAt === null ? deps.vendors.outbound.judge(endpoint.secrets.url) : null;
    if (problem !== null) throw invalid([{ path: "body.url", message: problem }]);
    if (endpoint.disabledAt !== null) throw refuse(409, "The webhook is switched off.");
    const window = { windowMs: testsWindowMs };
    const use = useOf(deps, { scope: "webhook.test", key: Buffer.from(endpoint.uuid), window });
    if ((await countUsesBelow(trx, [use], testsMax)).length === 0)
      throw refuse(429, `At most ${testsMax} test events per minute.`);
    await recordAbout(deps, trx, by, { action: "webhook.tested", endpoint });
    return endpoint;
  });
  return await deps.db.inTransaction(async (trx) => {
    const subjectUuid = deps.random.uuid();
    const event = wanted ?? endpoint.events[0] ?? healthLookupEvent;
    const sentAt = deps.clock.now();
    return await queueDelivery(deps, trx, {
      brandUuid: endpoint.brandUuid,
      endpointUuid: uuid,
      event,
      subjectUuid,
      dataKey: await deps.vault.createDataKey(trx, deps.environment, sentAt),
      body: event === healthLookupEvent ? madeUpLookup(subjectUuid, sentAt) : madeUpSignup(event, subjectUuid, sentAt),
      isTest: true,
    });
  });
}

/** A made-up event about a signup. */
function madeUpSignup(event: WebhookEventName, identityUuid: string, sentAt: number): Record<string, unknown> {
  const reason = event === "1-click.signup.ended" ? { reason: "withdrawn" } : {};
  return { event, test: true, identityUuid, sentAt, ...reason };
}

const payer = { name: "Test payer", vendorId: "V000000", ids: ["TEST"], logoUrl: "https://example.com/payer.svg" };

/**
 * A made-up health lookup event with every member that a receiver may get, and no personal data. `test` is in the
 * signed body, so nobody can add it to a real event or remove it from this one.
 */
export function madeUpLookup(healthDataUuid: string, sentAt: number): Record<string, unknown> {
  const entity: HealthEntity = {
    healthDataUuid,
    externalReference: "webhook-test",
    status: "SUCCEEDED",
    results: [
      {
        memberId: "TEST-MEMBER",
        payer,
        verificationMethod: "clearinghouse",
        coverageTypes: ["medical"],
        serviceTypeCodes: ["30"],
        isMedicare: false,
        eligibility: {
          coverageStatus: "active",
          coverageType: ["medical"],
          serviceTypeCodes: ["30"],
          payer: { name: payer.name },
          member: {
            memberId: "TEST-MEMBER",
            fullName: { firstName: "Test", lastName: "Event" },
            birthDate: "1900-01-01",
          },
          plan: { name: "Test plan", groupNumber: "TEST-GROUP", groupName: "Test group", insuranceTypeCodes: ["PR"] },
          benefits: [{ type: "copay", level: "individual", network: "in", amount: "30.00" }],
        },
        network: { status: "INDETERMINATE", rules: [] },
      },
    ],
  };
  const { externalReference, ...rest } = entity;
  return { event: healthLookupEvent, test: true, ...rest, externalReference, sentAt };
}
