/** The wallet's URL without a trailing slash. Undefined if the URL is invalid. */
export function readWalletUrl(walletUrl: unknown): URL | undefined {
  try {
    const url = new URL(String(walletUrl).replace(/\/+$/, ""));
    return /^https?:$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The frame's URL, which identifies the session by a hash of its key. URLs end up in logs and histories, so the key
 * itself is sent by message. Rejects if the page has no WebCrypto, as on plain http outside localhost.
 */
export async function frameAddress(wallet: URL, sessionKey: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(sessionKey));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
  const base64url = base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${wallet.origin}${wallet.pathname.replace(/\/+$/, "")}/sdk?s=${base64url}`;
}
