import type { HealthEntity } from "@countersign/contract/health";
import type { Alongside } from "../brand/manage.ts";
import type { Deps, HomeDeps } from "../deps.ts";
import { invalid, refuse } from "../failure.ts";
import { useOf } from "../verification/limits/counters.ts";
import { countUsesBelow } from "../verification/limits/use-count-rows.ts";
import { lockExisting } from "./endpoint.ts";
import { listEndpoints, type WebhookEndpoint } from "./endpoint-rows.ts";
import { healthLookupEvent, queueDelivery } from "./publish.ts";

/** Maximum test events, because the receiver's owner may not have asked for them. */
const testsMax = 10;
const testsWindowMs = 60_000;

/** Sends a made-up event to each enabled webhook of a brand, and returns the delivery uuids. */
export async function triggerTest(
  deps: HomeDeps,
  brandUuid: string,
  alongside?: Alongside<WebhookEndpoint>,
): Promise<string[]> {
  const endpoints = await listEndpoints(deps, brandUuid);
  const enabled = endpoints.filter(({ disabledAt }) => disabledAt === null);
  if (enabled.length === 0)
    throw refuse(409, "The brand has no active webhook: create one, or run `countersign listen`.");
  const deliveries: string[] = [];
  for (const { uuid } of enabled) deliveries.push(await sendTest(deps.cells.ofText(uuid), uuid, alongside));
  return deliveries;
}

/** Sends a test event without personal data, in the same way as a real event. */
export async function sendTest(deps: Deps, uuid: string, alongside?: Alongside<WebhookEndpoint>): Promise<string> {
  const endpoint = await deps.home.inTransaction(async (trx) => {
    const endpoint = await lockExisting(deps, trx, uuid);
    const problem = endpoint.heardAt === null ? deps.outbound.judge(endpoint.secrets.url) : null;
    if (problem !== null) throw invalid([{ path: "body.url", message: problem }]);
    if (endpoint.disabledAt !== null) throw refuse(409, "The webhook is switched off.");
    const window = { windowMs: testsWindowMs };
    const use = useOf(deps, { scope: "webhook.test", key: Buffer.from(endpoint.uuid), window });
    if ((await countUsesBelow(trx, [use], testsMax)).length === 0)
      throw refuse(429, `At most ${testsMax} test events per minute.`);
    await alongside?.(trx, endpoint);
    return endpoint;
  });
  return await deps.db.inTransaction(async (trx) => {
    const subjectUuid = deps.random.uuid();
    return await queueDelivery(deps, trx, {
      brandUuid: endpoint.brandUuid,
      endpointUuid: uuid,
      event: healthLookupEvent,
      subjectUuid,
      dataKey: await deps.vault.createDataKey(trx, deps.environment, deps.clock.now()),
      body: madeUpLookup(subjectUuid, deps.clock.now()),
      isTest: true,
    });
  });
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
