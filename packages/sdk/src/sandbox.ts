import { type SandboxApi, sandboxOperations } from "./sandbox-operations.ts";
import { type ClientOptions, clientOf } from "./server.ts";

export type { SandboxApi } from "./sandbox-operations.ts";

/**
 * A client that controls the sandbox, for your tests: its texts, clock, brands, webhooks and reset. Production has none
 * of these calls.
 *
 * ```ts
 * const sandbox = sandboxClient({ apiUrl: "http://localhost:4000", apiKey });
 * await sandbox.moveSandboxClock({ advanceMs: 6 * 60_000 });
 * ```
 *
 * Calls have the same parameters, options and errors as those of `countersignClient`.
 */
export function sandboxClient(options: ClientOptions): SandboxApi {
  return clientOf<SandboxApi>(options, sandboxOperations);
}
