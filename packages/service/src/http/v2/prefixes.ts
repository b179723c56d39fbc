/** The path prefixes of both v2 generations. */
export const versionPrefixes: readonly string[] = ["/v2", "/v2.1"];
/** For paths that no v1 path conflicts with: they also work without a prefix. */
export const allPrefixes: readonly string[] = ["", ...versionPrefixes];
