import type { KeyObject } from "node:crypto";

/** How this service authenticates to the authorization server. */
export type ClientProof =
  /** Required by CAMARA's profile: a short-lived assertion signed with our own key. */
  { kind: "key"; key: KeyObject; keyId: string } | { kind: "secret"; secret: string };

export type CamaraSettings = {
  authorizeUrl: string;
  tokenUrl: string;
  /** The base URL with the version, such as `https://operator.example/number-verification/v2`. */
  apiUrl: string;
  issuer: string;
  clientId: string;
  proof: ClientProof;
  /** Registered with the operator, byte for byte. The query that arrives there is passed on to `finish`. */
  redirectUrl: string;
  /** The purpose of the request for people's data, as CAMARA requires it: one `dpv:` word. */
  purpose: string;
  /** Address ranges of the operator's phones. If empty, any public address may be one. */
  networks: readonly string[];
  /** Whether a number to verify is sent as its SHA-256. */
  hashed: boolean;
};
