/** The part of the reference that has a route, by what the route contains. The first one that fits counts. */
const tags: readonly (readonly [RegExp, string])[] = [
  [/^\/sandbox\//, "sandbox-control"],
  [/^\/v2\/1-click\/verifications/, "1-click-verify"],
  [/^\/v2\/1-click\/health/, "1-click-health"],
  [/^\/v2\/1-click/, "1-click-signup"],
  [/^\/v2\/client\//, "sdk"],
  [/^\/v2\/(credentials|jsonSchema)/, "issuance"],
];
const ofV1 = /^\/1-click(\/trusted|\/:uuid|\/:uuid\/credentials)?$/;

/**
 * The place in the API reference where a call can be tried again, with the subject filled in. Null for a route that the
 * reference does not have.
 */
export function referenceOf(
  { method, route, subjectUuid }: { method: string; route: string; subjectUuid: string | null },
  apiUrl: string,
): string | null {
  // The reference lists one of the prefixes that a route has.
  const path = ofV1.test(route)
    ? route
    : route.startsWith("/v2.1/")
      ? route.replace("/v2.1/", "/v2/")
      : /^\/(v2|sandbox)\//.test(route)
        ? route
        : `/v2${route}`;
  const tag = ofV1.test(route) ? "v1-legacy" : tags.find(([pattern]) => pattern.test(path))?.[1];
  if (tag === undefined) return null;
  const named = path.replace(/:(\w+)/g, "{$1}");
  // Only a single path parameter is certain to be the subject.
  const filled = subjectUuid !== null && path.split("/:").length === 2 ? `?subject=${subjectUuid}` : "";
  const page = ofV1.test(route) ? "api-v1" : "api";
  return `${apiUrl}/docs/reference/${page}${filled}#tag/${tag}/${method}${named}`;
}
