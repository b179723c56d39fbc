/** URLs of PostgreSQL with several hosts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { readHosts } from "../../config/database-url.ts";

/** What the driver makes of a URL. */
function readByDriver(url: string) {
  const { host, port, user, password, database } = new pg.Client({ connectionString: url });
  return [host, port, user, password, database];
}

test("each host gets a URL of its own, with the same login, database and parameters", () => {
  const { urls, accepts } = readHosts(
    "postgresql://ann:a%40b,c@h1:5433,h2,[::1]:5434/db?target_session_attrs=read-write&application_name=x",
  );
  assert.equal(accepts, "read-write");
  const login = ["ann", "a@b,c", "db"];
  assert.deepEqual(
    urls.map(readByDriver),
    [
      ["h1", 5433],
      ["h2", 5432],
      ["::1", 5434],
    ].map((at) => [...at, ...login]),
  );
  for (const url of urls) assert.match(url, /\?application_name=x$/);
});

test("hosts can be in the query, each with its port or all with one port", () => {
  const read = (query: string) =>
    readHosts(`postgres:///db?user=ann&${query}`).urls.map((url) => readByDriver(url).slice(0, 3));
  assert.deepEqual(read("host=/a,/b&port=5433,5434"), [
    ["/a", 5433, "ann"],
    ["/b", 5434, "ann"],
  ]);
  assert.deepEqual(read("host=/a,h2&port=6432"), [
    ["/a", 6432, "ann"],
    ["h2", 6432, "ann"],
  ]);
  assert.deepEqual(read("host=/a"), [["/a", 5432, "ann"]]);
});

test("a single host without target_session_attrs may accept writes or not", () => {
  assert.deepEqual(readHosts("postgres://h/db"), { urls: ["postgres://h/db"], accepts: "any" });
});

const refused: [url: string, message: RegExp][] = [
  ["postgres://u:secret@h1,h2/db?target_session_attrs=primary", /^target_session_attrs must be one of any, read-write/],
  ["postgres://u:secret@h1:99999,h2/db", /^a host or its port cannot be read$/],
  ["postgres://u:secret@h1,/db", /^a host or its port cannot be read$/],
  ["postgres://u:secret@:5432,h2/db", /^a host or its port cannot be read$/],
  ["postgres://u:secret@/db?host=a,b,c&port=1,2", /^each host needs a port, or all share one$/],
  [`postgres://u:secret@${Array.from({ length: 9 }, (_, at) => `h${at}`).join()}/db`, /^at most 8 hosts/],
  ["http://u:secret@h/db", /^the value is not a postgres: or postgresql: URL$/],
];

test("a wrong URL is refused by name, without its password", () => {
  for (const [url, message] of refused)
    assert.throws(
      () => readHosts(url),
      (error: Error) => message.test(error.message) && !error.message.includes("secret"),
      url,
    );
});
