/** What a person must share, and what they can leave out. */
import { type CredentialType, credentialKey } from "@countersign/contract/credential";
import { schemaLibrary } from "@countersign/contract/schema-library";
import type { ReviewField } from "@countersign/contract/wallet";
import { childTypes, type RequestNode } from "../../credential/request.ts";
import type { SourcedCredential } from "../../ports.ts";
import type { OneClick } from "../one-click.ts";

type Reviewed = Pick<OneClick, "requestTree"> & {
  facts: Pick<OneClick["facts"], "credentials" | "page">;
};

/** The values that were found for a request. */
export function foundValues({ facts }: Reviewed, request: RequestNode): SourcedCredential[] {
  return facts.credentials.find((fact) => fact.request.type === request.type)?.values ?? [];
}

/**
 * Whether the person can leave out a detail. Outside OpenID Connect, the brand gets the phone number with every 1-Click,
 * so leaving it out of the credentials would change nothing.
 */
export function sharingOf(oneClick: Reviewed, request: RequestNode): ReviewField["sharing"] {
  if (isMandatory(withFoundMandatory(request, foundValues(oneClick, request)))) return "required";
  const isOpenid = oneClick.facts.page?.returnTo !== undefined;
  return request.type === "PhoneCredential" && !isOpenid ? "always" : "optional";
}

/** The request in which `if_available` is `yes` where a value was found, and otherwise `no`, at every level. */
export function withFoundMandatory(request: RequestNode, values: readonly SourcedCredential[]): RequestNode {
  const { mandatory, children } = request;
  const parts = values.flatMap((value) => ("children" in value ? value.children : []));
  const partsOf = (child: RequestNode) => parts.filter(({ type }) => type === child.type);
  return {
    ...request,
    mandatory: mandatory !== "if_available" ? mandatory : values.length > 0 ? "yes" : "no",
    ...(children === undefined ? {} : { children: children.map((child) => withFoundMandatory(child, partsOf(child))) }),
  };
}

function isMandatory({ mandatory, children = [] }: RequestNode): boolean {
  return mandatory === "yes" || children.some(isMandatory);
}

/** The names of credentials, without the parts of a credential that is in the list itself. */
export function detailsOf(types: readonly CredentialType[]): { key: string; title: string }[] {
  const parts = types.flatMap(childTypes);
  return types.filter((type) => !parts.includes(type)).map(namedDetail);
}

/** The name of a credential. */
export function namedDetail(type: CredentialType): { key: string; title: string } {
  return { key: credentialKey(type), title: schemaLibrary[type]?.title ?? type };
}
