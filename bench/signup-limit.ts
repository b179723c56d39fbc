/**
 * The upper bound for PostgreSQL: pgbench runs the statements of one request, prepared and in the same transactions.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { boundTo, type Place } from "./cores.ts";

/** A statement with its values as text. */
export type Statement = { text: string; values: (string | null)[] };
/** A pgbench script, and the values that are the same in every run. */
export type Script = { path: string; constants: string[] };

const clients = 16;
/** A UUID, either alone or as the only element of an array. */
const uuidPattern = /^(\{")?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:"\})?$/;
/** Two of these numbers concatenated have enough digits for a UUID. */
const half = "random(1000000000000000, 9999999999999999)";

/** Finds pgbench in Debian's folder or in the path. Null if there is none. */
export function findPgbench(): string | null {
  const places = [...globSync("/usr/lib/postgresql/*/bin/pgbench"), "pgbench"];
  return places.find((path) => spawnSync(path, ["--version"]).status === 0) ?? null;
}

/**
 * Writes a script from the statements of two identical requests. UUIDs that differ between the two are new in each run;
 * all other values stay the same.
 */
export async function writeScript(path: string, [first, second]: readonly [Statement[], Statement[]]): Promise<Script> {
  const constants: string[] = [];
  const fresh: string[] = [];
  const lines = first.map(({ text, values }, at) => {
    const written = values.map((value, place) => {
      if (value === null) return "null";
      const [, array, uuid] = uuidPattern.exec(value) ?? [];
      if (uuid !== undefined && second[at]?.values[place] !== value) {
        if (!fresh.includes(uuid)) fresh.push(uuid);
        const number = fresh.indexOf(uuid);
        const made = `((:a${number})::text || (:b${number})::text)::uuid`;
        return array === undefined ? made : `array[${made}]`;
      }
      constants.push(value);
      return `:c${constants.length - 1}`;
    });
    return `${text.replace(/\$(\d+)/g, (_, number) => written[Number(number) - 1] ?? "null")};`;
  });
  const halves = fresh.flatMap((_, number) => [`\\set a${number} ${half}`, `\\set b${number} ${half}`]);
  await writeFile(path, `${[...halves, ...lines].join("\n")}\n`);
  return { path, constants };
}

export type Database = { host: string; port: number; user: string; database: string };

/** Returns transactions per second. */
export async function runPgbench(
  pgbench: string,
  { host, port, user, database }: Database,
  script: Script,
  { seconds, place }: { seconds: number; place: Place },
): Promise<number> {
  const constants = script.constants.flatMap((value, number) => ["-D", `c${number}=${value}`]);
  const how = ["-n", "-M", "prepared", "-c", `${clients}`, "-j", "1", "-T", `${seconds}`, "-f", script.path];
  const where = ["-h", host, "-p", `${port}`, "-U", user, database];
  const child = spawn(...boundTo(place, [pgbench, ...how, ...constants, ...where]));
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part) => {
      said += part;
    });
  await once(child, "close");
  const rate = /tps = ([\d.]+)/.exec(said)?.[1];
  if (rate === undefined || /aborted/.test(said)) throw new Error(`pgbench failed: ${said}`);
  return Number(rate);
}
