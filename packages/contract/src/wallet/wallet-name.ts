/** The name of a wallet app: its host, or the scheme of its redirect URI, which is a reversed domain name. */
export function walletNameOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === "https:" ? host : protocol.slice(0, -1);
}
