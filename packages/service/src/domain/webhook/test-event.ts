import { minuteMs } from "@countersign/contract/time";
import type { WebhookEventName } from "@countersign/contract/webhook";
import { madeUpEvent } from "@countersign/contract/webhook-examples";
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
      body: madeUpEvent(event, subjectUuid, sentAt),
      isTest: true,
    });
  });
}
