import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { listEndpoints } from "./endpoint.ts";
import { sendTest } from "./manage.ts";

/** Sends a made-up event to each enabled webhook of a brand, and returns the delivery uuids. */
export async function triggerTest(deps: Deps, brandUuid: string): Promise<string[]> {
  const endpoints = await listEndpoints(deps, brandUuid);
  const on = endpoints.filter(({ disabledAt }) => disabledAt === null);
  if (on.length === 0)
    throw refuse(409, "The brand has no webhook that is on: define one, or run `countersign listen`.");
  const deliveries: string[] = [];
  for (const { uuid } of on) deliveries.push(await sendTest(deps, uuid));
  return deliveries;
}
