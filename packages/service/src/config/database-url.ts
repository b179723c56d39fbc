/** PostgreSQL URLs with several hosts, as libpq reads them. */
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";

/** Which hosts can be used: all that answer, those that accept writes, or those that do not. */
const sessionKinds = ["any", "read-write", "read-only"] as const;
export type SessionKind = (typeof sessionKinds)[number];
/** One URL per host, because the driver connects to a single host. */
export type DatabaseHosts = { urls: readonly string[]; accepts: SessionKind };

/** More hosts than any cluster needs. A failover asks each of them. */
const hostsMax = 8;
const form = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#@]*)([^?#]*)(?:\?([^#]*))?$/;

/** Throws an error whose message names the problem and never the URL, which contains a password. */
export function readHosts(url: string): DatabaseHosts {
  const [, scheme, login, places = "", path, query = ""] = form.exec(url) ?? [];
  if (scheme === undefined) throw new Error("the value is not a postgres: or postgresql: URL");
  const parameters = new URLSearchParams(query);
  const asked = parameters.get("target_session_attrs");
  const accepts = sessionKinds.find((kind) => kind === (asked ?? "any"));
  if (accepts === undefined) throw new Error(`target_session_attrs must be one of ${sessionKinds.join(", ")}`);
  parameters.delete("target_session_attrs");
  const [names, ports] = [parameters.get("host"), parameters.get("port")];
  const urls =
    names === null
      ? places.split(",").map((place) => `${scheme}${login}${place}${path}${textOf(parameters)}`)
      : addressesIn(names, ports).map((address) => {
          const own = new URLSearchParams([...parameters].filter(([name]) => name !== "host" && name !== "port"));
          return `${scheme}${login}${places}${path}${textOf(new URLSearchParams([...address, ...own]))}`;
        });
  if (urls.length > hostsMax) throw new Error(`at most ${hostsMax} hosts can be named`);
  const areNamed = urls.length === 1 || names !== null || places.split(",").every((place) => !/^(:|$)/.test(place));
  if (!areNamed || urls.some((one) => !URL.canParse(one))) throw new Error("a host or its port cannot be read");
  return { urls, accepts };
}

const tlsFiles = { sslrootcert: "ca", sslcert: "cert", sslkey: "key" } as const;

/** Why the driver could not use the files that a URL names. It reads them when it connects, and then throws. */
export function tlsFileProblems(url: string): string[] {
  const query = new URLSearchParams(form.exec(url)?.[5]);
  return Object.entries(tlsFiles).flatMap(([name, part]) => {
    const path = query.get(name);
    if (path === null) return [];
    try {
      createSecureContext({ [part]: readFileSync(path) });
      return [];
    } catch (error) {
      return [
        `the file of ${name} cannot be used (${error instanceof Error && "code" in error ? error.code : "no PEM"})`,
      ];
    }
  });
}

/** Hosts in the query, such as directories of sockets. As in libpq, a single port is used for all hosts. */
function addressesIn(names: string, ports: string | null): [string, string][][] {
  const hosts = names.split(",");
  const numbers = ports?.split(",") ?? [];
  if (numbers.length > 1 && numbers.length !== hosts.length)
    throw new Error("each host needs a port, or all share one");
  return hosts.map((host, at) => {
    const port = numbers[at] ?? numbers[0];
    return port === undefined
      ? [["host", host]]
      : [
          ["host", host],
          ["port", port],
        ];
  });
}

function textOf(parameters: URLSearchParams): string {
  return parameters.size === 0 ? "" : `?${parameters}`;
}
