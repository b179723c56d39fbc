/** Readers for the types of environment variables. */
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { readHosts, type SessionKind } from "./database-url.ts";

export type Variables = Record<string, string | undefined>;

/** Readers for single variables. They add errors to `problems`. */
export function reader(source: Variables, problems: string[]) {
  const text = (name: string): string | null => {
    const value = source[name]?.trim();
    return value === undefined || value === "" ? null : value;
  };
  /** A secret can be in a file: NAME_FILE. */
  const secret = (name: string): string | null => {
    const path = text(`${name}_FILE`);
    if (path === null) return text(name);
    try {
      const content = readFileSync(path, "utf8").trim();
      if (content === "") problems.push(`${name}_FILE: ${path} is empty`);
      return content === "" ? null : content;
    } catch {
      problems.push(`${name}_FILE: ${path} cannot be read`);
      return null;
    }
  };
  const problem = (said: string) => void problems.push(said);
  return { text, secret, problem, ...words(text, problems), ...addresses(text, secret, problems) };
}

type Text = (name: string) => string | null;

function words(text: Text, problems: string[]) {
  /** An integer within bounds. `expected` describes it in errors. */
  const integer = (name: string, fallback: number, [least, most]: readonly [number, number], expected: string) => {
    const value = text(name);
    if (value === null) return fallback;
    const number = Number(value);
    if (/^\d{1,9}$/.test(value) && number >= least && number <= most) return number;
    problems.push(`${name}: ${JSON.stringify(value)} is not ${expected}`);
    return fallback;
  };
  return {
    integer,
    /** Kubernetes and Docker write the address of another service named `api` into API_PORT. That is no setting. */
    port: (name: string, fallback: number) =>
      /^(tcp|udp|sctp):\/\//.test(text(name) ?? "")
        ? fallback
        : integer(name, fallback, [0, 65_535], "a port (0 to 65535)"),
    count: (name: string, fallback: number, bounds: readonly [number, number]) =>
      integer(name, fallback, bounds, `a whole number from ${bounds.join(" to ")}`),
    flag(name: string, fallback: boolean): boolean {
      const value = text(name)?.toLowerCase();
      if (value === undefined) return fallback;
      if (["on", "true", "1", "yes"].includes(value)) return true;
      if (["off", "false", "0", "no"].includes(value)) return false;
      problems.push(`${name}: ${JSON.stringify(value)} is not on or off`);
      return fallback;
    },
    oneOf<Word extends string>(name: string, allowed: readonly Word[], fallback: Word): Word {
      const value = text(name) ?? fallback;
      const found = allowed.find((word) => word === value);
      if (found === undefined) problems.push(`${name}: ${JSON.stringify(value)} is not one of ${allowed.join(", ")}`);
      return found ?? fallback;
    },
    /** Some of the allowed words, in any case, separated by commas. */
    someOf<Word extends string>(name: string, allowed: readonly Word[], fallback: Word[]): Word[] {
      const value = text(name);
      if (value === null) return fallback;
      const given = value.split(",").map((word) => word.trim().toLowerCase());
      const wrong = given.filter((word) => !allowed.some((one) => one.toLowerCase() === word));
      if (wrong.length > 0) problems.push(`${name}: ${wrong.join(", ")} is not one of ${allowed.join(", ")}`);
      return allowed.filter((one) => given.includes(one.toLowerCase()));
    },
  };
}

function addresses(text: Text, secret: Text, problems: string[]) {
  const url = (name: string, protocols: string[]): string | null => {
    const value = text(name);
    if (value === null) return null;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value.replace(/\/+$/, "");
    // A URL may contain a password or a token.
    const shown = /@|\?./.test(value) ? "the value" : JSON.stringify(value);
    problems.push(`${name}: ${shown} is not a ${protocols.join(" or ")} URL`);
    return null;
  };
  return {
    url: (name: string) => url(name, ["http:", "https:"]),
    /**
     * A PostgreSQL URL. It contains a password, so it can also be in a file. `needed`: the host kind that several hosts
     * require.
     */
    postgres(name: string, [needed, ...others]: readonly [SessionKind, ...SessionKind[]]): string | null {
      const value = secret(name);
      if (value === null) return null;
      try {
        const { urls, accepts } = readHosts(value);
        if (urls.length > 1 && accepts === "any" && needed !== "any")
          problems.push(`${name}: several hosts need target_session_attrs=${needed}`);
        else if (![needed, ...others].includes(accepts))
          problems.push(`${name}: target_session_attrs must be ${needed}`);
        return value.replace(/\/+$/, "");
      } catch (error) {
        problems.push(`${name}: ${error instanceof Error ? error.message : error}`);
        return null;
      }
    },
    networks(name: string): string[] {
      const ranges = (text(name) ?? "")
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== "");
      for (const range of ranges)
        if (!isRange(range)) problems.push(`${name}: ${JSON.stringify(range)} is not an IP address or range`);
        else if (isTooWide(range))
          problems.push(`${name}: ${range} has addresses of strangers, who could then name any address as their own`);
      return ranges;
    },
    masterKey(name: string): Buffer | null {
      const value = secret(name);
      if (value === null) return null;
      if (/^[0-9a-f]{64}$/i.test(value)) return Buffer.from(value, "hex");
      problems.push(`${name}: must be 64 hexadecimal digits (32 bytes)`);
      return null;
    },
  };
}

/** Wider than 10.0.0.0/8, the widest network of private addresses, or an IPv6 network that a provider is given. */
function isTooWide(range: string): boolean {
  const [address = "", prefix = "128"] = range.split("/");
  return Number(prefix) < (isIP(address) === 4 ? 8 : 16);
}

function isRange(range: string): boolean {
  const [, address = "", prefix = "1"] = /^([0-9a-f.:]+)(?:\/([1-9]\d{0,2}))?$/i.exec(range) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(prefix) <= (family === 4 ? 32 : 128);
}
