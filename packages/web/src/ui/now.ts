/** The device's time in Unix milliseconds. Deadlines use the service's time instead. */
export function deviceNow(): number {
  return performance.timeOrigin + performance.now();
}
