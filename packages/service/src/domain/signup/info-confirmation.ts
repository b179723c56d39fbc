import { findBrand } from "../brand/store.ts";
import type { Deps } from "../deps.ts";
import { ensurePerson } from "../person.ts";
import { randomWord, wordHash } from "../token.ts";
import { statusAt } from "../verification/states.ts";
import { findVerificationUnbound } from "../verification/store.ts";
import { findPageOf, type Page } from "./page.ts";
import { readRequests } from "./start.ts";
import { oneClickLifeMs } from "./states.ts";
import { saveOneClick } from "./store.ts";

const pageLength = 22;

/**
 * The page on which a person whose phone a texted link has just proven reviews and shares, where the brand asked for
 * that (`redirectUserAfter: infoConfirmation`); null where the proof is all it wants.
 */
export async function beginInfoConfirmation(
  deps: Deps,
  verificationUuid: string,
  requestId: string,
): Promise<Page | null> {
  const { row, secrets } = await findVerificationUnbound(deps, verificationUuid);
  const brand = await findBrand(deps.db, deps.environment, row.brand_uuid);
  const { phone, redirectUrl } = secrets;
  const wanted = row.redirect_user_after === "infoConfirmation" && statusAt(row, deps.clock.now()) === "verified";
  if (!wanted || brand === null || phone === undefined || !brand.settings.consent.declared) return null;
  const caller = { brand, apiKeyUuid: null, requestId };
  const requestTree = readRequests(deps, caller, { inputs: {} });
  const uuid = deps.random.uuid();
  await deps.db.transaction().execute(async (trx) => {
    await saveOneClick(deps, trx, caller, {
      uuid,
      journey: "v21Sdk",
      state: "awaitingProof",
      phoneMethod: "otp",
      refusal: null,
      requestTree,
      facts: { phone, risk: null, credentials: [], inputs: {}, page: redirectUrl === undefined ? {} : { redirectUrl } },
      person: await ensurePerson(deps, trx, phone),
      verificationUuid,
      expiresAt: deps.clock.now() + oneClickLifeMs,
    });
    await trx
      .updateTable("one_click")
      // Nobody is told this address: the session alone opens the page.
      .set({ page_hash: wordHash(randomWord(deps.random, pageLength)) })
      .where("uuid", "=", uuid)
      .execute();
  });
  return await findPageOf(deps, verificationUuid, requestId);
}
