/**
 * Whether a host name means this machine: `localhost`, `::1` (in a URL `[::1]`), or an address of 127.0.0.0/8. IPv4
 * inside IPv6 does not count, because a redirect target must not hide this machine that way.
 */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Whether the address of a connection's other end is this machine. A socket may write IPv4 as `::ffff:127.0.0.1`. */
export function isLoopbackPeer(address: string): boolean {
  return isLoopbackHost(address.replace(/^::ffff:/, ""));
}
