import { batched } from "../../../store/statements/batch.ts";
import { requireAllowedTarget } from "../../brand/redirect.ts";
import type { Caller, Deps } from "../../deps.ts";
import { fail } from "../../failure.ts";
import { findVerification, findVerificationForKey } from "../find.ts";
import { attemptsData, isOpen, statusAt, type Verification, type VerificationRow } from "../verification.ts";
import {
  type CountedTexts,
  type Delivery,
  hasLink,
  prepareTexts,
  queueTexts,
  type TextRequest,
  textPhones,
} from "./queue-texts.ts";

/** Queues a text with a new code or link. The previous code and link stop working at once. A job sends the text. */
export async function deliverText(deps: Deps, caller: Caller, input: Delivery): Promise<Verification> {
  // Without a link, nothing redirects.
  const { redirectUrl, ...plain } = input;
  const asked: Delivery = hasLink(input) ? input : plain;
  if (hasLink(input)) requireAllowedTarget(deps.policy, caller.brand.settings, redirectUrl);
  const before = await findVerificationForKey(deps, caller, input.uuid);
  const { phone } = before.secrets;
  if (phone === undefined || before.row.channel !== "sms") throw fail("OCV003", attemptsData(before.row));
  // Use the row's spelling of the uuid, because encryption and hashes are bound to it.
  const row = await deliverTogether(deps, { ...asked, uuid: before.row.uuid, caller, phone, before });
  if (row === null) throw refusal(deps, await findVerification(deps, deps.db, caller, input.uuid));
  // Return the row as updated here. A worker may already have sent the text and changed the stored row.
  return { ...before, row };
}

/** Concurrent texts are batched. Null for a verification that has no delivery left. */
const deliverTogether = batched(
  async (deps: Deps, all: readonly TextRequest[]): Promise<(VerificationRow | null)[]> => {
    const queue = (counted: CountedTexts) =>
      deps.db.inTransaction(async (trx) => {
        const prepared = await prepareTexts(deps, trx, all);
        await queueTexts(deps, trx, { all: prepared.filter((one) => one !== null), counted });
        return prepared.map((one) => one?.row ?? null);
      });
    const isQueued = (rows: (VerificationRow | null)[], at: number) => rows[at] !== null;
    const texted = all.map(({ caller, phone }) => ({ phone, brandUuid: caller.brand.uuid }));
    return await textPhones(deps, texted, { queue, isQueued });
  },
  ({ uuid }) => uuid,
);

/** The reason why no text was queued: OCV003 if the verification has ended, otherwise OCV004. */
function refusal(deps: Deps, { row }: Verification): Error {
  return fail(isOpen(statusAt(row, deps.clock.now())) ? "OCV004" : "OCV003", attemptsData(row));
}
