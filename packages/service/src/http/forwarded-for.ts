import type { FastifyRequest } from "fastify";

const name = "x-forwarded-for";
/** `192.0.2.1:4711`, `[2001:db8::1]:4711` or `[2001:db8::1]`. */
const withPort = /^(?:((?:\d{1,3}\.){3}\d{1,3}):\d{1,5}|\[([0-9a-f:.]+)\](?::\d{1,5})?)$/i;

/** Some proxies, such as Azure's, add the caller's port to the address. Fastify expects addresses without ports. */
export function dropForwardedPorts({ raw }: FastifyRequest): void {
  const forwarded = raw.headers[name];
  if (typeof forwarded !== "string") return;
  const addresses = forwarded.split(",").map((one) => one.trim().replace(withPort, "$1$2"));
  raw.headers[name] = addresses.join(", ");
}
