import type { Weakened } from "./mutant.ts";

const source = "packages/service/src";
const rolled = "dashboard-account: a rolled key works on";
const ranges = "auth: a key may be limited to addresses and ranges";
const keyPage = "dashboard-account: a key works at once";
const held = "brand-mode: a stopped brand's keys do nothing";

/** API keys: whose they are, from where, until when, and what a brand may do. */
export const keys: Weakened[] = [
  {
    area: "keys",
    file: `${source}/domain/brand/store.ts`,
    mutants: [
      { from: '\n    .where("api_key.environment", "=", environment)', to: "", tests: ["auth: A3: a production key"] },
      { from: '\n    .where("api_key.hash", "=", hash)', to: "", tests: ["auth: A2: the bare key"] },
      { from: '\n    .where("api_key.revoked_at", "is", null)', to: "", tests: [keyPage] },
    ],
  },
  {
    area: "keys",
    file: `${source}/domain/brand/key-ring.ts`,
    mutants: [
      { from: "owner.endsAt <= clock.now()", to: "owner.endsAt < clock.now()", tests: [rolled] },
      {
        from: "if (known !== undefined) return whileItWorks(await known);",
        to: "if (known !== undefined) return await known;",
        tests: ["auth: a key that is remembered ends"],
      },
      { from: "    owners = new Map();\n", to: "", tests: [keyPage] },
      { from: "if (owner === null) forget();", to: "", tests: ["auth: while no word of changes comes"] },
      {
        from: "if (!signals.connected()) return whileItWorks(await findKeyOwner(db, environment, hash));",
        to: "",
        tests: ["auth: while no word of changes comes"],
      },
    ],
  },
  {
    area: "keys",
    file: `${source}/domain/brand/ip-range.ts`,
    mutants: [
      { from: "(Number(prefix) > 0 && ", to: "(Number(prefix) >= 0 && ", tests: [keyPage] },
      { from: "family === 4 ? 32 : 128", to: "128", tests: [keyPage] },
      { from: "family !== 0 && ", to: "", tests: [keyPage] },
    ],
  },
  {
    area: "keys",
    file: `${source}/domain/brand/keys.ts`,
    mutants: [
      {
        from: `if (old.endsAt !== null) throw refuse(409, "This key was rolled already.");`,
        to: "",
        tests: [rolled],
      },
      { from: "ends_at: ledger.clock.now() + what.overlapHours * hourMs", to: "ends_at: null", tests: [rolled] },
      {
        from: "found === undefined || found.revokedAt !== null",
        to: "found === undefined",
        tests: ["dashboard-keys: a key that was revoked"],
      },
      {
        from: "working.length >= keysMax",
        to: "working.length > keysMax",
        tests: ["dashboard-keys: a brand has fifty keys"],
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
      {
        from: `return request.headers.origin !== undefined || (`,
        to: `return (`,
        tests: ["auth: a key with an Origin"],
      },
      {
        from: `site !== undefined && site !== "none"`,
        to: `site === "cross-site"`,
        tests: ["auth: a key with a page of the same"],
      },
      { from: "if (owner !== null) throw leaked(request, owner);", to: "", tests: ["auth: a key with an Origin"] },
      {
        from: "    await useLimit(gate.addressLimit, addressKey(request.ip), reply);\n    throw refuse(401",
        to: "    throw refuse(401",
        tests: ["limits: wrong keys are counted by address"],
      },
      {
        from: "    await useLimit(gate.addressLimit, addressKey(request.ip), reply);\n    throw leaked",
        to: "    throw leaked",
        tests: ["limits: a key that a browser sends"],
      },
      {
        from: "  await useLimit(gate.keyLimit, owner.apiKeyUuid, reply);\n",
        to: "",
        tests: ["limits: past the limit of a key"],
      },
      { from: "  assertLetGo(gate, owner.brand, request.method);\n", to: "", tests: [held] },
      { from: `if (mode === "stopped") throw`, to: `if (mode === "stopped" && method !== "GET") throw`, tests: [held] },
      { from: `method !== "GET"`, to: `method === "DELETE"`, tests: [held] },
      { from: "needs !== null && !approvals.has(needs)", to: "false", tests: ["production: a key works once"] },
    ],
  },
  {
    area: "keys",
    file: `${source}/http/limits.ts`,
    mutants: [
      {
        from: "if (mapped?.[1] !== undefined) return mapped[1];",
        to: "",
        tests: ["limits: an IPv6 /64 is one address"],
      },
      { from: ".slice(0, 4)", to: ".slice(0, 8)", tests: ["limits: an IPv6 /64 is one address"] },
      { from: `if (isIP(address) === 0) return "unknown";`, to: "", tests: ["limits: whatever a trusted proxy names"] },
    ],
  },
];
