import { errorExample, refusalExample, statusName } from "@countersign/contract/error-examples";
import { catalog, type ErrorCode, type ErrorEnvelope, statusNames } from "@countersign/contract/errors";

const families = [
  { prefix: "ERR", title: "Any endpoint" },
  { prefix: "OCE", title: "1-Click" },
  { prefix: "OCV", title: "Verification" },
  { prefix: "SKE", title: "SDK" },
];

/** The meaning of each error without a code. The generator fails if a status of the catalog is missing. */
const refusals: Record<number, string> = {
  400: "The request could not be understood.",
  401: "No API key was sent, or it is unknown, revoked, or not allowed from this IP address.",
  403: "The key is valid, but the brand is not approved for this call or has switched it off.",
  404: "The path does not exist, or you have no such object.",
  405: "The path exists, but not with this method.",
  408: "The request took too long to arrive.",
  409: "The request conflicts with the current state.",
  413: "The body is larger than the endpoint accepts: 1 MiB unless stated otherwise.",
  414: "The URL is too long.",
  415: "The body is not `application/json`.",
  418: "A valid API key was used from a browser. It has leaked: replace it, and call from your server.",
  422: "The request is well-formed but cannot be processed.",
  429: "A limit is reached. Wait for the number of seconds in the `Retry-After` header. Without this header, wait longer after each try.",
  431: "The request's headers are too large.",
  500: "The service failed. Try again, and include the request's id when you ask for help.",
  503: "The service is temporarily unavailable. Try again after the number of seconds in `Retry-After`.",
};

/** `docs/reference/errors.md`: the complete error catalog for API callers. */
export function errorsMarkdown(): string {
  const codes = codesOf();
  const sections = families.flatMap(({ prefix, title }) => {
    const own = codes.filter((code) => code.startsWith(prefix));
    return [`## ${title}`, ...own.map(section)];
  });
  return `${[preamble(codes), ...sections, refusalsSection(), next].join("\n\n")}\n`;
}

const next = `## What to do next

- [Test people](test-people.md) lists phones, devices and inputs that cause an error in the sandbox.
- The [API reference](api.md) lists the codes of each endpoint.`;

function codesOf(): ErrorCode[] {
  const known = (name: string): name is ErrorCode => name in catalog;
  const codes = Object.keys(catalog).filter(known);
  const homeless = codes.filter((code) => !families.some(({ prefix }) => code.startsWith(prefix)));
  if (homeless.length > 0) throw new Error(`tools/errors-doc.ts has no family for ${homeless.join(", ")}.`);
  return codes;
}

function preamble(codes: ErrorCode[]): string {
  const rows = codes.map((code) => {
    const cells = [errorExample(code).message, catalog[code].fix].map((text) => text.replaceAll("|", "\\|"));
    return `| [${code}](#${code.toLowerCase()}) | ${catalog[code].status} | ${cells.join(" | ")} |`;
  });
  return [
    "---\ntitle: Errors\norder: 5\n---",
    "<!-- Generated from packages/contract/src/errors.ts by `npm run generate`. -->",
    "# Errors",
    "This page explains what each error code means and what to do about it. Every failure has the same five keys: `name`, `message`, `code` (the HTTP status), `className` and `data`. `data` " +
      "always has `requestId`, which is also the `X-Request-Id` header. Branch on `data.errorCode`; messages are for developers " +
      "and may change. The API reference lists the codes of each endpoint.",
    '<TableFilter label="Find a code or a word" />',
    ["| Code | Status | Message | What to do |", "|---|---|---|---|", ...rows].join("\n"),
  ].join("\n\n");
}

function section(code: ErrorCode): string {
  const { status, cause, fix, data } = catalog[code];
  const required: readonly string[] = data.required ?? [];
  const members = Object.keys(data.properties).map(
    (name) => `\`${name}\`${required.includes(name) ? "" : " (optional)"}`,
  );
  const example = errorExample(code);
  return [
    `### ${code}`,
    `${status} ${statusName(status).name}: “${example.message}”`,
    [
      `- **Cause:** ${cause}`,
      `- **Fix:** ${fix}`,
      `- **Members of \`data\`:** ${["`errorCode`", ...members, "`requestId`"].join(", ")}`,
    ].join("\n"),
    json(example),
  ].join("\n\n");
}

function refusalsSection(): string {
  const rows = Object.entries(statusNames).map(([status, { name, className }]) => {
    const meaning = refusals[Number(status)];
    if (meaning === undefined) throw new Error(`tools/errors-doc.ts does not say what a ${status} means.`);
    return `| ${status} | \`${name}\` | \`${className}\` | ${meaning} |`;
  });
  return [
    "## Errors without a code",
    "These errors have the same envelope, without `errorCode` in `data`.",
    ["| Status | `name` | `className` | Meaning |", "|---|---|---|---|", ...rows].join("\n"),
    json(refusalExample(401)),
  ].join("\n\n");
}

/** Formats an envelope on two lines. With one member per line, examples would dominate the page. */
function json({ data, ...rest }: ErrorEnvelope): string {
  const outer = Object.entries(rest).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  return `\`\`\`json\n{ ${outer.join(", ")},\n  "data": ${spaced(data)} }\n\`\`\``;
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `"${name}": ${spaced(member)}`)
    .join(", ")} }`;
}
