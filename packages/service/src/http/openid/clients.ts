/** The clients of the OpenID Provider: brands that have redirect URIs. */
import { openidScopes, ssnScope } from "@countersign/contract/openid-claims";
import { isUuid } from "@countersign/contract/primitives";
import type { AdapterPayload } from "oidc-provider";
import { findActiveBrand } from "../../domain/brand/brand-rows.ts";
import { plainTarget } from "../../domain/brand/redirect.ts";
import type { Brand, HomeDeps } from "../../domain/deps.ts";

/** The brand of a client. Null for a brand that is not a client, or that the operator restricts. */
export async function findClientBrand(homeDeps: HomeDeps, clientId: string): Promise<Brand | null> {
  if (!isUuid(clientId) || clientId !== clientId.toLowerCase()) return null;
  const brand = await findActiveBrand(homeDeps.home, homeDeps.environment, clientId);
  return brand === null || redirectUrisOf(homeDeps, brand).length === 0 ? null : brand;
}

/** The redirect URIs that this environment allows. A fragment is never part of one. */
function redirectUrisOf({ policy: { loopbackRedirects } }: HomeDeps, { settings }: Brand): string[] {
  return settings.openid.redirectUris.filter(
    (uri) => !uri.includes("#") && plainTarget(uri, { loopback: loopbackRedirects }) !== null,
  );
}

/**
 * A brand as client metadata. `placeholderSecret` is never compared: secrets are API keys, which are stored as hashes.
 */
export async function findClient(
  homeDeps: HomeDeps,
  clientId: string,
  { placeholderSecret }: { placeholderSecret: string },
): Promise<AdapterPayload | undefined> {
  const brand = await findClientBrand(homeDeps, clientId);
  if (brand === null) return undefined;
  const { externalName, openid } = brand.settings;
  const scopes = Object.keys(openidScopes).filter((one) => one !== ssnScope || brand.approvals.has("openidSsn"));
  return {
    client_id: brand.uuid,
    client_name: externalName,
    client_secret: placeholderSecret,
    redirect_uris: redirectUrisOf(homeDeps, brand),
    response_types: ["code"],
    grant_types: ["authorization_code", "refresh_token"],
    // The library accepts `client_secret_post` for such a client too.
    token_endpoint_auth_method: "client_secret_basic",
    subject_type: "pairwise",
    // Required for redirect URIs with several hosts. It is never loaded, because each brand is its own sector.
    sector_identifier_uri: `https://${brand.uuid}.invalid/`,
    scope: scopes.join(" "),
    ...(openid.signedUserInfo ? { userinfo_signed_response_alg: "RS256" } : {}),
  };
}
