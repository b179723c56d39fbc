import { isUuid } from "@countersign/contract/primitives";
import { recordAudit, recordAuditAlone } from "../../audit/record.ts";
import { assertMay } from "../../brand/permission.ts";
import type { Caller, Deps } from "../../deps.ts";
import { fail } from "../../failure.ts";
import { journeys } from "../../journey.ts";
import { tryCodeAgain } from "../../verification/try-code.ts";
import { identifiersOf } from "../entity.ts";
import type { OneClick, StoredOneClick } from "../one-click.ts";
import { findOneClickForKey } from "../one-click-for-key.ts";
import { endAfterFirstRead, findOneClick } from "../one-click-rows.ts";
import { requireReleased, saveOutcome } from "../outcome.ts";
import { isReadable } from "../readable-rows.ts";
import { throwIfRefused } from "../refusal.ts";
import { findIdentity } from "../steps.ts";

/**
 * Reads a brand's own 1-Click and records the read. Throws the same OCE015 for everything that the brand may not see.
 */
export async function readOneClick(
  deps: Deps,
  caller: Caller,
  input: { uuid: string; code?: string },
): Promise<StoredOneClick> {
  const oneClick = await ownOneClick(deps, caller, input.uuid);
  if (journeys[oneClick.journey].proof !== "brandCode") return await readFound(deps, caller, oneClick);
  const isUndecided = oneClick.state === "awaitingProof" || oneClick.state === "awaitingInputs";
  // This read would ask the source and release data, so the brand must be allowed to act.
  if (isUndecided) assertMay(caller.brand, "act");
  await relayCode(deps, caller, oneClick, input.code);
  if (!isUndecided) return await read(deps, caller, oneClick.uuid);
  const outcome = await findIdentity.run(deps, caller, oneClick);
  const saved = await saveOutcome(deps, caller, outcome);
  return saved.kind === "overtaken" ? await read(deps, caller, oneClick.uuid) : requireReleased(caller, saved);
}

/** Finds the brand's own 1-Click for a call with its API key, or throws OCE015. */
export async function ownOneClick(deps: Deps, caller: Caller, uuid: string): Promise<StoredOneClick> {
  const found = await findOneClickForKey(deps, caller, uuid);
  if (found === null) throw fail("OCE015", {});
  return found;
}

/** Reads a 1-Click that is already decided, and records the read. */
export async function read(deps: Deps, caller: Caller, uuid: string): Promise<StoredOneClick> {
  const found = isUuid(uuid) ? await findOneClick(deps, deps.db, caller, uuid) : null;
  if (found === null) throw fail("OCE015", {});
  return await readFound(deps, caller, found);
}

/** Records the read, and then checks whether the person has stopped sharing meanwhile. */
async function readFound(deps: Deps, caller: Caller, oneClick: StoredOneClick): Promise<StoredOneClick> {
  const { uuid } = oneClick;
  throwIfRefused(caller, oneClick);
  if (oneClick.state !== "released" && oneClick.state !== "declined") throw fail("OCE015", {});
  const { readableAfterFirstReadMs } = journeys[oneClick.journey];
  const entry = {
    action: "oneClick.read" as const,
    personUuid: oneClick.personUuid,
    oneClickUuid: uuid,
    detail: { types: oneClick.facts.credentials.map((one) => one.request.type) },
  };
  if (readableAfterFirstReadMs === null) {
    await recordAuditAlone(deps, caller, entry);
    if (!(await isReadable(deps, uuid))) throw fail("OCE015", {});
  } else
    await deps.db.inTransaction(async (trx) => {
      const [hasData] = await Promise.all([
        endAfterFirstRead(deps, trx, uuid, readableAfterFirstReadMs),
        recordAudit(deps, trx, caller, entry),
      ]);
      if (!hasData) throw fail("OCE015", {});
    });
  return oneClick;
}

/**
 * Checks the code that the brand relays for the person. Returns if the code is correct or was accepted before;
 * otherwise throws.
 */
async function relayCode(deps: Deps, caller: Caller, oneClick: OneClick, code: string | undefined): Promise<void> {
  // Omit the verification method, because these errors mean that nothing is proven.
  const { identifiers } = identifiersOf(oneClick.facts, oneClick.phoneMethod);
  if (code === undefined) throw fail("OCE009", { identifiers });
  const uuid = oneClick.verificationUuid;
  if (uuid === null) throw fail("OCE015", {});
  const tried = await tryCodeAgain(deps, caller, { uuid, code, phone: oneClick.facts.phone });
  if (tried.kind === "right") return;
  const isOver = tried.kind === "notTried" && tried.status === "failed";
  throw fail(isOver ? "OCE018" : "OCE008", { identifiers });
}
