import type { IssuedCredential as WireCredential } from "@countersign/contract/issuance";
import type { IssuedChild, IssuedCredential } from "../../domain/issuance/issued-credential-rows.ts";

type Dates = Omit<WireCredential, "id" | "type" | "data">;

/** A credential as its issuer sees it. Dates are text, and children repeat the fields of their parent. */
export function presentIssued(credential: IssuedCredential): WireCredential {
  const { id, type, data } = credential;
  const dates: Dates = {
    issuanceDate: String(credential.issuedAt),
    expirationDate: credential.expiresAt === null ? null : String(credential.expiresAt),
    status: credential.status,
    issuerUuid: credential.issuerUuid,
    createdAt: String(credential.issuedAt),
    updatedAt: String(credential.updatedAt),
  };
  if ("values" in data) return { id, type, data: data.values, ...dates };
  return { id, type, data: data.children.map((child) => presentChild(child, dates)), ...dates };
}

function presentChild(child: IssuedChild, dates: Dates) {
  const { id, type } = child;
  const data =
    "values" in child
      ? child.values
      : child.children.flatMap((one) =>
          "values" in one ? [{ id: one.id, type: one.type, data: one.values, ...dates }] : [],
        );
  return { id, type, data, ...dates };
}
