import { isIP } from "node:net";

/** Whether an address is a loopback address of this machine. */
export function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);
}

/** Whether a host, with or without a port, is `localhost` or a loopback address. */
export function isLoopbackName(host: string): boolean {
  const name = host
    .replace(/:\d+$/, "")
    .replace(/^\[|\]$/g, "")
    .toLowerCase();
  return name === "localhost" || (isIP(name) !== 0 && isLoopback(name));
}
