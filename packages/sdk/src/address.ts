/** The address of a wallet, without a slash at its end; undefined where it is none. */
export function readWalletUrl(walletUrl: unknown): URL | undefined {
  try {
    const url = new URL(String(walletUrl).replace(/\/+$/, ""));
    return /^https?:$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The frame's address names the session without giving its key away: addresses end up in logs and histories. The key
 * itself follows by message. Rejects where the page has no WebCrypto, which is on plain http other than localhost.
 */
export async function frameAddress(wallet: URL, sessionKey: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(sessionKey));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
  const base64url = base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${wallet.origin}${wallet.pathname.replace(/\/+$/, "")}/sdk?s=${base64url}`;
}
