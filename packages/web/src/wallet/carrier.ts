/** How long the redirect to the carrier and back may take, in milliseconds. */
const deadlineMs = 15_000;

/** Opens the one-use URL that redirects the device to its carrier and back. Returns whether it proved a phone. */
export async function askCarrier(location: string): Promise<boolean> {
  try {
    const answer = await fetch(location, {
      credentials: "omit",
      cache: "no-store",
      signal: AbortSignal.timeout(deadlineMs),
    });
    return answer.ok;
  } catch {
    return false;
  }
}
