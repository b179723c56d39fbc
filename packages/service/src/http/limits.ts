import { isIP } from "node:net";
import { expandIpv6 } from "@countersign/contract/ipv6";
import type { FastifyReply } from "fastify";
import { type RateLimiterAbstract, RateLimiterRes } from "rate-limiter-flexible";
import { refuse } from "../domain/failure.ts";

/** A limit and the name under which the `RateLimit` headers show it. */
export type Limit = { name: string; quota: number; windowSeconds: number; limiter: RateLimiterAbstract };

/** Uses one of a limit; past it the answer is 429 with the seconds to wait. */
export async function useLimit(limit: Limit, key: string, reply: FastifyReply): Promise<void> {
  reply.header("ratelimit-policy", `"${limit.name}";q=${limit.quota};w=${limit.windowSeconds}`);
  try {
    const left = await limit.limiter.consume(key);
    reply.header("ratelimit", `"${limit.name}";r=${left.remainingPoints};t=${seconds(left)}`);
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

/** What counts as one address: a whole IPv4, or an IPv6 /64, since one household has all of it. */
export function addressKey(address: string): string {
  // A trusted proxy may name anything, or nothing, as the address it was asked from.
  if (isIP(address) === 0) return "unknown";
  if (isIP(address) === 4) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  return `${expandIpv6(address).slice(0, 4).join(":")}::/64`;
}
