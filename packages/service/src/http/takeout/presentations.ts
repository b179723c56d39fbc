/** OpenID4VP: the request that a page shows to a wallet app, and the wallet app's answer. */
import { Openid4vpVerifier, parseOpenid4VpAuthorizationResponsePayload } from "@openid4vc/openid4vp";
import type { Deps, HomeDeps } from "../../domain/deps.ts";
import {
  acceptPresentation,
  clientIdOf,
  type PresentationRequest,
  responseUriOf,
} from "../../domain/signup/page/presentation.ts";
import { typeOf } from "../../domain/takeout/addresses.ts";
import { signatureAlgorithm } from "../../domain/takeout/keys.ts";
import { WalletRefusal } from "../../domain/takeout/refusal.ts";
import { callbacks } from "./proofs.ts";

const verifier = new Openid4vpVerifier({ callbacks });

/**
 * The request as a link for wallet apps (DCQL). Every credential is optional, because the person can type what is
 * missing.
 */
export async function requestLink(deps: HomeDeps, request: PresentationRequest): Promise<string> {
  const { token, nonce, queries, brand } = request;
  const algorithms: [string] = [signatureAlgorithm];
  const { authorizationRequest } = await verifier.createOpenId4vpAuthorizationRequest({
    authorizationRequestPayload: {
      response_type: "vp_token",
      response_mode: "direct_post",
      client_id: clientIdOf(deps, token),
      response_uri: responseUriOf(deps, token),
      nonce,
      dcql_query: {
        credentials: queries.map(({ id, kind, claims }) => ({
          id,
          format: "dc+sd-jwt",
          meta: { vct_values: [typeOf(deps, kind)] },
          claims: claims.map((path) => ({ path })),
        })),
        credential_sets: queries.map(({ id }) => ({ options: [[id]], required: false })),
      },
      client_metadata: {
        client_name: brand,
        vp_formats_supported: {
          "dc+sd-jwt": { "sd-jwt_alg_values": algorithms, "kb-jwt_alg_values": algorithms },
        },
      },
    },
  });
  return authorizationRequest;
}

/**
 * Processes a wallet app's answer. Returns the response of OpenID4VP, with the URL where the person's browser
 * continues.
 */
export async function acceptAnswer(deps: Deps, token: string, form: Record<string, unknown>) {
  return { redirect_uri: await acceptPresentation(deps, token, presentationsIn(form)) };
}

/** One presentation for each credential of the query. */
function presentationsIn(form: Record<string, unknown>): Record<string, string> {
  const token: unknown = vpTokenIn(form);
  if (typeof token !== "object" || token === null || Array.isArray(token)) throw unreadable();
  const entries = Object.entries(token).map(([id, given]): [string, string] => {
    const one: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
    if (typeof one !== "string") throw unreadable();
    return [id, one];
  });
  return Object.fromEntries(entries);
}

function vpTokenIn(form: Record<string, unknown>): unknown {
  try {
    const { vp_token: token } = parseOpenid4VpAuthorizationResponsePayload(form);
    return typeof token === "string" ? JSON.parse(token) : token;
  } catch {
    throw unreadable();
  }
}

function unreadable(): WalletRefusal {
  return new WalletRefusal("invalid_request", "Send vp_token with one presentation for each credential.");
}
