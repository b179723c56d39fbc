/** Milliseconds of each call, after the same number of warm-up calls. */
export async function timed(count: number, run: () => unknown): Promise<number[]> {
  for (let time = 0; time < count; time += 1) await run();
  const taken: number[] = [];
  for (let time = 0; time < count; time += 1) {
    const began = performance.now();
    await run();
    taken.push(performance.now() - began);
  }
  return taken;
}

export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
