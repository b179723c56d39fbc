import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { Registry } from "prom-client";
import { refuse } from "../domain/failure.ts";
import { apiKeyIn } from "./auth.ts";

export type Operation = {
  /** Whether the service can answer requests now. */
  ready(): Promise<boolean>;
  metrics(): Promise<string>;
  /** Null: nobody may read the metrics, unless `metricsOpen` is set. */
  metricsToken: string | null;
  /** Whether anyone may read the metrics, for example in DEMO mode. */
  metricsOpen: boolean;
  /** The public keys that verify what the service signs. */
  publicKeys: Record<string, unknown>[];
};

/** Endpoints for operators and their tools: liveness, readiness, metrics and public keys. */
export function routesOperation(app: FastifyInstance, operation: Operation): void {
  app.get("/.well-known/jwks.json", async (_request, reply) =>
    reply.header("cache-control", "public, max-age=3600").send({ keys: operation.publicKeys }),
  );
  app.get("/livez", async () => ({ status: "ok" }));
  app.get("/readyz", async () => {
    if (!(await operation.ready())) throw refuse(503, "Not ready.", { "retry-after": "1" });
    return { status: "ok" };
  });
  app.get("/metrics", async (request, reply) => {
    const given = apiKeyIn(request);
    if (!operation.metricsOpen && !sameText(given, operation.metricsToken))
      throw refuse(401, "The metrics token is required in the Authorization header.");
    return await reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await operation.metrics());
  });
}

function sameText(given: string | null, expected: string | null): boolean {
  if (given === null || expected === null) return false;
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
