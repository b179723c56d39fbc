/** Every route of a listener, read from the listener itself, with its endpoint in the contract. */
import type { Endpoint } from "@countersign/contract/endpoint";
import type { FastifyInstance, HTTPMethods } from "fastify";
import type { Both } from "./both-environments.ts";
import { declaredEndpoints } from "./contract-endpoints.ts";

export type Route = {
  app: FastifyInstance;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path with its prefix and its `:name` parameters. */
  path: string;
  /** Null for a page, a probe or a vendor callback. */
  endpoint: Endpoint | null;
};

const prefixes = ["", "/v2.1", "/v2"];
/** HEAD follows from GET, and OPTIONS only answers a browser's question. */
const unasked = ["HEAD", "OPTIONS"];

/** Returns the routes of a listener. `listener` selects the endpoint if two listeners serve the same path. */
export function routesOf(app: FastifyInstance, listener: "api" | "wallet" | "dashboard"): Route[] {
  return readTree(app.printRoutes({ commonPrefix: false })).flatMap(({ path, methods }) =>
    methods.map((method): Route => {
      // `printRoutes` omits a wildcard's folder.
      if (!path.includes("*") && !app.hasRoute({ method: method as HTTPMethods, url: path }))
        throw new Error(`${method} ${path} was misread`);
      return { app, method: method as Route["method"], path, endpoint: declaredAt(listener, method, path) };
    }),
  );
}

export type ListenerName = keyof ReturnType<typeof listenersOf>;

/** Returns the routes of every listener of both environments. The listeners must be ready. */
export function listenersOf(it: Both) {
  return {
    api: routesOf(it.app, "api"),
    wallet: routesOf(it.wallet, "wallet"),
    dashboard: routesOf(it.dashboard, "dashboard"),
    realApi: routesOf(it.production.app, "api"),
    realWallet: routesOf(it.production.wallet, "wallet"),
  };
}

/** Parses the printed tree. Each line extends its parent's path: `│   ├── /:uuid (GET, PATCH)`. */
function readTree(text: string): { path: string; methods: string[] }[] {
  const above: string[] = [];
  return text.split("\n").flatMap((line) => {
    const read = /^(.*?)[├└]── (\S+)(?: \((.*)\))?$/.exec(line);
    if (read === null) return [];
    const [, indent = "", part = "", methods] = read;
    const depth = indent.length / 4;
    const path = `${above.slice(0, depth).join("")}${part}`;
    above.length = depth;
    above.push(part);
    return methods === undefined
      ? []
      : [{ path, methods: methods.split(", ").filter((one) => !unasked.includes(one)) }];
  });
}

function declaredAt(listener: string, method: string, path: string): Endpoint | null {
  const found = declaredEndpoints.filter((one) => {
    if (one.method !== method || listenerOf(one) !== listener) return false;
    return prefixes.some((prefix) => `${prefix}${one.path}` === path);
  });
  // Without a prefix, a path that two API versions share belongs to v1.
  const [first = null] = found.toSorted((a, b) => Number(isFirst(b, path)) - Number(isFirst(a, path)));
  return first;
}

const isFirst = ({ tag }: Endpoint, path: string) => tag.startsWith("v1") === !path.startsWith("/v2");

function listenerOf({ tag }: Endpoint): string {
  return tag === "Dashboard" ? "dashboard" : tag === "Wallet" ? "wallet" : "api";
}
