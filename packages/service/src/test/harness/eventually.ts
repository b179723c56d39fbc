/**
 * Looks until there is a value, for what the service does in the background after its answer. No count of looks ends
 * the wait, because looks are faster than a busy service. The test file's timeout does.
 */
export async function eventually<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
