/** Signs members in with the operator's OpenID provider: the authorization code flow with PKCE, a state and a nonce. */
import type { Configuration, CustomFetch } from "openid-client";
import { request } from "undici";
import type { OpenIdAnswer, OpenIdProvider, OpenIdSecrets } from "../../domain/ports.ts";
import { readText } from "../call.ts";
import { answerBytesMax, type VendorTools } from "../vendor.ts";

export type OpenIdSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Domains and email addresses that may sign in, in lower case. */
  allowed: readonly string[];
};

const timeoutSeconds = 10;

/** Loads the library at its first use, to keep the start of processes fast. */
const library = () => import("openid-client");

export function openIdProvider(
  { clock, notes }: Pick<VendorTools, "clock" | "notes">,
  settings: OpenIdSettings,
): OpenIdProvider {
  let found: Promise<Configuration> | null = null;
  const discover = async (): Promise<Configuration> => {
    const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = await library();
    const issuer = new URL(settings.issuer);
    const execute = [
      // Check signatures of ID tokens, although TLS already authenticates the provider.
      enableNonRepudiationChecks,
      // The configuration allows http on this machine only.
      ...(issuer.protocol === "http:" ? [allowInsecureRequests] : []),
    ];
    const { clientId, clientSecret } = settings;
    const options = { execute, timeout: timeoutSeconds, [customFetch]: boundedFetch };
    return await discovery(issuer, clientId, clientSecret, undefined, options);
  };
  /** Caches the provider's metadata. After a failure, the next call asks again. */
  const configuration = async () => {
    found ??= discover();
    try {
      return await found;
    } catch (error) {
      found = null;
      throw error;
    }
  };
  const called = (operation: string, outcome: string, started: number) => {
    const durationMs = Math.round(performance.now() - started);
    notes.called({ vendor: "openid", operation, outcome, at: clock.now() - durationMs, durationMs });
  };
  return {
    async begin({ returnsTo, state, nonce, verifier }) {
      const started = performance.now();
      try {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
        const url = buildAuthorizationUrl(await configuration(), {
          redirect_uri: returnsTo,
          scope: "openid email",
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
        });
        called("begin", "2xx", started);
        return url.href;
      } catch (error) {
        called("begin", kindOf(error), started);
        return null;
      }
    },
    async finish(returned, secrets) {
      const started = performance.now();
      try {
        const answer = await exchanged(await configuration(), returned, secrets);
        called("finish", "2xx", started);
        return answer;
      } catch (error) {
        called("finish", kindOf(error), started);
        return { kind: isDenied(error) ? "denied" : "failed" };
      }
    },
    allows: (email) => isAllowed(settings.allowed, email.toLowerCase()),
  };
}

/**
 * Fetches from the provider as from every vendor: no redirects, no compression, and no long answers, because one of
 * them could fill the memory.
 */
const boundedFetch: CustomFetch = async (url, { method, headers, body, signal }) => {
  const answer = await request(url, {
    method,
    headers: { ...headers, "accept-encoding": "identity" },
    body: body === undefined || body === null ? null : String(body),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await readText(answer.body, answerBytesMax);
  if (text === null || answer.headers["content-encoding"] !== undefined)
    throw new Error("answer too long or compressed");
  const type = answer.headers["content-type"];
  return new Response(text === "" ? null : text, {
    status: answer.statusCode,
    headers: typeof type === "string" ? { "content-type": type } : {},
  });
};

async function exchanged(
  configuration: Configuration,
  returned: string,
  { state, nonce, verifier }: OpenIdSecrets,
): Promise<OpenIdAnswer> {
  const { authorizationCodeGrant, fetchUserInfo } = await library();
  const tokens = await authorizationCodeGrant(configuration, new URL(returned), {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) return { kind: "failed" };
  // Some providers return the address only from the userinfo endpoint.
  const profile =
    claims.email === undefined ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims;
  return typeof profile.email === "string"
    ? { kind: "known", email: profile.email, isVerified: profile.email_verified === true }
    : { kind: "known", email: null, isVerified: false };
}

/** Whether the person or the provider refused. Any other error is a failure. */
function isDenied(error: unknown): boolean {
  return error instanceof Error && "error" in error && error.error === "access_denied";
}

/** The kind of failure, for the log. The error's message may contain an address or a token. */
function kindOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^[A-Z_]{3,60}$/.test(code) ? code.toLowerCase() : "failed";
}

function isAllowed(allowed: readonly string[], email: string): boolean {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  return allowed.some((one) => one === email || one === domain);
}
