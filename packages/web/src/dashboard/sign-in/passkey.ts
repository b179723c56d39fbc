/** The browser side of passkeys. Browsers without support do not offer them. */
const { PublicKeyCredential: Passkey } = window;

export const passkeysWork = Passkey !== undefined && "parseCreationOptionsFromJSON" in Passkey;

/** Creates a passkey. Null if the person or the device refused. */
export async function createPasskey(options: PublicKeyCredentialCreationOptionsJSON) {
  const publicKey = Passkey.parseCreationOptionsFromJSON(options);
  const made = await navigator.credentials.create({ publicKey }).catch(() => null);
  if (!(made instanceof Passkey)) return null;
  const { response, ...credential } = made.toJSON();
  return "attestationObject" in response ? { ...named(credential), response } : null;
}

/** Signs with a passkey that the person chooses. Null if the person or the device refused. */
export async function askPasskey(options: PublicKeyCredentialRequestOptionsJSON) {
  const publicKey = Passkey.parseRequestOptionsFromJSON(options);
  const made = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!(made instanceof Passkey)) return null;
  const { response, ...credential } = made.toJSON();
  return "signature" in response ? { ...named(credential), response } : null;
}

function named({ id, rawId }: { id: string; rawId: string }) {
  return { id, rawId, type: "public-key" as const, clientExtensionResults: {} };
}
