/** Tabs of one browser tell each other that the person who is signed in, or their proof, may have changed. */
export type Tabs = { tell(): void; close(): void };

/** Calls `told` when another tab tells. A browser without such messages hears nothing. */
export function onTold(told: () => void): Tabs {
  let channel: BroadcastChannel | null = null;
  try {
    channel = new BroadcastChannel("countersign-account");
    channel.addEventListener("message", told);
  } catch {
    // The tab still checks when it is shown again.
  }
  return { tell: () => channel?.postMessage("changed"), close: () => channel?.close() };
}
