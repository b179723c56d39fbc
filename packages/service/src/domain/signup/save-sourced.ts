import type { Trx } from "../../store/database.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import { ensurePerson, type Person } from "../person.ts";
import { listVerified } from "../verification/verification-rows.ts";
import { isOfFormerHolder, type OneClick } from "./one-click.ts";
import { findErasure, saveOneClick } from "./one-click-rows.ts";

/**
 * Saves a 1-Click that is not released after its sources were asked. Throws OCE015 if the person has ended it or its
 * proof meanwhile, because nothing would erase what is stored now. Returns the person.
 */
export async function saveSourced(deps: Deps, trx: Trx, { brand }: Caller, oneClick: OneClick): Promise<Person> {
  // This locks the person, so a withdrawal or a deletion runs before the next statement or after this transaction.
  const person = await ensurePerson(deps, trx, oneClick.facts.phone);
  const { uuid, verificationUuid: proof } = oneClick;
  const isProven = proof === null || (await listVerified(trx, [proof])).has(proof);
  const isErased = (await findErasure(trx, uuid))?.isErased === true;
  if (!isProven || isErased || isOfFormerHolder(oneClick, person)) throw fail("OCE015", {});
  await saveOneClick(deps, trx, { brand, oneClick, person });
  return person;
}
