import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../domain/deps.ts";
import { invalid, refuse } from "../domain/failure.ts";
import {
  type AnswerClaim,
  claimAnswer,
  earlierAnswer,
  endAnswer,
  giveUpAnswer,
  type IdempotentCall,
  keepAnswer,
  releaseAnswer,
} from "../domain/idempotency/answer.ts";
import type { AnswerRef } from "../domain/idempotency/idempotent-answer-rows.ts";
import { keyOwnerOf, recheck } from "./auth.ts";
import { cellOf } from "./cell.ts";
import { PerRequest } from "./per-request.ts";

/** How long a repeated request waits for the answer to the first one, in milliseconds. */
const patienceMs = 10_000;
/** The wait between two looks at a key doubles up to a maximum, so that many waiting calls cost little. */
const firstPollMs = 50;
const pollMsMax = 400;
const keyPattern = /^[\x21-\x7e]{1,255}$/;

/** Names the channel of a verification in a redirect, which has no body. */
export const channelHeader = "countersign-channel";

/** Marks a route that creates something if it succeeds. */
export const creates = { creates: true };

/** The person's cell, and the claimed row. */
type Claimed = { deps: Deps; claimed: AnswerRef };
const claims = new PerRequest<Claimed>("claim");
const worked = new PerRequest<true>("worked");

/** Notes that a request's work is done. If its caller is refused after that, a repeat must not do the work again. */
export function noteWorked(request: FastifyRequest): void {
  worked.set(request, true);
}

/**
 * Supports `Idempotency-Key` on calls with which a brand creates something. If an answer cannot be stored, it is still
 * sent, and the error is reported. Repeats must then wait, because the work is done.
 */
export function answerOnce(app: FastifyInstance, onUnkept: (error: unknown, requestId: string) => void): void {
  const answerEarlier = async (request: FastifyRequest, reply: FastifyReply, call: IdempotentCall) => {
    // The key selects the database of the answer. If the person's cell cannot be reached, refuse before claiming the
    // key.
    const deps = await cellOf(request);
    const claim = await claimPatiently(deps, call);
    if (claim.kind === "ours") claims.set(request, { deps, claimed: claim.claimed });
    // The request may have waited for the first one. If it is refused now, its claim is released.
    await recheck(request);
    if (claim.kind === "ours") return false;
    if (claim.kind === "otherBody")
      throw refuse(422, "This Idempotency-Key was used with another body; use a new key for a new request.");
    if (claim.kind === "inFlight")
      throw refuse(409, "The first request with this Idempotency-Key is still in progress.", { "retry-after": "1" });
    sendAgain(reply, claim.answer);
    return true;
  };
  app.addHook("preHandler", (request, reply, done) => {
    const call = idempotentCallOf(request);
    if (call === null) return done();
    answerEarlier(request, reply, call).then((isSent) => {
      if (!isSent) done();
    }, done);
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    const claim = claims.get(request);
    if (claim === undefined) return done(null, payload);
    claims.set(request, undefined);
    settle(claim, reply, payload)
      .catch((error: unknown) => onUnkept(error, request.id))
      .finally(() => done(null, payload));
  });
}

async function settle({ deps, claimed }: Claimed, reply: FastifyReply, payload: unknown): Promise<void> {
  const { statusCode } = reply;
  // The work may be done despite the failure, so a retry could do it twice. `giveUpAnswer` frees the key only if nothing
  // was recorded.
  if (statusCode >= 500) return void (await giveUpAnswer(deps, claimed));
  if (statusCode >= 400 && worked.get(reply.request)) return await endAnswer(deps, claimed);
  // A refused request changed nothing, so free the key for a retry.
  if (statusCode >= 400) return await releaseAnswer(claimed);
  const body = typeof payload === "string" ? payload : "";
  const [location, channel] = [textHeader(reply, "location"), textHeader(reply, channelHeader)];
  const answer = { status: statusCode, body, location, channel, warning: textHeader(reply, "warning") };
  await keepAnswer(deps, claimed, answer, oneClickIn(reply.request.params));
}

/** The 1-Click in a call's path: only calls about 1-Clicks have a `uuid` there. */
function oneClickIn(params: unknown): string | null {
  const uuid = typeof params === "object" && params !== null && "uuid" in params ? params.uuid : null;
  return typeof uuid === "string" ? uuid.toLowerCase() : null;
}

function textHeader(reply: FastifyReply, name: string): string | undefined {
  const value = reply.getHeader(name);
  return typeof value === "string" ? value : undefined;
}

function idempotentCallOf(request: FastifyRequest): IdempotentCall | null {
  const key = request.headers["idempotency-key"];
  const owner = keyOwnerOf(request);
  if (key === undefined || owner === undefined || !("creates" in request.routeOptions.config)) return null;
  if (typeof key !== "string" || !keyPattern.test(key))
    throw invalid([{ path: "headers.idempotency-key", message: "Use 1 to 255 visible ASCII characters." }]);
  return {
    caller: { brand: owner.brand, apiKeyUuid: owner.apiKeyUuid, requestId: request.id },
    endpoint: request.routeOptions.url ?? "",
    key,
    body: JSON.stringify([request.params, request.body ?? null]),
  };
}

async function claimPatiently(deps: Deps, call: IdempotentCall): Promise<AnswerClaim> {
  let claim = await claimAnswer(deps, call);
  let pollMs = firstPollMs;
  for (let waitedMs = 0; claim.kind === "inFlight" && waitedMs < patienceMs; ) {
    await wait(pollMs);
    waitedMs += pollMs;
    pollMs = Math.min(2 * pollMs, pollMsMax);
    // Reading the state writes nothing. If the key was freed, claim it again.
    claim = (await earlierAnswer(deps, call)) ?? (await claimAnswer(deps, call));
  }
  return claim;
}

type Answered = Extract<AnswerClaim, { kind: "answered" }>["answer"];

function sendAgain(reply: FastifyReply, { status, body, location, channel, warning }: Answered) {
  if (location !== undefined) reply.header("location", location);
  if (channel !== undefined) reply.header(channelHeader, channel);
  // The handler, which warns about an accepted request, does not run again.
  if (warning !== undefined) reply.header("warning", warning);
  reply.status(status).header("idempotent-replayed", "true");
  if (body === "") return reply.send();
  return reply
    .type("application/json; charset=utf-8")
    .serializer((text: string) => text)
    .send(body);
}
