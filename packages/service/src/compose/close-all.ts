type Close = () => Promise<unknown> | undefined;

/**
 * Closes one group after the other, and the members of a group together. If some fail, the others are still closed, and
 * the first error is thrown at the end.
 */
export async function closeAll(...groups: readonly (readonly Close[])[]): Promise<void> {
  const outcomes: PromiseSettledResult<unknown>[] = [];
  for (const group of groups) outcomes.push(...(await Promise.allSettled(group.map(async (close) => await close()))));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}
