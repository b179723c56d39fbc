/** "Take this with you": what the person can put into a wallet of their own, what they did, and how they withdraw it. */
import { credentialKey } from "@countersign/contract/credential";

import { recordAudit } from "../audit/record.ts";
import { brandNames, brandsWith } from "../brand/brand-rows.ts";
import { type Deps, sourceDeadlineMs } from "../deps.ts";
import { answerOf, fail, refuse } from "../failure.ts";
import { listIssuedTo, lockValid, type UsableCredential } from "../issuance/issued-credential-rows.ts";
import { claimsOf } from "../openid/claims.ts";
import { authorizeWallet, refuseWallet, type WalletApp } from "../takeout/authorization.ts";
import { issuedBy, issuedKind, type OwnKind, ownKinds, typeOfKind } from "../takeout/kinds.ts";
import { makeOffer, type Offer } from "../takeout/offer.ts";
import { queueRefusals } from "../takeout/status.ts";
import {
  type Claims,
  endTakeouts,
  findOffer,
  type ListedTakeout,
  listTakeouts,
  type Taken,
} from "../takeout/takeout-rows.ts";
import { cannotProve } from "./prove.ts";
import { type Account, requireProven } from "./session.ts";
import { issuedClaims, titleOf } from "./values.ts";

const listedMax = 200;

/** Fixed test people are shared, so each session sees only what it took out itself. */
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

/** What can be taken out, and what was. */
export async function choicesOf(deps: Deps, account: Account): Promise<Choices> {
  const issued = await takeableOf(deps, account);
  const of = { personUuid: account.person.uuid, sessionUuid: sessionOf(account), max: listedMax };
  const taken = await listTakeouts(deps, deps.db, of);
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
    ...wordsOf(one, names),
    copies,
    takenAt: issuedAt,
    expiresAt,
    state: endedBy === null ? "valid" : endedBy === "person" ? "withdrawn" : "revoked",
  };
}

/** How a kind and its issuer are called. */
function wordsOf({ kind, issued }: Taken, names: ReadonlyMap<string, string>) {
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

/** What brands issued that is valid, from brands that the operator lets issue, and has more than pictures. */
async function takeableOf(deps: Deps, account: Account): Promise<UsableCredential[]> {
  const { home, environment, clock } = deps;
  const issued = await listIssuedTo(deps, account.person, { brands: account.shown, max: listedMax });
  const brands = [...new Set(issued.map(({ issuerUuid }) => issuerUuid))];
  const approved = await brandsWith(home, { environment, approval: "issuance", brands });
  return issued.filter(
    ({ type, data, status, issuerUuid, expiresAt }) =>
      status === "valid" &&
      (expiresAt === null || expiresAt > clock.now()) &&
      approved.has(issuerUuid) &&
      hasClaims(issuedClaims(type, data)),
  );
}

const hasClaims = (claims: Record<string, unknown>) => Object.keys(claims).length > 0;

export type Chosen = { own: OwnKind } | { issued: string };

/** Makes an offer for a wallet. The person must have proven who they are, unless no source knows them. */
export async function takeOut(deps: Deps, account: Account, chosen: Chosen): Promise<Offer & { kind: string }> {
  if (!(await cannotProve(deps, account))) requireProven(account);
  const { person, sessionUuid } = account;
  const { claims, ...taken } =
    "own" in chosen ? await ownOf(deps, account, chosen.own) : await issuedOf(deps, account, chosen.issued);
  const offer = await deps.db.inTransaction(async (trx) => {
    if (taken.issued !== null && !(await lockValid(deps, trx, taken.issued.uuid)))
      throw refuse(404, "There is no such credential.");
    return await makeOffer(deps, trx, { ...taken, person, sessionUuid, claims });
  });
  return { ...offer, kind: taken.kind };
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

/** The parts of an address. The whole text would disclose all of them at once. */
function partsOf({ formatted: _, ...parts }: Record<string, string>): Record<string, string> {
  return parts;
}

/** What the source has about the phone's holder, as claims. */
async function sourcedOf(deps: Deps, { phone }: Account): Promise<ReturnType<typeof claimsOf>> {
  const answer = await answerOf(
    deps.identity.lookUp({ phone, inputs: {}, compare: [], narrow: [], deadlineMs: sourceDeadlineMs }),
  );
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

async function issuedOf(deps: Deps, account: Account, uuid: string): Promise<Values> {
  const found = (await takeableOf(deps, account)).find(({ id }) => id === uuid.toLowerCase());
  if (found === undefined) throw refuse(404, "There is no such credential.");
  const { type, data, issuerUuid } = found;
  const names = await namesOf(deps, [issuerUuid]);
  return {
    kind: issuedKind(type),
    issued: { uuid: found.id, brandUuid: issuerUuid },
    claims: { ...issuedClaims(type, data), [issuedBy]: names.get(issuerUuid) ?? "" },
  };
}

/** What a wallet asks for with an offer of this person. */
export async function offeredTo(deps: Deps, account: Account, uuid: string) {
  const found = await findOffer(deps, offerOf(account, uuid));
  if (found === null) throw refuse(404, "There is no such offer.");
  return wordsOf(found, await namesOf(deps, found.issued === null ? [] : [found.issued.brandUuid]));
}

const offerOf = (account: Account, uuid: string) => ({
  uuid: uuid.toLowerCase(),
  personUuid: account.person.uuid,
  sessionUuid: sessionOf(account),
});

/** The person's answer to a wallet that asks for what was offered. Returns where their browser continues. */
export async function answerWallet(
  deps: Deps,
  account: Account,
  { uuid, allow, ...app }: WalletApp & { uuid: string; allow: boolean; state?: string | undefined },
): Promise<string> {
  if (!(await cannotProve(deps, account))) requireProven(account);
  if (!allow) return refuseWallet(deps, app);
  const continues = await authorizeWallet(deps, offerOf(account, uuid), app);
  if (continues === null) throw refuse(404, "There is no such offer.");
  return continues;
}

/** Withdraws what a wallet got: the status of every copy becomes invalid. Repeating it changes nothing. */
export async function withdrawTakeout(deps: Deps, account: Account, uuid: string): Promise<void> {
  const { person, requestId } = account;
  const which = { personUuid: person.uuid, uuid: uuid.toLowerCase(), sessionUuid: sessionOf(account) };
  await deps.db.inTransaction(async (trx) => {
    const ended = await endTakeouts(deps, trx, which);
    const known = await listTakeouts(deps, trx, { ...which, max: listedMax });
    const withdrawn = known.find((one) => one.uuid === which.uuid);
    if (ended.length === 0 && withdrawn === undefined) throw refuse(404, "There is no such credential.");
    await queueRefusals(deps, trx, ended);
    if (ended.length === 0 || withdrawn === undefined) return;
    const by = { brand: null, apiKeyUuid: null, requestId };
    await recordAudit(deps, trx, by, { action: "account.withdrewCredential", personUuid: person.uuid });
  });
}
