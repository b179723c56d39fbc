/**
 * Every endpoint that the contract declares. Endpoints are found in its files, so new ones are tested without being
 * listed.
 */
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Endpoint } from "@countersign/contract/endpoint";
import type { FastifyInstance, HTTPMethods } from "fastify";

const contract = resolve(import.meta.dirname, "../../../contract/src");
const modules = await Promise.all(
  globSync("**/*.ts", { cwd: contract, exclude: ["test/**"] }).map(
    (file) => import(pathToFileURL(resolve(contract, file)).href),
  ),
);

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === "object" && value !== null && "id" in value && "method" in value && "auth" in value;
}

export const declaredEndpoints: readonly Endpoint[] = [
  ...new Map(
    modules
      .flatMap((module: Record<string, unknown>) => Object.values(module))
      .filter(isEndpoint)
      .map((one) => [one.id, one] as const),
  ).values(),
];

export type Mounted = { endpoint: Endpoint; app: FastifyInstance; prefix: string };

/**
 * Returns the listener and the first prefix that serve each endpoint, and skips endpoints without a route.
 * `docs.test.ts` checks that every documented endpoint is served.
 */
export function mountedOn(listeners: readonly FastifyInstance[]): Mounted[] {
  // The dashboard has its own listener, on which a wallet path may mean something else.
  return declaredEndpoints
    .filter(({ tag }) => tag !== "Dashboard")
    .flatMap((endpoint) => {
      for (const prefix of endpoint.tag.startsWith("v1") ? [""] : ["/v2", ""]) {
        const route = { method: endpoint.method as HTTPMethods, url: `${prefix}${endpoint.path}` };
        const app = listeners.find((one) => one.hasRoute(route));
        if (app !== undefined) return [{ endpoint, app, prefix }];
      }
      return [];
    });
}
