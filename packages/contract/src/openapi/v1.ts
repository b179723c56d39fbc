import { RiskSignals } from "../brand-api/risk.ts";
import { TrustedRequest, V1Request, v1Endpoints } from "../brand-api/v1.ts";
import { CredentialRequest } from "../credential/credential.ts";
import { type OpenApiDocument, openapi } from "./document.ts";

/** The OpenAPI document of v1, committed as `docs/api/v1.json` and served at `/openapi/v1.json`. */
export function v1Document(options: { serverUrl?: string } = {}): OpenApiDocument {
  return openapi({
    title: "Countersign API v1 (legacy)",
    version: "1.0",
    description:
      "The legacy generation, at the root of the URL. It keeps working and gets no new features. Responses have the header " +
      "`Deprecation`, and the guide at `/docs/guides/migrating` describes the migration. No successful response has a top-level `code`. " +
      "In request bodies, `null` for an optional member means the same as leaving it out; an empty text does not.",
    endpoints: v1Endpoints,
    schemas: { V1Request, TrustedRequest, CredentialRequest, RiskSignals },
    isDeprecated: true,
    pathPrefixes: () => [""],
    ...options,
  });
}
