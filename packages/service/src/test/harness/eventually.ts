/**
 * Polls until there is a value, for what the service does in the background after its answer. Only the test file's
 * timeout ends the wait, because a busy service can be slow.
 */
export async function eventually<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
