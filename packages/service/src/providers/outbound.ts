import { lookup as systemLookup } from "node:dns";
import { lookup, Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { isLoopbackHost } from "@countersign/contract/loopback";
import { Agent, type Dispatcher } from "undici";
import type { Outbound, OutboundAnswer } from "../domain/ports.ts";
import { isLoopbackAddress, isPublicAddress } from "./address-policy.ts";
import { isOtherPort } from "./other-ports.ts";

/** How many bytes of an answer's body are read and discarded, so that the connection can be reused. */
const answerMax = 65_536;
const connectTimeoutMs = 10_000;
const controlCharacters = /[\p{Cc}\s]/u;

/** Top-level labels of host names that exist only in private networks. */
const insideNames = ["localhost", "local", "internal", "intranet", "lan", "home", "corp", "svc"];

/** Looks up a host name. Tests replace it with their own name server. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;
const dnsTimeoutMs = 2_000;

/**
 * Asks the DNS servers of the system. `lookup` would occupy one of the few threads that also resolve the names of
 * vendors, so a brand whose DNS never answers could stop all texts. `dnsServers`: other servers, such as a test's.
 */
export function dnsResolve(dnsServers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: dnsTimeoutMs, tries: 2 });
  if (dnsServers !== undefined) resolver.setServers(dnsServers);
  return async (hostname) => {
    // The names of this machine are in a file, not in DNS.
    if (isLoopbackHost(hostname)) return await lookup(hostname, { all: true, verbatim: true });
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === "rejected" && v6.status === "rejected") throw v4.reason;
    return [
      ...(v4.status === "fulfilled" ? v4.value : []).map((address) => ({ address, family: 4 })),
      ...(v6.status === "fulfilled" ? v6.value : []).map((address) => ({ address, family: 6 })),
    ];
  };
}

/**
 * Requests to servers that brands name. `loopback`: whether receivers on this machine are allowed, also with plain
 * http. `textMax`: how many characters of a body are returned; by default none.
 */
export function outbound(options: { loopback: boolean; resolve?: Resolve; textMax?: number }): Sender {
  const { agent, judge } = checkedAgent(options);
  return senderOf(agent, { judge, textMax: options.textMax ?? 0 });
}

/** Connects only to addresses that are public, or on this machine with `loopback`. */
export function checkedAgent(options: { loopback: boolean; resolve?: Resolve }) {
  const allowed = (address: string) => isPublicAddress(address) || (options.loopback && isLoopbackAddress(address));
  const agent = new Agent({
    connect: { lookup: checkedLookup(options.resolve ?? dnsResolve(), allowed), timeout: connectTimeoutMs },
    // Keep connections only briefly, because their address was checked against a DNS answer that may expire.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
  });
  return { agent, judge: (url: string) => judge(url, { loopback: options.loopback, allowed }) };
}

/**
 * Requests of a developer's command to hosts that their machine reaches: containers, names of their own network, and
 * names of development tools.
 */
export function ownOutbound(options: { textMax: number }): Sender {
  const agent = new Agent({
    connect: { lookup: ownLookup, timeout: connectTimeoutMs },
  });
  return senderOf(agent, {
    judge: (url) => urlProblem(url, ["http:", "https:"], acceptedOfOwn),
    textMax: options.textMax,
  });
}

export type Sender = Outbound & { close(): Promise<void> };

function senderOf(agent: Agent, { judge, textMax }: { judge(url: string): string | null; textMax: number }): Sender {
  return {
    judge,
    async post({ url, headers, body, timeoutMs }): Promise<OutboundAnswer> {
      const started = performance.now();
      const durationMs = () => Math.round(performance.now() - started);
      // No lookup happens for an IP address in the URL, so check it here.
      const problem = judge(url);
      if (problem !== null) return { kind: "failed", error: "address not allowed", durationMs: 0 };
      const { origin, pathname, search } = new URL(url);
      const request = { origin, path: pathname + search, method: "POST" as const, headers, body };
      try {
        const { status, text } = await exchange(agent, request, { timeoutMs, textMax });
        return { kind: "answered", status, text, durationMs: durationMs() };
      } catch (error) {
        return { kind: "failed", error: kindOf(error), durationMs: durationMs() };
      }
    },
    close: () => agent.destroy(),
  };
}

type Exchanged = { status: number; text: string };

/**
 * Sends a request and returns its status with the first `textMax` characters of the body. Reads the rest up to a limit,
 * so that the connection can be reused. undici's `request` would create a stream per answer, which doubles the cost.
 */
function exchange(
  agent: Agent,
  options: Dispatcher.DispatchOptions,
  { timeoutMs, textMax }: { timeoutMs: number; textMax: number },
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    let status: number | null = null;
    let controller: Dispatcher.DispatchController | null = null;
    let timedOut: Error | null = null;
    const parts: Buffer[] = [];
    let length = 0;
    const end = (error?: Error) => {
      clearTimeout(timer);
      // An answer counts even if its body never ends.
      if (status === null) reject(error);
      else resolve({ status, text: Buffer.concat(parts).toString("utf8").slice(0, textMax) });
    };
    const timer = setTimeout(() => {
      timedOut = new TimedOut();
      controller?.abort(timedOut);
      end(timedOut);
    }, timeoutMs);
    agent.dispatch(
      { ...options, headersTimeout: timeoutMs, bodyTimeout: timeoutMs },
      {
        onRequestStart(started) {
          controller = started;
          // The timeout may have expired while the request waited for a connection.
          if (timedOut !== null) started.abort(timedOut);
        },
        onResponseStart(_controller, statusCode) {
          if (statusCode >= 200) status = statusCode;
        },
        onResponseData(reading, part) {
          if (length < textMax) parts.push(Buffer.from(part));
          length += part.length;
          if (length > answerMax) reading.abort(new TooLong());
        },
        onResponseEnd: () => end(),
        onResponseError: (_controller, error) => end(error),
      },
    );
  });
}

class TimedOut extends Error {
  override name = "TimeoutError";
}
class TooLong extends Error {}

const acceptedOfOwn = "must be an http or https URL, such as http://localhost:9000/hook";
const acceptedOutside = "must be an https URL";
const acceptedHere = `${acceptedOutside}. On this machine, a URL such as http://localhost:9000/hook also works`;

function judge(text: string, options: { loopback: boolean; allowed(address: string): boolean }): string | null {
  const { hostname = "", port = "" } = URL.parse(text) ?? {};
  const host = hostname.replace(/^\[|\]$/g, "");
  const local = options.loopback && (host === "localhost" || isLoopbackAddress(host));
  const accepted = options.loopback ? acceptedHere : acceptedOutside;
  const problem = urlProblem(text, local ? ["http:", "https:"] : ["https:"], accepted);
  if (problem !== null) return problem;
  if (isOtherPort(port)) return `must not use port ${port}, which belongs to services without HTTP`;
  if (isIP(host) !== 0) return options.allowed(host) ? null : "must not resolve to a private network";
  const labels = host.replace(/\.+$/, "").split(".");
  if (!local && (labels.length < 2 || insideNames.includes(labels.at(-1) ?? ""))) {
    return "must not resolve to a private network";
  }
  return null;
}

/** The problem of a text as the URL of a receiver, wherever its host is. */
function urlProblem(text: string, protocols: readonly string[], accepted: string): string | null {
  const url = controlCharacters.test(text) || text.includes("\\") ? null : URL.parse(text);
  if (url === null || !protocols.includes(url.protocol)) return accepted;
  if (url.username !== "" || url.password !== "") return "must not contain a user or password; use the authentication";
  return url.hash === "" ? null : "must not contain a fragment";
}

/** Looks up a name as the machine's other programs do. Browsers know that names below `localhost` mean this machine. */
const ownLookup: LookupFunction = (hostname, options, callback) => {
  systemLookup(hostname.toLowerCase().endsWith(".localhost") ? "localhost" : hostname, options, callback);
};

/** Looks up a host name. All its addresses must be allowed, because any may be used. */
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

/** The kind of error. The error's message may contain an address or a header. */
export function kindOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code === "ADDRESS_NOT_ALLOWED") return "address not allowed";
  if (code.includes("TIMEOUT") || (error instanceof Error && error.name === "TimeoutError")) return "timeout";
  if (["ENOTFOUND", "ENODATA", "ESERVFAIL", "EREFUSED", "EAI_AGAIN"].includes(code)) return "name not found";
  if (code === "ECONNREFUSED") return "connection refused";
  if (code.startsWith("CERT_") || code.includes("SSL") || code.includes("CERT") || code.includes("SELF_SIGNED"))
    return "certificate not valid";
  return "connection failed";
}
