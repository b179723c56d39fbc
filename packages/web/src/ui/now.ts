/** This device's time, Unix milliseconds. What a deadline decides is counted from the service's time instead. */
export function deviceNow(): number {
  return performance.timeOrigin + performance.now();
}
