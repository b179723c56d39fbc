/** How long a stopping process still answers requests, and then how long it waits for those in progress. */
export type Grace = { delayMs: number; drainMs: number };

/**
 * How long a stopping process waits for requests in progress, in milliseconds. A client that never finishes cannot
 * delay the stop further.
 */
export const drainMs = 4_000;
/** How long a stop may take beyond its grace before the process exits anyway. */
const deadlineMs = 5_500;

export async function stopWithin({ delayMs, drainMs }: Grace, stop: () => Promise<void>): Promise<void> {
  const cut = setTimeout(() => process.exit(1), delayMs + drainMs + deadlineMs);
  await stop();
  clearTimeout(cut);
}
