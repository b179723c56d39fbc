/** Does the same as `curl -s [-X METHOD] [-H HEADER]… [-d BODY] ADDRESS`, for machines without curl. */
import { parseArgs } from "node:util";

const [statusMark = "", ...args] = process.argv.slice(2);
const { values, positionals } = parseArgs({
  args,
  allowPositionals: true,
  options: {
    silent: { type: "boolean", short: "s" },
    request: { type: "string", short: "X" },
    header: { type: "string", short: "H", multiple: true },
    data: { type: "string", short: "d" },
  },
});
const [address = ""] = positionals;
const headers = (values.header ?? []).map((line): [string, string] => {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
});
const response = await fetch(address.includes("://") ? address : `http://${address}`, {
  method: values.request ?? (values.data === undefined ? "GET" : "POST"),
  headers,
  body: values.data,
});
process.stdout.write(`${await response.text()}\n`);
process.stderr.write(`${statusMark}${response.status}\n`);
