/** WebAuthn messages between an authenticator and the server. The WebAuthn library creates and checks them. */
import { stringEnum, t } from "../primitives.ts";

type Descriptor = { id: string; type: string; transports?: string[] };
type Wish = "required" | "preferred" | "discouraged";
/** Options for the creation of a passkey. */
export const NewPasskeyOptions = t.Unsafe<{
  rp: { name: string; id?: string };
  user: { id: string; name: string; displayName: string };
  challenge: string;
  pubKeyCredParams: { type: "public-key"; alg: number }[];
  timeout?: number;
  excludeCredentials?: Descriptor[];
  authenticatorSelection?: { residentKey?: Wish; requireResidentKey?: boolean; userVerification?: Wish };
  attestation?: "none" | "indirect" | "direct" | "enterprise";
}>({ type: "object", additionalProperties: true });
/** Options for a sign-in with an existing passkey. */
export const PasskeyOptions = t.Unsafe<{
  challenge: string;
  timeout?: number;
  rpId?: string;
  allowCredentials?: Descriptor[];
  userVerification?: Wish;
}>({ type: "object", additionalProperties: true });
const Credential = t.Object({
  id: t.String({ minLength: 1, maxLength: 2000 }),
  rawId: t.String({ minLength: 1, maxLength: 2000 }),
  type: t.Literal("public-key"),
  authenticatorAttachment: t.Optional(stringEnum("platform", "cross-platform")),
  clientExtensionResults: t.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true }),
});
const Bytes = t.String({ maxLength: 20_000 });
export const NewCredential = t.Object({
  ...Credential.properties,
  response: t.Object({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: t.Optional(t.Array(t.String({ maxLength: 20 }), { maxItems: 10 })),
  }),
});
export const Assertion = t.Object({
  ...Credential.properties,
  response: t.Object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: t.Optional(t.String({ maxLength: 200 })),
  }),
});
