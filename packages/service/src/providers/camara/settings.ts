import type { KeyObject } from "node:crypto";

/** How this service shows the authorization server who it is. */
export type ClientProof =
  /** What CAMARA's profile demands: a short-lived assertion signed with our own key. */
  { kind: "key"; key: KeyObject; keyId: string } | { kind: "secret"; secret: string };

export type CamaraSettings = {
  authorizeUrl: string;
  tokenUrl: string;
  /** Up to and including the version, as `https://operator.example/number-verification/v2`. */
  apiUrl: string;
  issuer: string;
  clientId: string;
  proof: ClientProof;
  /** Registered with the operator, byte for byte; what arrives there is passed on to `finish`. */
  redirectUrl: string;
  /** Why people's data is asked for, as CAMARA wants it: one `dpv:` word. */
  purpose: string;
  /** Ranges that the operator's phones come from; none: any public address may be one. */
  networks: readonly string[];
  /** Whether a number to be verified is sent as its SHA-256. */
  hashed: boolean;
};
