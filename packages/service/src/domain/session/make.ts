import { hourMs } from "@countersign/contract/time";
import { findKeyed } from "../../store/cells/keyed.ts";
import type { Caller, Deps, HomeDeps } from "../deps.ts";
import { fail, refuse } from "../failure.ts";
import { integrations } from "../journey.ts";
import { ensurePerson, findPerson, type Person } from "../person.ts";
import { supportedPhone } from "../phone.ts";
import type { PersonInputs, Phone } from "../ports.ts";
import { identifiersOf } from "../signup/entity.ts";
import { readProof } from "../signup/phone-proof.ts";
import { mismatchMessage } from "../signup/refusal.ts";
import { randomToken, tokenHash } from "../token.ts";
import { deleteSession, insertSdkSession, markOpened, type SessionSecrets, sessionSelector } from "./session-rows.ts";

/** How long a key is valid, and how long the session that it opens lasts, in milliseconds. */
export const sdkSessionLifeMs = hourMs;

export type NewSession = { verificationUuid?: string; phone?: string; inputs: PersonInputs };
/** Makes a key for the SDK that works once. Only its hash is stored. */
export async function makeSession(deps: Deps, caller: Caller, ask: NewSession): Promise<string> {
  const { settings, approvals } = caller.brand;
  if (!integrations[settings.integrationType].makesSessions) throw fail("SKE001", {});
  if (
    settings.phoneVerificationType === "byCustomer" &&
    ask.phone === undefined &&
    ask.verificationUuid === undefined
  ) {
    throw fail("SKE002", { phone: '"phone" is required' });
  }
  const phone = await phoneOfRequest(deps, caller, ask);
  if (ask.verificationUuid === undefined && phone !== undefined && !approvals.has("barePhone")) {
    throw refuse(403, "The brand is not approved to pass a phone without a verification (barePhone).");
  }
  const wrong = deps.vendors.identity.impossible(ask.inputs, phone);
  if (wrong.length > 0) {
    const identifiers =
      phone === undefined
        ? {}
        : identifiersOf(
            { phone, ...(ask.inputs.email === undefined ? {} : { email: ask.inputs.email }) },
            "customer_otp",
          );
    throw fail("OCE012", identifiers, mismatchMessage(wrong));
  }
  return await store(deps, caller, { verificationUuid: ask.verificationUuid, inputs: ask.inputs, phone });
}

/** The phone that the brand asserts or names by its verification. Undefined if the session will prove one. */
async function phoneOfRequest(deps: Deps, caller: Caller, ask: NewSession): Promise<Phone | undefined> {
  const phone = ask.phone === undefined ? undefined : supportedPhone(deps, ask.phone);
  const { verificationUuid } = ask;
  if (verificationUuid === undefined) return phone;
  // A phone next to it selected this cell, but the verification may be of another phone.
  const cell = phone === undefined ? deps : await deps.cells.ofUuid(verificationUuid);
  return (await readProof(cell, caller, { verificationUuid, phone })).phone;
}

async function store(
  deps: Deps,
  caller: Caller,
  input: { verificationUuid?: string; phone?: Phone; inputs: PersonInputs },
): Promise<string> {
  const { phone, inputs, verificationUuid = null } = input;
  const person = phone === undefined ? null : await deps.db.inTransaction((trx) => ensurePerson(deps, trx, phone));
  const sessionKey = deps.random.uuid();
  const uuid = deps.random.uuid();
  const now = deps.clock.now();
  const expiresAt = now + sdkSessionLifeMs;
  const brandUuid = caller.brand.uuid;
  const personUuid = person?.uuid ?? null;
  const secrets: SessionSecrets = { inputs, ...(phone === undefined ? {} : { phone }) };
  const keyed = deps.keyed.of(sessionSelector(tokenHash(sessionKey)));
  await keyed.inTransaction(async (trx) => {
    const dataKey = await deps.vault.createDataKey(trx, deps.environment, now);
    const session = { uuid, brandUuid, personUuid, verificationUuid };
    await insertSdkSession(deps, trx, { ...session, dataKey, sessionKey, secrets, expiresAt });
  });
  // The person may have been deleted while the session was saved. The caller does not have the key yet.
  if (phone !== undefined && person !== null && !(await hasPhone(deps, person, phone))) {
    await keyed.inTransaction((trx) => deleteSession(trx, uuid));
    throw refuse(409, "The person of this phone was deleted during the request. Send it again.");
  }
  return sessionKey;
}

async function hasPhone(deps: Deps, { uuid }: Person, phone: Phone): Promise<boolean> {
  return (await findPerson(deps, phone))?.uuid === uuid;
}

/** Opens the session of a key and returns its token. Of concurrent calls with one key, one succeeds. */
export async function openSdkSession(
  deps: HomeDeps,
  { sessionKey, frame }: { sessionKey: string; frame: string },
): Promise<{ sessionToken: string; expiresAt: number }> {
  // The frame's URL contains the key's hash, which decides who may frame the page. A key with another hash would bypass
  // that.
  const keyHash = tokenHash(sessionKey);
  if (keyHash.toString("base64url") !== frame) throw refuse(401, "INVALID_SESSION_KEY");
  const now = deps.clock.now();
  const selector = sessionSelector(keyHash);
  const sessionToken = `${selector}${randomToken(deps.random)}`;
  const expiresAt = now + sdkSessionLifeMs;
  const uuid = await findKeyed(deps, selector, (keyed) =>
    keyed.inTransaction((trx) => markOpened(deps, trx, { sessionKey, token: sessionToken, expiresAt })),
  );
  // Unknown, used and expired keys get the same answer, so a thief learns nothing from it.
  if (uuid === null) throw refuse(401, "INVALID_SESSION_KEY");
  return { sessionToken, expiresAt };
}
