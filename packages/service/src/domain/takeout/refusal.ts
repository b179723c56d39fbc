/** The error codes of OAuth and OpenID4VCI that we use. */
export type WalletErrorCode =
  | "invalid_request"
  | "invalid_grant"
  | "invalid_client"
  | "unsupported_grant_type"
  | "invalid_token"
  | "invalid_credential_request"
  | "unknown_credential_configuration"
  | "invalid_proof"
  | "invalid_nonce";

/** A refusal with an error code of OAuth, which wallets understand. */
export class WalletRefusal extends Error {
  override name = "WalletRefusal";
  readonly error: WalletErrorCode;
  constructor(error: WalletErrorCode, message: string) {
    super(message);
    this.error = error;
  }
  get status(): number {
    return this.error === "invalid_token" ? 401 : 400;
  }
}
