/**
 * Replaces the browser's Digital Credentials API, which has no wallet app here, with the sandbox's test wallet. The test
 * sets the ID or the mistake in `window.testAnswer`. Counts the requests.
 */
export const withWalletApp = `{
  window.DigitalCredential = class {};
  window.asked = 0;
  const { credentials } = navigator;
  const others = credentials.get.bind(credentials);
  credentials.get = async (options) => {
    const { digital } = options;
    if (digital === undefined) return await others(options);
    window.asked += 1;
    const { protocol = "openid4vp", ...chosen } = window.testAnswer ?? {};
    const request = digital.requests.find((one) => one.protocol.startsWith(protocol));
    const response = await fetch("/demo/state-id/answer", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: "california", ...chosen, request }),
    });
    return await response.json();
  };
}`;
