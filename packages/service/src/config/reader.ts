/** Readers for the types of environment variables. */
import { readFileSync } from "node:fs";
import { readHosts, type SessionKind, tlsFileProblems } from "./database-url.ts";
import { hasStrangers, isRange } from "./networks.ts";

export type Variables = Record<string, string | undefined>;

/** Readers for single variables. They add errors to `problems`. */
export function reader(source: Variables, problems: string[]) {
  const text = (name: string): string | null => {
    const value = source[name]?.trim();
    return value === undefined || value === "" ? null : value;
  };
  /** A secret can be in a file: NAME_FILE. Problems do not show the path, because it may be the secret by mistake. */
  const secret = (name: string): string | null => {
    const path = text(`${name}_FILE`);
    if (path === null) return text(name);
    try {
      const content = readFileSync(path, "utf8").trim();
      if (content === "") problems.push(`${name}_FILE: the file is empty`);
      return content === "" ? null : content;
    } catch (error) {
      problems.push(`${name}_FILE: the file cannot be read (${codeOf(error)})`);
      return null;
    }
  };
  const problem = (said: string) => void problems.push(said);
  return { text, secret, problem, ...words(text, problems), ...addresses(text, secret, problems) };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "no file";
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
  /** As `URL` writes it, so that nothing is compared with another spelling of `http:`. */
  const url = (name: string, protocols: string[]): string | null => {
    const value = text(name);
    if (value === null) return null;
    const parsed = URL.parse(value);
    if (parsed !== null && protocols.includes(parsed.protocol)) return parsed.href.replace(/\/+$/, "");
    // A URL may contain a password or a token, in any part.
    problems.push(`${name}: the value is not a ${protocols.join(" or ")} URL`);
    return null;
  };
  const networks = (name: string): string[] => {
    const ranges = (text(name) ?? "")
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "");
    const isWrong = (range: string) => !isRange(range);
    for (const range of ranges.filter(isWrong))
      problems.push(`${name}: ${JSON.stringify(range)} is not an IP address or range`);
    return ranges.filter(isRange);
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
        problems.push(...tlsFileProblems(value).map((problem) => `${name}: ${problem}`));
        return value.replace(/\/+$/, "");
      } catch (error) {
        problems.push(`${name}: ${error instanceof Error ? error.message : error}`);
        return null;
      }
    },
    networks,
    /** Networks whose members may say from which address a call came. */
    proxies(name: string): string[] {
      const ranges = networks(name);
      for (const range of ranges.filter(hasStrangers))
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
