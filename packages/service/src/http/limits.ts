import { isIP } from "node:net";
import { expandIpv6 } from "@countersign/contract/ipv6";
import type { FastifyReply } from "fastify";
import { type RateLimiterAbstract, RateLimiterRes } from "rate-limiter-flexible";
import { refuse } from "../domain/failure.ts";
import type { CalledFrom } from "../domain/verification/limits/use-count-rows.ts";
import { PerRequest } from "./per-request.ts";

/** A rate limit, and its name in the `RateLimit` headers. */
export type Limit = { name: string; quota: number; windowSeconds: number; limiter: RateLimiterAbstract };

const used = new PerRequest<readonly Limit[]>("usedLimits");

/**
 * Uses one request of a limit. Past the limit, throws 429 with the seconds to wait. A request counts once, also if its
 * caller is checked again: its work may be done by then.
 */
export async function useLimit(limit: Limit, key: string, reply: FastifyReply): Promise<void> {
  const before = used.get(reply.request) ?? [];
  if (before.includes(limit)) return;
  used.set(reply.request, [...before, limit]);
  reply.header("ratelimit-policy", `"${limit.name}";q=${limit.quota};w=${limit.windowSeconds}`);
  try {
    const result = await limit.limiter.consume(key);
    reply.header("ratelimit", `"${limit.name}";r=${result.remainingPoints};t=${seconds(result)}`);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const wait = seconds(error);
    throw refuse(429, "Too many requests; wait and try again.", {
      "retry-after": String(wait),
      ratelimit: `"${limit.name}";r=0;t=${wait}`,
    });
  }
}

function seconds(result: RateLimiterRes): number {
  return Math.max(1, Math.ceil(result.msBeforeNext / 1000));
}

/** The key of an address: a whole IPv4 address, or an IPv6 /64, because one household has a whole /64. */
export function addressKey(address: string): string {
  return calledFrom(address).address;
}

/** The address and the network that are counted: an IPv4 address and its /24, or an IPv6 /64 and its /48. */
export function calledFrom(address: string): CalledFrom {
  // A trusted proxy may send any text as the client's address, or none.
  if (isIP(address) === 0) return { address: "unknown", network: "unknown" };
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const ipv4 = isIP(address) === 4 ? address : mapped;
  if (ipv4 !== undefined) return { address: ipv4, network: `${ipv4.slice(0, ipv4.lastIndexOf("."))}.0/24` };
  const groups = expandIpv6(address);
  return { address: `${groups.slice(0, 4).join(":")}::/64`, network: `${groups.slice(0, 3).join(":")}::/48` };
}
