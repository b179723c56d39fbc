/** What identifies a wallet app: its host, or the scheme of an app, which is a domain name in reverse. */
export function walletNameOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === "https:" ? host : protocol.slice(0, -1);
}
