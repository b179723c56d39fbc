/** Test helpers that start a health lookup and read its result. */
import assert from "node:assert/strict";
import type { HealthEntity, HealthPlan, HealthRequest } from "@countersign/contract/health";
import type { Sandbox } from "./sandbox.ts";

type Api = Sandbox["api"];

export const person = (firstName: string, lastName: string, birthDate: string): HealthRequest => ({
  fullName: { firstName, lastName },
  birthDate,
});
export const richard = person("Richard", "Hendricks", "1989-08-01");

/** Starts a lookup, runs its jobs, and reads it. */
export async function lookUp(it: Sandbox, body: HealthRequest, api: Api = it.api): Promise<HealthEntity> {
  const started = await api.createHealthLookup({ body });
  assert.equal(started.body.status, "PENDING");
  await it.runJobs();
  const { healthDataUuid } = started.body;
  return (await api.readHealthLookup({ params: { healthDataUuid } })).body;
}

export function plansOf(entity: HealthEntity): HealthPlan[] {
  return entity.results ?? [];
}
export const memberIds = (entity: HealthEntity) => plansOf(entity).map(({ memberId }) => memberId);
export const errorsOf = (entity: HealthEntity) => (entity.errors ?? []).map(({ message }) => message);

/** Creates a brand with health turned on and only the given settings. */
export async function healthBrand(it: Sandbox, settings: Record<string, unknown> = {}) {
  const { health, ...others } = settings;
  const given = typeof health === "object" ? health : {};
  return await it.brand({ ...others, health: { enabled: true, ...given } });
}
