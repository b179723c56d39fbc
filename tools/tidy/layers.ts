import { importsOf, targetOf } from "./imports.ts";
import { type Finding, isProduct, type Rule } from "./rule.ts";
import type { Source, Tree } from "./source.ts";

/**
 * Allowed imports between places (ARCHITECTURE.md). A place may always import itself. `contract:types` allows type
 * imports only, and `domain/ports` allows only that file.
 */
const mayImport: Record<string, readonly string[]> = {
  // The entry points and their commands.
  main: ["compose", "config", "log", "http", "jobs", "providers", "store", "domain", "contract"],
  compose: ["config", "log", "http", "jobs", "providers", "store", "domain", "contract"],
  config: ["providers:types", "contract"],
  log: [],
  http: ["domain", "contract"],
  jobs: ["domain", "store", "contract"],
  providers: ["domain/ports", "contract"],
  domain: ["store", "contract"],
  store: ["contract:types"],
  contract: [],
  sdk: ["contract:types"],
  web: ["contract"],
};

/**
 * Allowed imports between modules of the domain, besides `domain/*.ts`. No module imports `sandbox`, which controls the
 * others.
 */
const domainOrder: Record<string, readonly string[]> = {
  audit: [],
  idempotency: ["verification", "signup", "audit"],
  credential: [],
  brand: ["credential", "audit"],
  member: ["credential", "brand", "audit"],
  operator: ["account", "brand", "member", "verification", "health", "reporting", "audit"],
  verification: ["brand", "credential", "audit"],
  "state-id": ["credential"],
  signup: ["brand", "credential", "verification", "issuance", "takeout", "state-id", "webhook", "audit"],
  session: ["brand", "credential", "verification", "signup", "audit"],
  openid: ["brand", "credential", "verification", "signup", "audit"],
  webhook: ["brand", "verification", "audit"],
  health: ["brand", "credential", "verification", "signup", "session", "webhook", "audit"],
  takeout: ["brand", "credential", "audit"],
  issuance: ["brand", "credential", "verification", "takeout", "audit"],
  account: [
    "brand",
    "credential",
    "verification",
    "signup",
    "session",
    "openid",
    "issuance",
    "takeout",
    "state-id",
    "webhook",
    "health",
    "idempotency",
    "audit",
  ],
  reporting: [],
  retention: [
    "account",
    "takeout",
    "state-id",
    "member",
    "operator",
    "session",
    "openid",
    "health",
    "verification",
    "signup",
    "idempotency",
    "reporting",
    "webhook",
    "audit",
  ],
  sandbox: [
    "account",
    "idempotency",
    "brand",
    "member",
    "credential",
    "verification",
    "session",
    "signup",
    "issuance",
    "takeout",
    "health",
    "webhook",
    "audit",
  ],
};

/** Folders that must not import each other. */
const strangers = [
  ["packages/service/src/http/v1/", "packages/service/src/http/v2/"],
  ["packages/web/src/wallet/", "packages/web/src/dashboard/"],
] as const;

const service = "packages/service/src/";

function placeOf(path: string): string {
  const [, packageName = "", folder = ""] = /^packages\/([^/]+)\/src\/([^/]+)/.exec(path) ?? [];
  if (packageName !== "service") return packageName;
  if (folder === "log.ts") return "log";
  return folder.endsWith(".ts") || folder === "commands" || folder === "processes" ? "main" : folder;
}

function moduleOf(path: string): string | undefined {
  return /^packages\/service\/src\/domain\/([^/]+)\//.exec(path)?.[1];
}

/** Why `from` must not import `to`. Undefined if it may. */
function refusal(from: string, to: string, typeOnly: boolean): string | undefined {
  const place = placeOf(from);
  const target = placeOf(to);
  const allowed = mayImport[place] ?? [];
  if (!/^packages\//.test(to)) return "shipped code must not import tools";
  if (/\/src\/test\//.test(to)) return "shipped code must not import tests";
  if (strangers.some((pair) => pair.some((a) => pair.some((b) => a !== b && from.startsWith(a) && to.startsWith(b)))))
    return "two generations or applications may share only code of lower layers";
  if (place !== target) {
    const names = [target, ...(typeOnly ? [`${target}:types`] : []), to.slice(service.length).replace(/\.ts$/, "")];
    if (names.some((name) => allowed.includes(name))) return generationInside(place, to);
    return `${place} may import ${allowed.length === 0 ? "nothing of ours" : allowed.join(", ")}`;
  }
  return place === "domain" ? domainRefusal(moduleOf(from), moduleOf(to)) : undefined;
}

function generationInside(place: string, to: string): string | undefined {
  const isWire = /^packages\/contract\/src\/brand-api\/v\d+\.ts$/.test(to);
  return place === "domain" && isWire ? "the domain must not import the wire shapes of a generation" : undefined;
}

function domainRefusal(from: string | undefined, to: string | undefined): string | undefined {
  if (from === to || to === undefined) return undefined;
  if (from === undefined) return "files that all modules use must not import a module";
  const allowed = domainOrder[from];
  if (allowed === undefined) return `${from} has no place in domainOrder (tools/tidy/layers.ts)`;
  return allowed.includes(to) ? undefined : `domain/${from} may import domain/{${allowed.join(",")}}`;
}

function findLayers(source: Source, tree: Tree): Finding[] {
  return importsOf(source).flatMap(({ specifier, line, typeOnly }) => {
    const target = targetOf(source.path, specifier, tree);
    if (target === undefined) return nodeOutsideNode(source.path, specifier, line);
    const why = refusal(source.path, target, typeOnly);
    return why === undefined ? [] : [{ line, message: `imports ${specifier}: ${why}` }];
  });
}

function nodeOutsideNode(path: string, specifier: string, line: number): Finding[] {
  const runsElsewhere = ["contract", "sdk", "web"].includes(placeOf(path));
  if (!runsElsewhere || !specifier.startsWith("node:")) return [];
  return [
    {
      line,
      message: `imports ${specifier}: this package also runs in browsers; use only what browsers and Node both have`,
    },
  ];
}

export const layers: Rule = {
  name: "imports follow the layers",
  applies: isProduct,
  find: findLayers,
  offending: {
    "packages/service/package.json": "{}",
    [`${service}domain/signup/read.ts`]:
      'import { a } from "../../http/v2/read.ts";\nimport "../../packages/service/src/domain/account/cards.ts";',
    [`${service}http/v2/read.ts`]: 'import { b } from "../v1/read.ts";',
    [`${service}http/auth.ts`]: 'import type { Database } from "../store/database.ts";',
    [`${service}store/queue.ts`]: 'import { catalog } from "../../../contract/src/errors.ts";',
    [`${service}providers/sandbox/risk.ts`]: 'import type { Deps } from "../../packages/service/src/domain/deps.ts";',
    [`${service}jobs/worker.ts`]: 'import { compose } from "../../packages/service/src/compose/service.ts";',
    "packages/contract/src/errors.ts": 'import { randomUUID } from "node:crypto";',
  },
  clean: {
    "packages/contract/package.json": "{}",
    [`${service}service.ts`]: 'import { compose } from "./compose/service.ts";',
    [`${service}compose/service.ts`]: 'import { server } from "../http/server.ts";\nimport { log } from "../log.ts";',
    [`${service}domain/signup/read.ts`]:
      'import { find } from "../verification/find.ts";\nimport { f } from "../failure.ts";',
    [`${service}store/queue.ts`]: 'import { type ErrorCode } from "@countersign/contract/errors";',
    [`${service}providers/sandbox/risk.ts`]: 'import type { RiskScorer } from "../../domain/ports.ts";',
    [`${service}test/races.test.ts`]: 'import { compose } from "../compose/service.ts";',
  },
};
