import { useEffect } from "preact/hooks";

/** Takes the code out of a text that is bound to this host, where the browser offers that and the person agrees. */
export function useWebOtp(onCode: (code: string) => void): void {
  useEffect(() => {
    if (!("OTPCredential" in window) || navigator.credentials === undefined) return;
    const stop = new AbortController();
    const wanted: CredentialRequestOptions & { otp: { transport: string[] } } = {
      otp: { transport: ["sms"] },
      signal: stop.signal,
    };
    navigator.credentials
      .get(wanted)
      .then((found) => {
        if (found !== null && "code" in found && typeof found.code === "string") onCode(found.code);
      })
      .catch(() => {
        // Refused, or the screen is gone: the box is still there.
      });
    return () => stop.abort();
  }, []);
}
