import { identitySourceDocument, riskSourceDocument } from "../packages/contract/src/openapi-sources.ts";
import { v1Document } from "../packages/contract/src/openapi-v1.ts";
import { v2Document } from "../packages/contract/src/openapi-v2.ts";

/** The committed OpenAPI documents: repository path → text. */
export function openapiDocuments(): Record<string, string> {
  return {
    "docs/api/identity-source.json": `${JSON.stringify(identitySourceDocument(), null, 2)}\n`,
    "docs/api/risk-source.json": `${JSON.stringify(riskSourceDocument(), null, 2)}\n`,
    "docs/api/v1.json": `${JSON.stringify(v1Document(), null, 2)}\n`,
    "docs/api/v2.json": `${JSON.stringify(v2Document(), null, 2)}\n`,
  };
}
