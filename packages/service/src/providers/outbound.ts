import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { Agent, type Dispatcher, request } from "undici";
import type { Outbound, OutboundAnswer } from "../domain/ports.ts";
import { isLoopbackAddress, isPublicAddress } from "./address-policy.ts";

/** Bytes of an answer's body that are read and discarded, to keep the connection usable. */
const answerMax = 65_536;
const connectTimeoutMs = 10_000;
const controlCharacters = /[\p{Cc}\s]/u;

/** Last labels of host names that exist only inside a private network. */
const insideNames = ["localhost", "local", "internal", "intranet", "lan", "home", "corp", "svc"];

/** Looks up a host name. Tests replace it with their own name server. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;
const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: true });

/**
 * Requests to servers that brands name. `loopback`: also allows receivers on this machine, with plain http. `textMax`: how
 * many characters of an answer's body to return; by default none.
 */
export function outbound(about: {
  loopback: boolean;
  resolve?: Resolve;
  textMax?: number;
}): Outbound & { close(): Promise<void> } {
  const allowed = (address: string) => isPublicAddress(address) || (about.loopback && isLoopbackAddress(address));
  const agent = new Agent({
    connect: { lookup: checkedLookup(about.resolve ?? systemResolve, allowed), timeout: connectTimeoutMs },
    // Keep no connection for long: its address was checked against a DNS answer that may no longer be valid.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
  });
  return {
    judge: (url) => judge(url, { loopback: about.loopback, allowed }),
    async post({ url, headers, body, timeoutMs }): Promise<OutboundAnswer> {
      const started = performance.now();
      const durationMs = () => Math.round(performance.now() - started);
      // An IP address in the URL is never looked up, so check it here.
      const problem = judge(url, { loopback: about.loopback, allowed });
      if (problem !== null) return { kind: "failed", error: "address not allowed", durationMs: 0 };
      try {
        const answer = await request(url, {
          method: "POST",
          headers,
          body,
          dispatcher: agent,
          signal: AbortSignal.timeout(timeoutMs),
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
        });
        const text = await beginningOf(answer.body, { most: about.textMax ?? 0, timeoutMs });
        return { kind: "answered", status: answer.statusCode, text, durationMs: durationMs() };
      } catch (error) {
        return { kind: "failed", error: kindOf(error), durationMs: durationMs() };
      }
    },
    close: () => agent.destroy(),
  };
}

/** Reads a body up to the limit, to keep the connection usable, and returns its first characters. */
async function beginningOf(
  body: Dispatcher.ResponseData["body"],
  { most, timeoutMs }: { most: number; timeoutMs: number },
): Promise<string> {
  const parts: Buffer[] = [];
  let kept = 0;
  body.on("data", (part: Buffer) => {
    if (kept < most) parts.push(part);
    kept += part.length;
  });
  await body.dump({ limit: answerMax, signal: AbortSignal.timeout(timeoutMs) }).catch(() => body.destroy());
  return Buffer.concat(parts).toString("utf8").slice(0, most);
}

function judge(text: string, about: { loopback: boolean; allowed(address: string): boolean }): string | null {
  if (controlCharacters.test(text) || text.includes("\\") || !URL.canParse(text)) return "must be a URL";
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const local = about.loopback && (host === "localhost" || isLoopbackAddress(host));
  if (url.protocol !== "https:" && !(local && url.protocol === "http:")) return "must be an https URL";
  if (url.username !== "" || url.password !== "") return "must not contain a user or password; use the authentication";
  if (url.hash !== "") return "must not contain a fragment";
  if (isIP(host) !== 0) return about.allowed(host) ? null : "must not resolve to a private network";
  const labels = host.replace(/\.+$/, "").split(".");
  if (!local && (labels.length < 2 || insideNames.includes(labels.at(-1) ?? ""))) {
    return "must not resolve to a private network";
  }
  return null;
}

/** Every address of a host name must be allowed, because any of them may be used. */
function checkedLookup(resolve: Resolve, allowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname)
      .then((found) => {
        const addresses = found.filter((one) => allowed(one.address));
        const [first] = addresses;
        if (first === undefined || addresses.length < found.length) return callback(new AddressNotAllowed(), "", 0);
        return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
      })
      .catch((error: NodeJS.ErrnoException) => callback(error, "", 0));
  };
}

class AddressNotAllowed extends Error {
  readonly code = "ADDRESS_NOT_ALLOWED";
}

/** The kind of error. The error's own message may contain an address or a header. */
export function kindOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code === "ADDRESS_NOT_ALLOWED") return "address not allowed";
  if (code.includes("TIMEOUT") || (error instanceof Error && error.name === "TimeoutError")) return "timeout";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "name not found";
  if (code === "ECONNREFUSED") return "connection refused";
  if (code.startsWith("CERT_") || code.includes("SSL") || code.includes("CERT") || code.includes("SELF_SIGNED"))
    return "certificate not valid";
  return "connection failed";
}
