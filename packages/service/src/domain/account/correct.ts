import { type CredentialType, credentialKey } from "@countersign/contract/credential";
import { recordAudit } from "../audit/record.ts";
import type { CredentialFact } from "../credential/assemble.ts";
import type { Deps } from "../deps.ts";
import { invalid, type Problem, refuse } from "../failure.ts";
import type { SourcedCredential } from "../ports.ts";
import { changeFacts, findBrandOf } from "../signup/one-click-rows.ts";
import { type Typed, typedFact } from "../signup/typing.ts";
import { findSharedOneClick, typedKeys } from "./cards.ts";
import { requireProvenIfPossible } from "./prove.ts";
import { type Account, requireSignedIn } from "./session.ts";

/** Corrects a value that the person typed. The brand's next read returns it. Sourced values cannot be corrected. */
export async function correctValue(
  deps: Deps,
  account: Account,
  input: { oneClickUuid: string; key: string; typed: Typed },
): Promise<void> {
  await requireProvenIfPossible(deps, account);
  const uuid = input.oneClickUuid.toLowerCase();
  const brandUuid = await findBrandOf(deps, uuid);
  const oneClick = brandUuid === null ? null : await findSharedOneClick(deps, account, { uuid, brandUuid });
  if (brandUuid === null || oneClick === null) throw refuse(404, "No such share.");
  await deps.db.inTransaction(async (trx) => {
    const by = { brand: { uuid: brandUuid }, apiKeyUuid: null, requestId: account.requestId };
    const types: string[] = [];
    const changed = await changeFacts(deps, trx, { caller: by, oneClick }, (facts) => {
      const { type, credentials } = correctedIn(deps, facts.credentials, input);
      types.push(type);
      return { ...facts, credentials };
    });
    if (changed === null) throw refuse(404, "No such share.");
    // After the share, as a deletion locks them.
    await requireSignedIn(trx, account.sessionUuid);
    const subject = { personUuid: account.person.uuid, oneClickUuid: uuid };
    await recordAudit(deps, trx, by, { ...subject, action: "account.corrected", detail: { types } });
  });
}

/** The 1-Click's values with the correction, and the type that it changed. Throws ERR001 if a source has the value. */
function correctedIn(
  deps: Deps,
  credentials: readonly CredentialFact[],
  { key, typed }: { key: string; typed: Typed },
): { type: CredentialType; credentials: CredentialFact[] } {
  const isOwn = (value: SourcedCredential) => typedKeys(value).length > 0;
  const fact = credentials.find(({ request, values }) => credentialKey(request.type) === key && values.some(isOwn));
  const chosen = fact?.values.find(isOwn);
  const problems: Problem[] =
    chosen === undefined ? [{ path: "body.key", message: "Use the key of a value that the person typed." }] : [];
  if (fact === undefined || chosen === undefined) throw invalid(problems);
  problems.push(...notTypedProblems(chosen, typed));
  const corrected = typedFact({ deps, problems, path: "body.value" }, fact.request, { chosen, typed });
  if (problems.length > 0) throw invalid(problems);
  const kept = fact.values.filter((value) => value !== chosen);
  const values = [...corrected.flatMap((one) => one.values), ...kept];
  const replacing = values.length === 0 ? [] : [{ ...fact, values }];
  return { type: fact.request.type, credentials: credentials.flatMap((one) => (one === fact ? replacing : [one])) };
}

/** A problem for each part that the person did not type, which they may not correct. */
function notTypedProblems(chosen: SourcedCredential, typed: Typed): Problem[] {
  if (typeof typed === "string") return [];
  const own = typedKeys(chosen);
  return Object.keys(typed)
    .filter((key) => !own.includes(key))
    .map((key) => ({ path: `body.value.${key}`, message: "The person did not type this." }));
}
