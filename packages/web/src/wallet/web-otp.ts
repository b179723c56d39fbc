import { useEffect } from "preact/hooks";

/** Reads the code from a text that is bound to this host, if the browser supports it and the person agrees. */
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
        // The person refused, or left the screen. They can still type the code.
      });
    return () => stop.abort();
  }, []);
}
