import { endLargeScope, holdLarge, largeBytesMax, newLargeScope, runInLargeScope } from "../../domain/large-values.ts";

/** Runs a function while all memory for large values is held, and no more requests may wait for it: they get 429. */
export async function whileFull(run: () => Promise<void>): Promise<void> {
  const scopes = Array.from({ length: 51 }, () => newLargeScope());
  const holds = scopes.map((scope) => runInLargeScope(scope, () => holdLarge(largeBytesMax, { mayWait: true })));
  await holds[0];
  await run();
  for (const [at, scope] of scopes.entries()) {
    await holds[at];
    endLargeScope(scope);
  }
}
