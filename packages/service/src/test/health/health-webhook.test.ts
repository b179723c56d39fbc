import assert from "node:assert/strict";
import test from "node:test";
import type { OutboundAnswer } from "../../domain/ports.ts";
import { defineEndpoint } from "../../domain/webhook/endpoint.ts";
import { healthBrand, richard } from "../harness/health-lookup.ts";
import { sandbox } from "../harness/sandbox.ts";

const bodies: string[] = [];
let status = 500;
const it = await sandbox({
  vendors: {
    outbound: {
      judge: () => null,
      async post({ body }): Promise<OutboundAnswer> {
        bodies.push(body);
        return { kind: "answered", status, durationMs: 1 };
      },
    },
  },
});
const hour = 3_600_000;

test("a lookup's event has the same content as polling, and is kept after the lookup until it is delivered", async () => {
  const brand = await healthBrand(it);
  await defineEndpoint(it.deps, brand.uuid, { url: "https://brand.example/hook", authentication: { type: "none" } });
  const { body } = await brand.api.createHealthLookup({ body: { ...richard, externalReference: "appointment-1042" } });
  await it.runJobs();
  const params = { healthDataUuid: body.healthDataUuid };
  const entity = (await brand.api.readHealthLookup({ params })).body;
  const { event, sentAt, ...rest } = JSON.parse(bodies[0] ?? "{}");
  assert.deepEqual([event, typeof sentAt], ["1-click.health.lookup", "number"]);
  assert.deepEqual(rest, JSON.parse(JSON.stringify(entity)));
  assert.equal(rest.results[0].edi_271, entity.results?.[0]?.edi_271);

  // The lookup expires after one hour. The receiver is down for seven.
  await it.advance(7 * hour);
  status = 204;
  await it.advance(24 * hour);
  assert.ok(bodies.length > 4);
  assert.equal(new Set(bodies).size, 1);
  const key = it.store.db
    .selectFrom("data_key")
    .innerJoin("health_lookup", "health_lookup.data_key_uuid", "data_key.uuid")
    .select(["wrapped", "sealed"])
    .where("health_lookup.uuid", "=", body.healthDataUuid);
  await it.advance(24 * hour);
  assert.deepEqual(await key.executeTakeFirst(), { wrapped: null, sealed: null });
});
