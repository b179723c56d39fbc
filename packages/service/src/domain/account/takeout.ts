/** "Take this with you": what the person can put into a wallet app, what they did, and how they withdraw it. */
import { credentialKey } from "@countersign/contract/credential";
import { walletNameOf } from "@countersign/contract/wallet-name";
import type { Trx } from "../../store/database.ts";
import { type ConsentOnScreen, consentTo, recordConsent } from "../audit/consent.ts";
import { byPerson, recordAudit } from "../audit/record.ts";
import { brandNames, findIssuers } from "../brand/brand-rows.ts";
import type { Deps } from "../deps.ts";
import { fail, refuse } from "../failure.ts";
import { lockIssuedTo, type UsableCredential } from "../issuance/issued-credential-rows.ts";
import { listIssuedTo } from "../issuance/issued-list-rows.ts";
import { claimsOf } from "../openid/claims.ts";
import { lockPersonOfPhone } from "../person-rows.ts";
import { askSourceAboutPhone } from "../phone.ts";
import { authorizeWallet, refuseWallet, requireAddress, type WalletApp } from "../takeout/authorization.ts";
import { copiesExpireAt } from "../takeout/issue.ts";
import { issuedBy, issuedKind, type OwnKind, ownKinds, typeOfKind } from "../takeout/kinds.ts";
import { makeOffer, type Offer } from "../takeout/offer.ts";
import { queueRevocations } from "../takeout/status.ts";
import {
  type Claims,
  endTakeouts,
  findWalletOffer,
  type ListedTakeout,
  listTakeouts,
  type Taken,
} from "../takeout/takeout-rows.ts";
import { countHoldersQuestion } from "../verification/limits/caps.ts";
import { requireProvenIfPossible } from "./prove.ts";
import { type Account, requireSignedIn } from "./session.ts";
import { issuedClaims, titleOf } from "./values.ts";

const listedMax = 200;

/** All customers share the fixed test people, so each session sees only its own take-outs. */
const sessionOf = ({ fixed, sessionUuid }: Account) => (fixed ? sessionUuid : null);

export type TakenOut = {
  uuid: string;
  kind: string;
  key: string;
  title: string;
  issuer?: string;
  copies: number;
  takenAt: number;
  expiresAt: number;
  state: "valid" | "withdrawn" | "revoked";
};
export type Choices = {
  own: OwnKind[];
  issued: { uuid: string; key: string; title: string; issuer: string }[];
  taken: TakenOut[];
};

/** The credentials that the person can take out, and those they have taken out. */
export async function choicesOf(deps: Deps, account: Account): Promise<Choices> {
  const issued = await listOfferable(deps, account);
  const whose = { personUuid: account.person.uuid, sessionUuid: sessionOf(account), max: listedMax };
  const taken = await listTakeouts(deps, deps.db, whose);
  const names = await namesOf(deps, [
    ...issued.map(({ issuerUuid }) => issuerUuid),
    ...taken.flatMap((one) => (one.issued === null ? [] : [one.issued.brandUuid])),
  ]);
  return {
    own: [...ownKinds],
    issued: issued.map(({ id, type, issuerUuid }) => ({
      uuid: id,
      key: credentialKey(type),
      title: titleOf(type),
      issuer: names.get(issuerUuid) ?? "",
    })),
    taken: taken.map((one) => shownOf(one, names)),
  };
}

function shownOf(one: ListedTakeout, names: ReadonlyMap<string, string>): TakenOut {
  const { uuid, kind, copies, issuedAt, endedBy, expiresAt } = one;
  return {
    uuid,
    kind,
    ...labelsOf(one, names),
    copies,
    takenAt: issuedAt,
    expiresAt,
    state: endedBy === null ? "valid" : endedBy === "person" ? "withdrawn" : "revoked",
  };
}

/** The labels of a take-out: its key, its title, and the name of its issuer. */
function labelsOf({ kind, issued }: Taken, names: ReadonlyMap<string, string>) {
  const type = typeOfKind(kind);
  return {
    key: type === null ? kind : credentialKey(type),
    title: type === null ? kind : titleOf(type),
    ...(issued === null ? {} : { issuer: names.get(issued.brandUuid) ?? "" }),
  };
}

async function namesOf({ home, environment }: Deps, uuids: readonly string[]): Promise<Map<string, string>> {
  return await brandNames(home, environment, [...new Set(uuids)]);
}

/**
 * The person's valid credentials from brands whose credentials count. Leaves out credentials that contain only
 * pictures.
 */
async function listOfferable(deps: Deps, account: Account): Promise<UsableCredential[]> {
  const { home, environment } = deps;
  const issued = await listIssuedTo(deps, account.person, { brands: account.shown, max: listedMax });
  const brands = issued.map(({ issuerUuid }) => issuerUuid);
  const issuers = await findIssuers(home, environment, brands);
  return issued.filter((one) => issuers.has(one.issuerUuid) && isOfferable(deps, one));
}

function isOfferable({ clock }: Deps, { type, data, status, expiresAt }: UsableCredential): boolean {
  const now = clock.now();
  return status === "valid" && copiesExpireAt(now, expiresAt) > now && hasClaims(issuedClaims(type, data));
}

const hasClaims = (claims: Record<string, unknown>) => Object.keys(claims).length > 0;

export type Chosen = { own: OwnKind } | { issued: string };

/** Makes an offer for a wallet app. The person must have proven who they are, unless no source knows them. */
export async function takeOut(deps: Deps, account: Account, chosen: Chosen): Promise<Offer & { kind: string }> {
  await requireProvenIfPossible(deps, account);
  const { person, sessionUuid, phone } = account;
  const values =
    "own" in chosen ? await ownOf(deps, account, chosen.own) : await issuedOffer(deps, account, chosen.issued);
  const index = deps.vault.index("phone", deps.environment, phone);
  return await deps.db.inTransaction(async (trx) => {
    // Lock the person first, as a deletion and a change of the holder do: the number may have a new holder by now.
    const isTheirs = await lockPersonOfPhone(trx, { personUuid: person.uuid, index });
    if (!isTheirs) throw refuse(401, "You are not signed in.");
    await requireSignedIn(trx, sessionUuid);
    const taken = "claims" in values ? values : await issuedOf(deps, trx, account, values);
    const offer = await makeOffer(deps, trx, { ...taken, person, sessionUuid });
    return { ...offer, kind: taken.kind };
  });
}

type Values = Taken & { claims: Claims };

/** The claims of each kind, among those of the OpenID Provider. */
const claimNames: Record<Exclude<OwnKind, "phone">, readonly string[]> = {
  name: ["given_name", "middle_name", "family_name"],
  birthdate: ["birthdate"],
  address: ["address"],
};

async function ownOf(deps: Deps, account: Account, kind: OwnKind): Promise<Values> {
  if (kind === "phone") return { kind, issued: null, claims: { phone_number: account.phone } };
  const all = await sourcedOf(deps, account);
  const claims = Object.fromEntries(
    claimNames[kind].flatMap((name) => {
      const value = all[name]?.value;
      if (value === undefined || typeof value === "boolean") return [];
      return [[name, typeof value === "string" ? value : partsOf(value)]];
    }),
  );
  if (!hasClaims(claims)) throw fail("OCE013", {});
  return { kind, issued: null, claims };
}

/** The parts of an address, without the complete text, so that the person can disclose them one by one. */
function partsOf({ formatted: _, ...parts }: Record<string, string>): Record<string, string> {
  return parts;
}

/** What the source has about the phone's holder, as claims. */
async function sourcedOf(deps: Deps, { phone }: Account): Promise<ReturnType<typeof claimsOf>> {
  await countHoldersQuestion(deps, phone, null);
  const answer = await askSourceAboutPhone(deps, phone);
  if (answer.kind === "unknown") throw fail("OCE013", {});
  if (answer.kind !== "found") throw fail("OCE013", {}, "The source cannot tell which person this is.");
  // A source may know several values of a type. The first one is the newest.
  const newest = answer.credentials.filter(
    (one, index, all) => all.findIndex(({ type }) => type === one.type) === index,
  );
  const credentials = newest.map((one) => ({
    request: { type: one.type, mandatory: "no" as const, multi: false, allowUserInput: false, issuers: [] },
    values: [one],
  }));
  return claimsOf({ phoneMethod: "otp", facts: { credentials } });
}

type OfIssuer = { uuid: string; issuer: string };

/** A credential that can be taken out, with the name of its brand. */
async function issuedOffer(deps: Deps, account: Account, uuid: string): Promise<OfIssuer> {
  const found = (await listOfferable(deps, account)).find(({ id }) => id === uuid.toLowerCase());
  if (found === undefined) throw refuse(404, "No such credential.");
  const names = await namesOf(deps, [found.issuerUuid]);
  return { uuid: found.id, issuer: names.get(found.issuerUuid) ?? "" };
}

/** Reads the values under a lock, because the brand may have changed them since. */
async function issuedOf(deps: Deps, trx: Trx, { person }: Account, { uuid, issuer }: OfIssuer): Promise<Values> {
  const found = await lockIssuedTo(deps, trx, { person, uuid });
  if (found === null || !isOfferable(deps, found)) throw refuse(404, "No such credential.");
  const { type, data, issuerUuid } = found;
  return {
    kind: issuedKind(type),
    issued: { uuid, brandUuid: issuerUuid },
    claims: { ...issuedClaims(type, data), [issuedBy]: issuer },
  };
}

/** An offer of this person that a wallet app requests. */
export async function offeredTo(deps: Deps, account: Account, uuid: string) {
  const found = await findWalletOffer(deps, offerOf(account, uuid));
  if (found === null) throw refuse(404, "No such offer.");
  return labelsOf(found, await namesOf(deps, found.issued === null ? [] : [found.issued.brandUuid]));
}

const offerOf = (account: Account, uuid: string) => ({
  uuid: uuid.toLowerCase(),
  personUuid: account.person.uuid,
  sessionUuid: sessionOf(account),
});

type Answer = WalletApp & { uuid: string; allow: boolean; consent: ConsentOnScreen; state?: string | undefined };

/** Stores the person's answer to a wallet app that requests an offer. Returns the URL where the browser continues. */
export async function answerWallet(
  deps: Deps,
  account: Account,
  { uuid, allow, consent, ...app }: Answer,
): Promise<string> {
  if (!allow) return refuseWallet(deps, app);
  await requireProvenIfPossible(deps, account);
  requireAddress(app.redirectUri);
  const wallet = walletNameOf(app.redirectUri);
  const given = consentTo("addToWallet", consent, wallet);
  return await deps.db.inTransaction(async (trx) => {
    const authorized = await authorizeWallet(deps, trx, offerOf(account, uuid), app);
    if (authorized === null) throw refuse(404, "No such offer.");
    // After the offer, as a deletion locks them.
    await requireSignedIn(trx, account.sessionUuid);
    const { phone, requestId } = account;
    const by = byPerson(requestId);
    const personUuid = account.person.uuid;
    const recorded = await recordConsent(deps, trx, by, { action: "addToWallet", phone, personUuid, given });
    const type = typeOfKind(authorized.kind);
    const detail = { consent: recorded, wallet, types: type === null ? [] : [type] };
    await recordAudit(deps, trx, by, { action: "account.allowedWallet", personUuid, detail });
    return authorized.continueAt;
  });
}

/** Withdraws what a wallet app got: the status of every copy becomes invalid. Repeating it changes nothing. */
export async function withdrawTakeout(deps: Deps, account: Account, uuid: string): Promise<void> {
  const { person, requestId } = account;
  const which = { personUuid: person.uuid, uuid: uuid.toLowerCase(), sessionUuid: sessionOf(account) };
  await deps.db.inTransaction(async (trx) => {
    const ended = await endTakeouts(deps, trx, which);
    const [withdrawn] = await listTakeouts(deps, trx, { ...which, max: 1 });
    if (ended.length === 0 && withdrawn === undefined) throw refuse(404, "No such credential.");
    await queueRevocations(deps, trx, ended);
    if (ended.length === 0 || withdrawn === undefined) return;
    const by = byPerson(requestId);
    await recordAudit(deps, trx, by, { action: "account.withdrewCredential", personUuid: person.uuid });
  });
}
