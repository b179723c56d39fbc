import { isIP } from "node:net";

/** Whether an address is this machine's own. */
export function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);
}

/** Whether a host, with a port or without, is called what only this machine is called. */
export function isLoopbackName(host: string): boolean {
  const name = host
    .replace(/:\d+$/, "")
    .replace(/^\[|\]$/g, "")
    .toLowerCase();
  return name === "localhost" || (isIP(name) !== 0 && isLoopback(name));
}
