import type { Weakened } from "./mutant.ts";

const source = "packages/service/src";
const rolled = "dashboard-keys: a rolled key works alongside its";
const ranges = "auth: a key limited to IP addresses and ranges";
const keyPage = "dashboard-keys: a key works at once";

/** Mutants of API keys: their owners, IP ranges and ends, and what a brand may do. */
export const keys: Weakened[] = [
  {
    area: "keys",
    file: `${source}/domain/brand/brand-rows.ts`,
    mutants: [
      { from: '\n    .where("api_key.environment", "=", environment)', to: "", tests: ["auth: a production key"] },
      { from: '\n    .where("api_key.hash", "=", hash)', to: "", tests: ["auth: the bare key"] },
      { from: '\n    .where("api_key.revoked_at", "is", null)', to: "", tests: [keyPage] },
    ],
  },
  {
    area: "keys",
    file: `${source}/domain/brand/key-ring.ts`,
    mutants: [
      { from: "owner.endsAt <= clock.now()", to: "owner.endsAt < clock.now()", tests: [rolled] },
      {
        from: "return whileItWorks(await cache.read(",
        to: "return (await cache.read(",
        tests: ["auth: a cached key ends at its time"],
      },
      { from: "    cache = openCache(charsMax);\n", to: "", tests: [keyPage] },
      {
        from: "if (owner === null) forget(name, entry);\n      else if",
        to: "if",
        tests: ["auth: while no notifications arrive"],
      },
      {
        from: "if (!signals.connected()) return whileItWorks(await findKeyOwner(home, environment, hash));",
        to: "",
        tests: ["auth: while no notifications arrive"],
      },
    ],
  },
  {
    area: "keys",
    file: `${source}/domain/brand/api-key.ts`,
    mutants: [
      { from: "(Number(prefix) > 0 && ", to: "(Number(prefix) >= 0 && ", tests: [keyPage] },
      { from: "family === 4 ? 32 : 128", to: "128", tests: [keyPage] },
      { from: "family !== 0 && ", to: "", tests: [keyPage] },
    ],
  },
  {
    area: "keys",
    file: `${source}/http/auth.ts`,
    mutants: [
      {
        from: "performance.now() - last.at > waitMaxMs",
        to: "false",
        tests: ["late-body: a key that is revoked before the body arrives"],
      },
    ],
  },
  {
    area: "keys",
    file: `${source}/http/idempotency.ts`,
    mutants: [
      {
        from: "    await recheck(request);\n",
        to: "",
        tests: ["late-body: a key that is revoked while the request waits"],
      },
    ],
  },
  {
    area: "keys",
    file: `${source}/domain/brand/keys.ts`,
    mutants: [
      {
        from: `if (old.endsAt !== null) throw refuse(409, "This key has already been rolled.");`,
        to: "",
        tests: [rolled],
      },
      { from: "endsAt: deps.clock.now() + overlapHours * hourMs", to: "endsAt: null", tests: [rolled] },
      {
        from: "working >= keysMax",
        to: "working > keysMax",
        tests: ["dashboard-keys: a brand has at most fifty"],
      },
      {
        from: "await lockBrandRow(trx, brandUuid);",
        to: "",
        tests: ["dashboard-keys: of sixty keys that are created"],
      },
    ],
  },
  {
    area: "keys",
    file: `${source}/domain/brand/api-key-rows.ts`,
    mutants: [
      {
        from: '    .where("revoked_at", "is", null)\n    .forUpdate()',
        to: "    .forUpdate()",
        tests: ["dashboard-keys: a revoked key cannot be"],
      },
      {
        from: '    .orderBy(isWorkingAt(now), "desc")\n',
        to: "",
        tests: ["dashboard-keys: a working key stays listed"],
      },
    ],
  },
  {
    area: "keys",
    file: `${source}/http/auth.ts`,
    mutants: [
      { from: "owner === null || !allowedFrom(owner, request.ip)", to: "owner === null", tests: [ranges] },
      { from: "if (owner.ipRanges.length === 0) return true;", to: "return true;", tests: [ranges] },
      { from: `family === "ipv6" ? 128 : 32`, to: `family === "ipv6" ? 64 : 24`, tests: [ranges] },
    ],
  },
];
