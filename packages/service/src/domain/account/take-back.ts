/** Takes away what brands can read about a person: one brand, all brands that are shown, or all brands. */
import type { Trx } from "../../store/database.ts";
import type { Deps } from "../deps.ts";
import { eraseLookupsAbout } from "../health/lookup-rows.ts";
import { deleteSteps } from "../health/step-rows.ts";
import { destroyAnswersAbout } from "../idempotency/answer.ts";
import { deleteSessionsOf } from "../session/session-rows.ts";
import { eraseOneClicks } from "../signup/one-click-rows.ts";
import { eraseVerifications } from "../verification/erase.ts";
import { listVerificationsOf } from "../verification/verification-rows.ts";
import { endDeliveries } from "../webhook/delivery-rows.ts";
import type { Shown } from "./scope.ts";

type From = { personUuid: string; dataKeyUuid: string; brands: Shown };

/**
 * Erases shares, lookups, their deliveries, stored answers, proofs of the phone and open pages. After the commit no
 * process can read them, and a repeated request creates nothing. Returns the uuids of the 1-Clicks: after the commit, the
 * caller deletes what home has about them.
 */
export async function takeBack(deps: Deps, trx: Trx, { personUuid, dataKeyUuid, brands }: From): Promise<string[]> {
  const now = deps.clock.now();
  const oneClicks = await eraseOneClicks(trx, { personUuid, brands }, now);
  const lookupUuids = await eraseLookupsAbout(trx, { personUuid, brands, now });
  const subjects = [...oneClicks.map(({ uuid }) => uuid), ...lookupUuids];
  await deleteSteps(trx, lookupUuids);
  await endDeliveries(trx, { dataKeyUuid, subjectUuids: subjects, brands }, now);
  if (brands === null || brands.length > 0) await destroyAnswersAbout(trx, { personUuid, brands, now });
  await deleteSessionsOf(trx, { dataKeyUuid, oneClickUuids: subjects, brands });
  await eraseVerifications(trx, await listVerificationsOf(trx, personUuid, brands));
  return oneClicks.map(({ uuid }) => uuid);
}
