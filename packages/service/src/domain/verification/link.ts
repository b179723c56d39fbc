/**
 * The link of a text. Opening it shows a page and does nothing: whatever fetches links of messages proves nothing. Only
 * the person's "Continue" proves the phone, and "I did not ask for this" ends the verification for good.
 */
import { sql } from "kysely";
import { recordAudit } from "../audit/record.ts";
import { allowedTarget, withParameter } from "../brand/redirect.ts";
import { findActiveBrand } from "../brand/store.ts";
import type { Brand, Deps } from "../deps.ts";
import { codeAttemptsMax } from "../one-time-code.ts";
import type { Phone } from "../ports.ts";
import { randomWord, wordHash } from "../token.ts";
import { countAnswered } from "./alarms.ts";
import { statusAt } from "./states.ts";
import { findVerificationUnbound } from "./store.ts";

/** Letters and digits of a link's id: 131 bits. */
const linkLength = 22;
const openStates = ["pending", "sending", "delivered"] as const;

export type Link = { id: string; hash: Buffer };

export function makeLink(deps: Deps): Link {
  const id = randomWord(deps.random, linkLength);
  return { id, hash: wordHash(id) };
}

/** What the page of a link shows; null when the link is used up, replaced by a newer one, or too late. */
export type LinkPage = {
  uuid: string;
  brand: Brand;
  sentAt: number;
  expiresAt: number;
  target: URL | null;
  leadsOn: boolean;
  phone?: Phone;
};

export async function readLink(deps: Deps, id: string): Promise<LinkPage | null> {
  const link = await findLink(deps, id);
  const isOpen = openStates.some((one) => one === link?.status);
  return link !== null && isOpen ? link.page : null;
}

/** What a link leads to, whatever became of it. */
async function findLink(deps: Deps, id: string) {
  const named = await deps.db
    .selectFrom("verification")
    .select(["uuid", "code_hmac"])
    .where("link_hash", "=", wordHash(id))
    .where("environment", "=", deps.environment)
    .executeTakeFirst();
  if (named === undefined) return null;
  const { row, secrets } = await findVerificationUnbound(deps, named.uuid);
  const brand = await findActiveBrand(deps.db, deps.environment, row.brand_uuid);
  if (brand === null) return null;
  const wanted = secrets.redirectUrl ?? brand.settings.redirectUrl;
  // Judged again: the settings may have changed since the text was sent.
  const target = wanted === null ? null : allowedTarget(deps, brand.settings, wanted);
  const leadsOn = row.redirect_user_after === "infoConfirmation";
  const page: LinkPage = {
    uuid: row.uuid,
    brand,
    sentAt: row.delivered_at ?? row.created_at,
    expiresAt: row.expires_at,
    target,
    leadsOn,
    ...(secrets.phone === undefined ? {} : { phone: secrets.phone }),
  };
  return { page, status: statusAt(row, deps.clock.now()), isProvenByLink: named.code_hmac === null };
}

/** `isAgain`: it was accepted before, and may lead where it led, but let nobody in anew. */
export type Accepted = { verificationUuid: string; goesTo: string | null; leadsOn: boolean; isAgain: boolean };

/**
 * "Continue": the phone is proven, once. Answers where the person goes on, if anywhere; null when the link was over. Pressed
 * again while the link lives, it leads there again: what followed may have failed, or its answer was lost.
 */
export async function acceptLink(deps: Deps, id: string, requestId: string): Promise<Accepted | null> {
  const page = await readLink(deps, id);
  if (page !== null && (await prove(deps, id, page, requestId))) return acceptedOf(page, false);
  const link = await findLink(deps, id);
  const isAgain = link?.status === "verified" && link.isProvenByLink && deps.clock.now() < link.page.expiresAt;
  return link !== null && isAgain ? acceptedOf(link.page, true) : null;
}

function acceptedOf({ uuid, target, leadsOn }: LinkPage, isAgain: boolean): Accepted {
  const goesTo = target === null ? null : withParameter(target.toString(), "verificationUuid", uuid);
  return { verificationUuid: uuid, goesTo, leadsOn, isAgain };
}

async function prove(deps: Deps, id: string, page: LinkPage, requestId: string): Promise<boolean> {
  const now = deps.clock.now();
  return await deps.db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable("verification")
      .set({
        status: "verified",
        verified_at: now,
        attempts_used: sql<number>`attempts_used + 1`,
        // The link's hash stays: by it "Continue" is known again.
        code_hmac: null,
      })
      .where("link_hash", "=", wordHash(id))
      .where("status", "in", openStates)
      .where("attempts_used", "<", codeAttemptsMax)
      .where("expires_at", ">", now)
      .returning("person_uuid")
      .executeTakeFirst();
    if (row === undefined || row.person_uuid === null) return false;
    await trx.updateTable("person").set({ last_proven_at: now }).where("uuid", "=", row.person_uuid).execute();
    await recordAudit(
      deps,
      trx,
      { brand: page.brand, apiKeyUuid: null, requestId },
      { action: "verification.verified", personUuid: row.person_uuid, verificationUuid: page.uuid },
    );
    // Last: others need the counters.
    if (page.phone !== undefined) await countAnswered(deps, trx, { phone: page.phone, brandUuid: page.brand.uuid });
    return true;
  });
}

/** "I did not ask for this": ends the verification; no further text is sent for it. */
export async function denyLink(deps: Deps, id: string, requestId: string): Promise<boolean> {
  const page = await readLink(deps, id);
  if (page === null) return false;
  const now = deps.clock.now();
  return await deps.db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable("verification")
      .set({ status: "failed", denied_at: now, code_hmac: null, link_hash: null })
      .where("link_hash", "=", wordHash(id))
      .where("status", "in", openStates)
      .returning("person_uuid")
      .executeTakeFirst();
    if (row === undefined) return false;
    await recordAudit(
      deps,
      trx,
      { brand: page.brand, apiKeyUuid: null, requestId },
      {
        action: "verification.denied",
        ...(row.person_uuid === null ? {} : { personUuid: row.person_uuid }),
        verificationUuid: page.uuid,
      },
    );
    return true;
  });
}
