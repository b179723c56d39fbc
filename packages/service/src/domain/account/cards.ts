/** What a person's page lists: what brands issued to the person, and what brands can read now. */
import { credentialKey } from "@countersign/contract/credential";
import { brandNames, findBrand } from "../brand/brand-rows.ts";
import type { CredentialFact } from "../credential/assemble.ts";
import { stateNameOf } from "../credential/us-regions.ts";
import type { Deps } from "../deps.ts";
import type { IssuedData } from "../issuance/issued-credential-rows.ts";
import { listIssuedTo } from "../issuance/issued-list-rows.ts";
import { issuedToEmailsOf } from "../issuance/sourced.ts";
import type { SourcedCredential } from "../ports.ts";
import type { StoredOneClick } from "../signup/one-click.ts";
import { findOneClick } from "../signup/one-click-rows.ts";
import { listReadable } from "../signup/readable-rows.ts";
import { typingInputs } from "../signup/typing.ts";
import type { Account } from "./session.ts";
import { issuedValues, type ShownValue, sourcedValues, titleOf, type Visibility } from "./values.ts";

/** The most cards, and the most shares, that a page lists. Real people have far fewer. */
const listedMax = 200;

export type Card = {
  uuid: string;
  title: string;
  issuer: string;
  status: "valid" | "revoked" | "expired";
  /** Whether it was issued to an email address alone, which another card links to the phone. */
  toEmail: boolean;
  issuedAt: number;
  expiresAt?: number;
  values: ShownValue[];
};

/**
 * What brands issued to the person, newest first, including revoked and expired credentials. Also what brands issued to
 * the person's email addresses alone, because other brands can get it.
 */
export async function cardsOf(deps: Deps, account: Account): Promise<Card[]> {
  return (await cardsWithData(deps, account)).map(({ data: _, ...card }) => card);
}

export async function cardsWithData(deps: Deps, account: Account): Promise<(Card & { data: IssuedData })[]> {
  const now = deps.clock.now();
  const { person, phone, shown } = account;
  const [own, toEmails] = await Promise.all([
    listIssuedTo(deps, person, { brands: shown, max: listedMax }),
    issuedToEmailsOf(deps, phone),
  ]);
  const toEmailsShown = toEmails.filter(({ issuerUuid }) => shown?.includes(issuerUuid) ?? true);
  const issued = [
    ...own.map((one) => ({ ...one, toEmail: false })),
    ...toEmailsShown.map((one) => ({ ...one, toEmail: true })),
  ]
    .sort((a, b) => b.issuedAt - a.issuedAt)
    .slice(0, listedMax);
  const names = await brandNames(deps.home, deps.environment, [...new Set(issued.map(({ issuerUuid }) => issuerUuid))]);
  return issued.map(({ id, type, data, status, issuerUuid, toEmail, issuedAt, expiresAt }) => ({
    uuid: id,
    title: titleOf(type),
    issuer: names.get(issuerUuid) ?? "",
    status: status === "revoked" ? "revoked" : (expiresAt ?? now + 1) <= now ? "expired" : "valid",
    toEmail,
    issuedAt,
    ...(expiresAt === null ? {} : { expiresAt }),
    values: issuedValues(type, data, visibilityOf(account)),
    data,
  }));
}

type SharedField = {
  key: string;
  title: string;
  verificationMethod: SourcedCredential["verificationMethod"];
  state?: string;
  values: ShownValue[];
  typed: string[];
  correctable: string[];
};
export type Share = {
  uuid: string;
  brandUuid: string;
  sharedAt: number;
  readableUntil: number;
  fields: SharedField[];
};

/** The 1-Clicks that brands can still read, newest first. */
export async function sharesOf(deps: Deps, account: Account): Promise<Share[]> {
  const whose = { personUuid: account.person.uuid, brands: account.shown };
  const shares: Share[] = [];
  for (const { uuid, brandUuid, answeredAt, expiresAt } of await listReadable(deps, { ...whose, max: listedMax })) {
    const oneClick = await findSharedOneClick(deps, account, { uuid, brandUuid });
    if (oneClick === null) continue;
    shares.push({
      uuid,
      brandUuid,
      sharedAt: answeredAt,
      readableUntil: expiresAt,
      fields: oneClick.facts.credentials.flatMap((fact) => fieldsOf(fact, visibilityOf(account))),
    });
  }
  return shares;
}

/** A 1-Click of the person, as its brand would read it. */
export async function findSharedOneClick(
  deps: Deps,
  account: Account,
  { uuid, brandUuid }: { uuid: string; brandUuid: string },
): Promise<StoredOneClick | null> {
  const brand = await findBrand(deps.home, deps.environment, brandUuid);
  if (brand === null || (account.shown !== null && !account.shown.includes(brandUuid))) return null;
  const caller = { brand, apiKeyUuid: null, requestId: account.requestId };
  const oneClick = await findOneClick(deps, deps.db, caller, uuid);
  return oneClick?.personUuid === account.person.uuid && oneClick.state === "released" ? oneClick : null;
}

const visibilityOf = ({ provenUntil }: Account): Visibility => (provenUntil === null ? "masked" : "full");

function fieldsOf({ request, values }: CredentialFact, visibility: Visibility): SharedField[] {
  const inputs = typingInputs(request).map((one) => one.key);
  return values.map((value) => ({
    key: credentialKey(request.type),
    title: titleOf(request.type),
    verificationMethod: value.verificationMethod,
    ...stateOf(value),
    values: sourcedValues(value, visibility),
    typed: typedKeys(value),
    // Masked values cannot be corrected: the phone alone is not enough proof.
    correctable: visibility === "full" ? typedKeys(value).filter((key) => inputs.includes(key)) : [],
  }));
}

/** The name of the state whose ID has the value, or a part of it. */
function stateOf(credential: SourcedCredential): { state?: string } {
  if ("children" in credential) return credential.children.map(stateOf).find(({ state }) => state !== undefined) ?? {};
  return credential.authority === undefined ? {} : { state: stateNameOf(credential.authority) };
}

/** The keys of the values that the person typed. */
export function typedKeys(credential: SourcedCredential): string[] {
  if ("children" in credential) return credential.children.flatMap(typedKeys);
  return credential.verificationMethod === "self_attested" ? [credentialKey(credential.type)] : [];
}
