import { BrandSettings } from "../brand/brand.ts";
import { OneClickEntity } from "../brand-api/entity.ts";
import { HealthEntity, HealthRequest, healthEndpoints, ParsedEdi271 } from "../brand-api/health.ts";
import { IssuedCredential, issuanceEndpoints } from "../brand-api/issuance.ts";
import { RiskSignals } from "../brand-api/risk.ts";
import { createSession, SessionRequest } from "../brand-api/session.ts";
import { OneClickRequest, v2Endpoints } from "../brand-api/v2.ts";
import { VerificationEntity, verificationEndpoints } from "../brand-api/verification.ts";
import { webhookEndpoints } from "../brand-api/webhook.ts";
import { CredentialRequest } from "../credential/credential.ts";
import type { Endpoint } from "../endpoint.ts";
import { sandboxEndpoints } from "../sandbox/control.ts";
import { listenerEndpoints } from "../sandbox/listener.ts";
import { type OpenApiDocument, openapi } from "./document.ts";

/** Every operation of the v2 document. Operations that new users need first come first. */
const endpoints: readonly Endpoint[] = [
  ...v2Endpoints,
  ...verificationEndpoints,
  createSession,
  ...healthEndpoints,
  ...issuanceEndpoints,
  ...sandboxEndpoints,
  ...webhookEndpoints,
  ...listenerEndpoints,
];

/**
 * The path prefixes of a v2 endpoint, the main one first. Paths that do not collide with v1 also work without a
 * prefix. Sandbox control has no generation and therefore no prefix.
 */
export function v2PathPrefixes(endpoint: Endpoint): readonly [string, ...string[]] {
  if (endpoint.auth === "sandboxControl") return [""];
  const collides = endpoint.path === "/1-click" || endpoint.path === "/1-click/:uuid";
  return collides ? ["/v2", "/v2.1"] : ["/v2", "/v2.1", ""];
}

/** The OpenAPI document of v2.0 and v2.1, committed as `docs/api/v2.json` and served at `/openapi/v2.json`. */
export function v2Document(options: { serverUrl?: string } = {}): OpenApiDocument {
  return openapi({
    title: "Countersign API v2",
    version: "2.1",
    description:
      "Get verified identity data about a person, with that person's consent. The paths below `/v2` and `/v2.1` do the " +
      "same, except where an operation says so. Your brand's integration type decides what a call needs and what it " +
      "returns. Every error has the same five keys: branch on `data.errorCode`. Times are Unix milliseconds unless a " +
      "description says otherwise. In answers, a value that does not exist is left out; it is `null` only if its schema " +
      "says so. In request bodies, `null` for an optional member means the same as leaving it out; an empty text does not.",
    endpoints,
    schemas: {
      OneClickRequest,
      OneClickEntity,
      CredentialRequest,
      IssuedCredential,
      RiskSignals,
      SessionRequest,
      HealthRequest,
      HealthEntity,
      ParsedEdi271,
      VerificationEntity,
      BrandSettings,
    },
    pathPrefixes: v2PathPrefixes,
    ...options,
  });
}
