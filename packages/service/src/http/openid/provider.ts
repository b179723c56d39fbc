/** The configuration of oidc-provider. Everything about people and brands is behind `domain/openid`. */
import { createHmac, type JsonWebKey, timingSafeEqual } from "node:crypto";
import {
  acrValues,
  idDocument,
  openidScopes,
  trustFramework,
  verifiableClaims,
} from "@countersign/contract/openid-claims";
import Provider, { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from "oidc-provider";
import type { Caller, HomeDeps } from "../../domain/deps.ts";
import { findReleased, readClaimsOf, subjectOf } from "../../domain/openid/account.ts";
import { oneClickLifeMs } from "../../domain/signup/one-click.ts";
import { cellAbout } from "../cell.ts";
import { failureOf } from "../envelope.ts";
import { adapterOf } from "./adapter.ts";
import { findClientBrand } from "./clients.ts";
import type { SecretCheck } from "./secret.ts";

export const mountPath = "/openid";

export type ProviderOptions = {
  homeDeps: HomeDeps;
  issuer: string;
  keys: JsonWebKey[];
  cookieKey: string;
  placeholderSecret: string;
  isSecretOf: SecretCheck;
  requestIdOf(context: KoaContextWithOIDC): string;
  renderError: NonNullable<Configuration["renderError"]>;
  onBreakdown(error: unknown, requestId: string, status: number): void;
};

const pageLanguages = ["en", "es"];
const minute = 60;
/** Maximum lifetime of a grant and its tokens: that of its 1-Click. */
const grantSeconds = oneClickLifeMs / 1_000;

export function createProvider(options: ProviderOptions): Provider {
  const provider = new Provider(options.issuer, configurationOf(options));
  // The library takes its address from these headers. routes.ts sets them to the issuer's, and never uses the client's
  // own.
  provider.proxy = true;
  Object.defineProperty(provider.Client.prototype, "compareClientSecret", {
    async value(this: { clientId: string }, secret: string) {
      return await options.isSecretOf(Provider.ctx?.req, this.clientId, secret);
    },
  });
  provider.on("server_error", (context, error) =>
    options.onBreakdown(error, options.requestIdOf(context), failureOf(error).status),
  );
  return provider;
}

function configurationOf(options: ProviderOptions): Configuration {
  const { homeDeps } = options;
  return {
    adapter: adapterOf(homeDeps, options),
    jwks: { keys: options.keys },
    cookies: {
      keys: cookieKeys(options.cookieKey),
      names: cookieNames,
      short: { signed: true },
      long: { signed: true },
    },
    scopes: Object.keys(openidScopes),
    claims: { ...claimsByScope, iss: null, verified_claims: null },
    acrValues: Object.values(acrValues),
    responseTypes: ["code"],
    subjectTypes: ["pairwise"],
    sectorIdentifierUriValidate: () => false,
    clientAuthMethods: ["client_secret_basic", "client_secret_post"],
    // Secrets belong on servers, so no page of another site may call the endpoints.
    clientBasedCORS: () => false,
    pkce: { required: () => true },
    enabledJWA: {
      idTokenSigningAlgValues: ["RS256"],
      userinfoSigningAlgValues: ["RS256"],
    },
    features: featuresOf(),
    discovery: {
      ...identityAssurance,
      service_documentation: `${homeDeps.addresses.apiUrl}/docs`,
      ui_locales_supported: pageLanguages,
    },
    ttl: {
      AuthorizationCode: minute,
      AccessToken: 10 * minute,
      IdToken: 10 * minute,
      RefreshToken: grantSeconds,
      Grant: grantSeconds,
      Interaction: 30 * minute,
      Session: 30 * minute,
    },
    interactions: {
      policy: policyOf(),
      url: (_context, { uid, params }) => `${options.issuer}/interaction/${uid}${wantedLanguage(params.ui_locales)}`,
    },
    // There are no sign-in sessions on which tokens could depend.
    expiresWithSession: () => false,
    rotateRefreshToken: true,
    pairwiseIdentifier: async (context, accountId, client) => {
      const caller = await callerOf(options, context, client);
      const deps = await cellAbout(homeDeps, { uuid: accountId });
      const shared = caller === null ? null : await findReleased(deps, caller, accountId);
      if (caller === null || shared === null) throw new errors.InvalidToken("the person no longer shares this");
      return subjectOf(deps, caller, shared);
    },
    findAccount: (context, accountId) => findAccount(options, context, accountId),
    renderError: options.renderError,
  };
}

/** The first language of `ui_locales` that the pages have, as a query. Empty if they have none of them. */
function wantedLanguage(locales: unknown): string {
  const tags = typeof locales === "string" ? locales.toLowerCase().split(" ") : [];
  const languages = tags.map((tag) => tag.split("-")[0] ?? "");
  const wanted = languages.find((one) => pageLanguages.includes(one));
  return wanted === undefined ? "" : `?lang=${wanted}`;
}

const claimsByScope = Object.fromEntries(Object.entries(openidScopes).map(([scope, claims]) => [scope, [...claims]]));
/** All ports of a host share their cookies, so the names contain the product. */
const cookieNames = {
  session: "countersign-openid",
  interaction: "countersign-openid-interaction",
  resume: "countersign-openid-resume",
};
export const sessionCookieName = cookieNames.session;

/** Signs cookies with SHA-256. The library would use SHA-1 with a key alone. */
function cookieKeys(key: string) {
  const sign = (data: string) => createHmac("sha256", key).update(data).digest("base64url");
  const isSigned = (data: string, digest: string) => {
    const [expected, given] = [Buffer.from(sign(data)), Buffer.from(digest)];
    return expected.length === given.length && timingSafeEqual(expected, given);
  };
  return { sign, verify: isSigned, index: (data: string, digest: string) => (isSigned(data, digest) ? 0 : -1) };
}

/** A client may only read its own tokens. */
const isOwn = (_context: KoaContextWithOIDC, client: { clientId: string }, token: { clientId?: string }) =>
  token.clientId === client.clientId;

function featuresOf(): Configuration["features"] {
  return {
    claimsParameter: { enabled: true },
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    introspection: { enabled: true, allowedPolicy: isOwn },
    jwtUserinfo: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
    requestObjects: { enabled: false },
    resourceIndicators: { enabled: false },
    revocation: { enabled: true, allowedPolicy: isOwn },
    rpInitiatedLogout: { enabled: false },
  };
}

const identityAssurance = {
  verified_claims_supported: true,
  trust_frameworks_supported: [trustFramework],
  claims_in_verified_claims_supported: [...verifiableClaims],
  evidence_supported: ["electronic_record", "document"],
  documents_supported: [idDocument],
  documents_check_methods_supported: ["vcrypt"],
  electronic_records_supported: ["phone_number", "phone_carrier", "data_bureau", "credit_bureau"],
};

/** The library's checks by which a request can require a certain person or a certain proof. */
const demands = ["id_token_hint", "claims_id_token_sub_value", "essential_acrs", "essential_acr"];

/** Throws if a requirement is not met. Otherwise the library would ask the person again and again. */
function refuseUnmetCheck(check: interactionPolicy.Check | undefined): void {
  if (check === undefined) return;
  const isUnmet = check.check;
  check.check = async (context) => {
    if (!(await isUnmet(context))) return false;
    if (context.oidc.result?.login === undefined && canBeMet(context)) return true;
    throw new errors.UnmetAuthenticationRequirements(check.description);
  };
}

/** Whether one of our `acr` values satisfies the request, or no `acr` is essential. */
function canBeMet({ oidc }: KoaContextWithOIDC): boolean {
  const { essential, value, values } = oidc.claims.id_token?.acr ?? {};
  const wanted: readonly unknown[] = values ?? (value === undefined ? [] : [value]);
  return essential !== true || wanted.length === 0 || Object.values(acrValues).some((one) => wanted.includes(one));
}

/** Every authorization request proves the phone and asks for consent again, because it creates a 1-Click. */
function policyOf() {
  const policy = interactionPolicy.base();
  const login = policy.get("login");
  for (const reason of demands) refuseUnmetCheck(login?.checks.get(reason));
  login?.checks.add(
    new interactionPolicy.Check(
      "proof",
      "the phone must be proven",
      "login_required",
      (context) => context.oidc.result?.login === undefined,
    ),
  );
  return policy;
}

/** The brand of the client, as the caller of flows. */
async function callerOf(
  options: ProviderOptions,
  context: KoaContextWithOIDC,
  client: { clientId: string } | undefined = context.oidc.client,
): Promise<Caller | null> {
  const brand = client === undefined ? null : await findClientBrand(options.homeDeps, client.clientId);
  return brand === null ? null : { brand, apiKeyUuid: null, requestId: options.requestIdOf(context) };
}

/** The account of a token is its 1-Click. */
async function findAccount(options: ProviderOptions, context: KoaContextWithOIDC, accountId: string) {
  const deps = await cellAbout(options.homeDeps, { uuid: accountId });
  const caller = await callerOf(options, context);
  if (caller === null || (await findReleased(deps, caller, accountId)) === null) return undefined;
  return {
    accountId,
    async claims(use: string, _scope: string, requested: Record<string, unknown>) {
      // An ID token without requested claims has only the subject, so nothing is read.
      if (use === "id_token" && Object.keys(requested).every((name) => !needsRead(name))) return { sub: accountId };
      const requestedVerified = requested.verified_claims;
      const claims = await readClaimsOf(deps, caller, { uuid: accountId, requestedVerified });
      if (claims === null) throw new errors.InvalidToken("the person no longer shares this");
      return { sub: accountId, ...claims };
    },
  };
}

const aboutSignIn = ["sub", "acr", "amr", "auth_time", "iss"];
const needsRead = (claim: string) => !aboutSignIn.includes(claim);
