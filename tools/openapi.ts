import { identitySourceDocument, riskSourceDocument } from "@countersign/contract/openapi-sources";
import { v1Document } from "@countersign/contract/openapi-v1";
import { v2Document } from "@countersign/contract/openapi-v2";

/** The committed OpenAPI documents: repository path → text. */
export function openapiDocuments(): Record<string, string> {
  return {
    "docs/api/identity-source.json": `${JSON.stringify(identitySourceDocument(), null, 2)}\n`,
    "docs/api/risk-source.json": `${JSON.stringify(riskSourceDocument(), null, 2)}\n`,
    "docs/api/v1.json": `${JSON.stringify(v1Document(), null, 2)}\n`,
    "docs/api/v2.json": `${JSON.stringify(v2Document(), null, 2)}\n`,
  };
}
