/**
 * Opt-out from texts: a phone that answers STOP gets no more texts, from brands or the service, until it answers START.
 */
import type { Deps } from "../../deps.ts";
import type { IncomingText, Phone } from "../../ports.ts";
import { insertStop, lockStop, saveStop, stopScope } from "./text-stop-rows.ts";

// In English and Spanish, the languages of our texts and pages.
const stopWords = "STOP STOPALL UNSUBSCRIBE CANCEL END QUIT REVOKE OPTOUT PARAR ALTO BAJA CANCELAR DETENER".split(" ");
const startWords = ["START", "UNSTOP", "ALTA", "INICIAR", "REANUDAR"];
/** Maximum length of a message that can be STOP or START. */
const wordLengthMax = 40;
/** Messages remembered per phone, so that a repeated delivery of a message changes nothing. */
const rememberedMax = 20;

/** The effect of an incoming text. The gateway answers HELP itself; all other texts are ignored. */
export type StopEffect = "stopped" | "started" | "ignored";

type Taken = Extract<IncomingText, { kind: "text" }>;

/** Applies an incoming text that is signed by its gateway, or that a customer of the sandbox made up. */
export async function takeIncomingText(
  deps: Deps,
  text: Taken,
  customerUuid: string | null = null,
): Promise<StopEffect> {
  const judged = deps.phones.judge(text.from);
  const effect = effectOf(text);
  if (judged.kind !== "supported" || effect === null) return "ignored";
  const { environment, vault } = deps;
  const scope = stopScope(deps, judged.phone, customerUuid);
  const message = vault.keyedHash("incoming text", text.id);
  return await deps.db.inTransaction(async (trx) => {
    const at = deps.clock.now();
    const { heeded } = await lockStop(trx, { environment, ...scope, at });
    if (heeded.some((one) => one.equals(message))) return "ignored";
    const remembered = [...heeded, message].slice(-rememberedMax);
    await saveStop(trx, { environment, ...scope, stopped: effect === "stopped", at, heeded: remembered });
    return effect;
  });
}

/** Records a STOP that only the gateway knows about. A START that arrived after the gateway was asked stays. */
export async function noteStopped(deps: Deps, phone: Phone, askedAt: number): Promise<void> {
  const { environment, clock } = deps;
  await insertStop(deps.db, { environment, ...stopScope(deps, phone, null), at: clock.now(), askedAt });
}

const effectOfKeyword = { stop: "stopped", start: "started", none: null } as const;

/** By the gateway's decision, or else by the words. A phone that the gateway serves again must not stay blocked here. */
function effectOf({ body, keyword }: Taken): "stopped" | "started" | null {
  if (keyword !== undefined) return effectOfKeyword[keyword];
  if (body.length > wordLengthMax) return null;
  const word = body
    .normalize("NFKD")
    .toUpperCase()
    .replace(/[^A-Z]/g, "");
  if (stopWords.includes(word)) return "stopped";
  return startWords.includes(word) ? "started" : null;
}
