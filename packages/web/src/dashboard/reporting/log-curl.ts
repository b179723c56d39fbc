import type { LogLine } from "@countersign/contract/dashboard-reporting";

/**
 * The call as a shell command. The log has neither the key nor the body, so the command reads them from a variable and
 * a file.
 */
export function curlOf(line: LogLine, apiUrl: string): string {
  const { method, route, subjectUuid } = line;
  // Only a single path parameter is certain to be the subject.
  const isOne = route.split("/:").length === 2;
  const path = route.replace(/:(\w+)/g, (_, name) => (isOne && subjectUuid !== null ? subjectUuid : `<${name}>`));
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}'${apiUrl}${path}'`,
    `-H "Authorization: $COUNTERSIGN_KEY"`,
    ...(hasBody(line) ? ["-H 'Content-Type: application/json'", "-d @body.json"] : []),
  ].join(" \\\n  ");
}

export function hasBody({ method }: LogLine): boolean {
  return !["GET", "DELETE"].includes(method);
}
