const statuses = { invalid_token: 401 } satisfies Record<string, number>;

/** The errors that OAuth and OpenID4VCI have names for. */
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

/** A refusal in the words of OAuth, which wallets understand. */
export class WalletRefusal extends Error {
  override name = "WalletRefusal";
  readonly error: WalletErrorCode;
  constructor(error: WalletErrorCode, message: string) {
    super(message);
    this.error = error;
  }
  get status(): number {
    return this.error === "invalid_token" ? statuses.invalid_token : 400;
  }
}
