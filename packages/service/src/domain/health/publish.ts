import type { Trx } from "../../store/database.ts";
import type { Deps } from "../deps.ts";
import { healthLookupEvent as event, publish } from "../webhook/publish.ts";
import { healthEntity } from "./entity.ts";
import type { HealthLookup } from "./store.ts";

/** Queues the result for the brand's webhooks, in the caller's transaction. The body has the same data as polling. */
export async function publishHealthResult(deps: Deps, trx: Trx, lookup: HealthLookup): Promise<void> {
  const { healthDataUuid, externalReference, ...rest } = healthEntity(lookup);
  await publish(deps, trx, {
    brandUuid: lookup.brandUuid,
    event,
    subjectUuid: lookup.uuid,
    dataKey: lookup.dataKey,
    body: {
      event,
      healthDataUuid,
      ...(externalReference === undefined ? {} : { externalReference }),
      sentAt: deps.clock.now(),
      ...rest,
    },
  });
}
