/** Readers for the types of environment variables. */
import { readFileSync } from "node:fs";
import { isIP } from "node:net";

export type Source = Record<string, string | undefined>;

export function isLoopback(name: string): boolean {
  return name === "localhost" || name === "::1" || name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name);
}

/** Readers for single variables. They add errors to `problems`. */
export function reader(source: Source, problems: string[]) {
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
  return { text, secret, problem, ...numbers(text, problems), ...addresses(text, secret, problems) };
}

type Text = (name: string) => string | null;

function numbers(text: Text, problems: string[]) {
  return {
    port(name: string, otherwise: number): number {
      const value = text(name);
      if (value === null) return otherwise;
      const port = Number(value);
      if (/^\d{1,5}$/.test(value) && port <= 65_535) return port;
      problems.push(`${name}: ${JSON.stringify(value)} is not a port (0 to 65535)`);
      return otherwise;
    },
    /** An integer within bounds. The error message names the bounds. */
    count(name: string, otherwise: number, [least, most]: readonly [number, number]): number {
      const value = text(name);
      if (value === null) return otherwise;
      const count = Number(value);
      if (/^\d{1,9}$/.test(value) && count >= least && count <= most) return count;
      problems.push(`${name}: ${JSON.stringify(value)} is not a whole number from ${least} to ${most}`);
      return otherwise;
    },
    flag(name: string, otherwise: boolean): boolean {
      const value = text(name)?.toLowerCase();
      if (value === undefined) return otherwise;
      if (["on", "true", "1", "yes"].includes(value)) return true;
      if (["off", "false", "0", "no"].includes(value)) return false;
      problems.push(`${name}: ${JSON.stringify(value)} is neither on nor off`);
      return otherwise;
    },
    /** A list of words, where `all` means every word. The default is `all`. */
    roles<Word extends string>(name: string, words: readonly Word[]): ReadonlySet<Word> {
      const given = (text(name) ?? "all").split(",").map((word) => word.trim().toLowerCase());
      const wrong = given.filter((word) => word !== "all" && !words.some((one) => one === word));
      if (wrong.length > 0) problems.push(`${name}: ${wrong.join(", ")} is none of all, ${words.join(", ")}`);
      return new Set(given.includes("all") ? words : words.filter((word) => given.includes(word)));
    },
    oneOf(name: string, words: string[], otherwise: string): string {
      const value = text(name) ?? otherwise;
      if (words.includes(value)) return value;
      problems.push(`${name}: ${JSON.stringify(value)} is none of ${words.join(", ")}`);
      return otherwise;
    },
  };
}

function addresses(text: Text, secret: Text, problems: string[]) {
  const url = (name: string, protocols: string[], value = text(name)): string | null => {
    if (value === null) return null;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value.replace(/\/+$/, "");
    problems.push(
      `${name}: ${name === "DATABASE_URL" ? "the value" : JSON.stringify(value)} is not a ${protocols.join(" or ")} address`,
    );
    return null;
  };
  return {
    url: (name: string) => url(name, ["http:", "https:"]),
    /** The URL contains a password, so it can be in a file as well. */
    postgres: (name: string) => url(name, ["postgres:", "postgresql:"], secret(name)),
    networks(name: string): string[] {
      const ranges = (text(name) ?? "")
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== "");
      for (const range of ranges)
        if (!isRange(range)) problems.push(`${name}: ${JSON.stringify(range)} is not an address or a range`);
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

function isRange(range: string): boolean {
  const [, address = "", prefix = "1"] = /^([0-9a-f.:]+)(?:\/([1-9]\d{0,2}))?$/i.exec(range) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(prefix) <= (family === 4 ? 32 : 128);
}
