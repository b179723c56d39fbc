/** Passkeys of members and operators, created and checked by the WebAuthn library. The device always verifies the user. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";

/** Loads the library at its first use. Its 300 or so modules would slow down the start of every process. */
const webauthn = () => import("@simplewebauthn/server");

/** Options for the authenticator, and the uuid that its answer is sent back with. */
export type PasskeyRequest<Options> = { uuid: string; options: Options };
export type NewPasskeyRequest = PasskeyRequest<PublicKeyCredentialCreationOptionsJSON>;
export type PasskeySignInRequest = PasskeyRequest<PublicKeyCredentialRequestOptionsJSON>;

/** What is stored about a passkey to check its signatures. */
export type PasskeyKey = { credentialId: string; publicKey: Buffer; counter: number; transports: string[] };

/** The relying party: the host name and the exact origin of the pages at this URL. */
function partyOf(url: string): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(url);
  return { rpID: hostname, origin };
}

type Owner = { uuid: string; email: string; name: string };

/** Options with which a browser creates a passkey. `existing` keeps a device from creating a second one. */
export async function newPasskeyOptions(
  url: string,
  { uuid, email, name }: Owner,
  existing: readonly Described[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webauthn();
  return await generateRegistrationOptions({
    rpName: "Countersign",
    rpID: partyOf(url).rpID,
    userID: new TextEncoder().encode(uuid),
    userName: email,
    userDisplayName: name,
    attestationType: "none",
    excludeCredentials: described(existing),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** The new passkey in a browser's answer. Null if it does not match the challenge. */
export async function readNewPasskey(
  url: string,
  credential: RegistrationResponseJSON,
  expectedChallenge: string | null,
): Promise<(PasskeyKey & { isSynced: boolean }) | null> {
  if (expectedChallenge === null) return null;
  const { rpID, origin } = partyOf(url);
  const { verifyRegistrationResponse } = await webauthn();
  const verified = await verifyRegistrationResponse({
    response: credential,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(() => null);
  const registration = verified?.registrationInfo;
  if (registration === undefined) return null;
  const { id, publicKey, counter, transports = [] } = registration.credential;
  const isSynced = registration.credentialBackedUp;
  return { credentialId: id, publicKey: Buffer.from(publicKey), counter, transports, isSynced };
}

type Described = Pick<PasskeyKey, "credentialId" | "transports">;

/** Options with which a browser signs. The person chooses the passkey, among `allowed` if they are known. */
export async function passkeySignInOptions(
  url: string,
  allowed: readonly Described[] = [],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webauthn();
  const options = { rpID: partyOf(url).rpID, userVerification: "required" as const };
  return await generateAuthenticationOptions({
    ...options,
    ...(allowed.length > 0 && { allowCredentials: described(allowed) }),
  });
}

function described(passkeys: readonly Described[]) {
  return passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports }));
}

/** The passkey's new counter. Null if the signature is wrong. */
export async function checkSignature(
  url: string,
  credential: AuthenticationResponseJSON,
  { expectedChallenge, known }: { expectedChallenge: string; known: PasskeyKey },
): Promise<number | null> {
  const { rpID, origin } = partyOf(url);
  const { publicKey, counter, credentialId, transports } = known;
  const { verifyAuthenticationResponse } = await webauthn();
  const verified = await verifyAuthenticationResponse({
    response: credential,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter, transports },
  }).catch(() => null);
  return verified?.verified === true ? verified.authenticationInfo.newCounter : null;
}
