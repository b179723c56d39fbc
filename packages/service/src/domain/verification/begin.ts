import type { Trx } from "../../store/database.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail, invalid, refuse } from "../failure.ts";
import { codeLifeMs, makeCode, type OneTimeCode } from "../one-time-code.ts";
import { ensurePerson, type Person } from "../person.ts";
import type { Phone } from "../ports.ts";
import { mayUse, noTexts } from "./channels.ts";
import { verificationKeptMs } from "./states.ts";
import { scheduleErasure, sealVerification, type Verification } from "./store.ts";

export type BeginVerification = { phone?: string; deviceIp?: string };

/** Begins a verification by text. Its code exists from now on; nothing is sent before it is delivered. */
export async function beginVerification(deps: Deps, caller: Caller, what: BeginVerification): Promise<Verification> {
  if (!mayUse(caller.brand, "sms")) throw refuse(403, "The brand has switched the channel sms off.");
  if (!deps.offers.texts) throw noTexts();
  if (what.phone === undefined) throw invalid([{ path: "body.phone", message: "is required" }]);
  const judged = deps.phones.judge(what.phone);
  if (judged.kind === "foreign") throw fail("OCV009", {});
  if (judged.kind !== "supported")
    throw invalid([{ path: "body.phone", message: "must be a US phone number in E.164" }]);
  const secrets = { phone: judged.phone, ...(what.deviceIp === undefined ? {} : { deviceIp: what.deviceIp }) };
  return await deps.db.transaction().execute(async (trx) => {
    const person = await ensurePerson(deps, trx, judged.phone);
    const { row } = await insertVerification(deps, trx, caller.brand.uuid, { person, secrets });
    return { row, dataKey: person.dataKey, secrets };
  });
}

/** The row of a verification by text, with the code that whoever texts it may need. Null: the service itself asks. */
export async function insertVerification(
  deps: Deps,
  trx: Trx,
  brandUuid: string | null,
  what: { person: Person; secrets: { phone: Phone; deviceIp?: string } },
): Promise<{ uuid: string; code: OneTimeCode; row: Verification["row"] }> {
  const { person, secrets } = what;
  const uuid = deps.random.uuid();
  const now = deps.clock.now();
  const { code, hash } = makeCode(deps, uuid, secrets.phone);
  const row = await trx
    .insertInto("verification")
    .values({
      uuid,
      environment: deps.environment,
      brand_uuid: brandUuid,
      person_uuid: person.uuid,
      data_key_uuid: person.dataKey.uuid,
      channel: "sms",
      status: "pending",
      sealed: sealVerification(deps, person.dataKey, uuid, secrets),
      code_hmac: hash,
      created_at: now,
      expires_at: now + codeLifeMs,
      kept_until: now + verificationKeptMs,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await scheduleErasure(deps, trx, uuid, now);
  return { uuid, code, row };
}
