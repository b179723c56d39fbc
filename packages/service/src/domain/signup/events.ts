/** The events that tell a brand's webhooks about its signups. They have no personal data. */
import type { WebhookEventName } from "@countersign/contract/webhook";
import type { Trx } from "../../store/database.ts";
import type { DataKey } from "../../store/vault.ts";
import { findBrands } from "../brand/brand-rows.ts";
import type { Brand, Deps, HomeDeps } from "../deps.ts";
import { listEnabledEndpoints } from "../webhook/endpoint-rows.ts";
import { publish } from "../webhook/publish.ts";
import { listBrandsSharedWith, listReleasedOf } from "./readable-rows.ts";

export type SignupEvent = Extract<WebhookEventName, `1-click.signup.${string}`>;
/** The webhooks that get an event, by brand. Brands without one are left out. */
export type SignupReceivers = ReadonlyMap<string, readonly string[]>;

/** Maximum number of a person's 1-Clicks at one brand whose end is an event. The newest come first. */
const endedMax = 100;

/** Reads which webhooks get an event. Call it before a transaction, because webhooks are stored at home. */
export async function signupReceivers(
  deps: HomeDeps,
  brands: readonly Brand[],
  event: SignupEvent,
): Promise<SignupReceivers> {
  const hearing = new Set(brands.filter(({ hearsSignups }) => hearsSignups).map(({ uuid }) => uuid));
  const found = await Promise.all(
    [...hearing].map(async (uuid) => [uuid, await listEnabledEndpoints(deps, uuid, event)] as const),
  );
  return new Map(found.filter(([, endpoints]) => endpoints.length > 0));
}

/** Queues an event about a 1-Click for the brand's webhooks. */
export async function publishSignup(
  deps: Deps,
  trx: Trx,
  receivers: SignupReceivers,
  { event, brandUuid, uuid, dataKey }: { event: SignupEvent; brandUuid: string; uuid: string; dataKey: DataKey },
): Promise<void> {
  const endpointUuids = receivers.get(brandUuid) ?? [];
  const body = { event, identityUuid: uuid, sentAt: deps.clock.now() };
  await publish(deps, trx, { event, brandUuid, endpointUuids, subjectUuid: uuid, dataKey, body });
}

/** The end of what a person shared with some brands (null: with all). */
type Ending = { personUuid: string; brands: readonly string[] | null };

/** The webhooks that get `1-click.signup.ended`. */
export async function endReceivers(deps: Deps, { personUuid, brands }: Ending): Promise<SignupReceivers> {
  const uuids = brands ?? (await listBrandsSharedWith(deps.db, personUuid));
  const found = await findBrands(deps.home, deps.environment, uuids);
  return await signupReceivers(deps, [...found.values()], "1-click.signup.ended");
}

/**
 * Queues an event for each 1-Click that a person shared and that ends now. Each event has a data key of its own,
 * because the person's may be destroyed in this transaction.
 */
export async function publishEnded(
  deps: Deps,
  trx: Trx,
  receivers: SignupReceivers,
  { personUuid, reason }: { personUuid: string; reason: "withdrawn" | "deleted" },
): Promise<void> {
  const event = "1-click.signup.ended";
  const now = deps.clock.now();
  for (const [brandUuid, endpointUuids] of receivers) {
    const shared = await listReleasedOf(trx, { personUuid, brandUuid, max: endedMax });
    await Promise.all(
      shared
        .flatMap((uuid) => endpointUuids.map((endpointUuid) => ({ uuid, endpointUuid })))
        .map(async (one) => {
          const dataKey = await deps.vault.createDataKey(trx, deps.environment, now);
          const body = { event, identityUuid: one.uuid, sentAt: now, reason };
          const about = { event, brandUuid, subjectUuid: one.uuid, dataKey, body };
          await publish(deps, trx, { ...about, endpointUuids: [one.endpointUuid] });
        }),
    );
  }
}
