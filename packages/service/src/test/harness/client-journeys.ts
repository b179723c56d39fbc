/**
 * Every path through the service from the first call to the end, as a client takes it. Each OCE011 is answered, and a
 * repeated request for the same inputs fails the walk.
 */
import assert from "node:assert/strict";
import type { IntegrationType } from "@countersign/contract/brand";
import { ApiError, client, type Send } from "@countersign/contract/client";
import type { OneClickEntity } from "@countersign/contract/entity";
import type { ChallengeInput } from "@countersign/contract/errors";
import { beginByPhone, continueSession, openSession } from "@countersign/contract/session";
import { createTrusted, createV1OneClick, readV1OneClick } from "@countersign/contract/v1";
import { amendPage, decidePage, provePage, viewPage } from "@countersign/contract/wallet";
import type { FastifyInstance } from "fastify";
import { agreed } from "./consent-shown.ts";
import { brandClient, frameOfKey, type Inject } from "./sandbox.ts";
import { scriptCalls } from "./script-calls.ts";

/** One environment: its API, its wallet, and the code of the newest text to a phone. */
export type Target = { inject: Inject; wallet: FastifyInstance; codeTo(phone: string): Promise<string> };
/**
 * The caller of a walk, who requests the brand's default credentials. `answer` picks one of the requested inputs and
 * returns its value. `beforeDecision` runs while the review is open.
 */
export type Walker = {
  target: Target;
  apiKey: string;
  phone: string;
  answer(asked: readonly ChallengeInput[]): Given;
  beforeDecision?(): Promise<unknown>;
};
export type Given = { birthDate?: string; ssn4?: string; fullName?: { firstName: string } };
export type End =
  | { kind: "data"; entity: OneClickEntity }
  | { kind: "refused"; errorCode: string | undefined }
  | { kind: "noMatch" };
/** `serviceProves`: the service sent the code to the person, and the brand never saw it. */
export type Walk = {
  integrationType: IntegrationType;
  settings?: Record<string, unknown>;
  serviceProves: boolean;
  go(walker: Walker): Promise<End>;
};

const consent = agreed("share");

export const walks: Readonly<Record<string, Walk>> = {
  v1Hosted: { integrationType: "v1", serviceProves: true, go: v1Hosted },
  v1HostedTextedByBrand: {
    integrationType: "v1",
    settings: { v1: { sendsSmsItself: true } },
    serviceProves: false,
    go: v1Hosted,
  },
  v1NonHosted: { integrationType: "v1", serviceProves: true, go: v1NonHosted },
  v1Trusted: {
    integrationType: "v1",
    settings: { v1: { trustedApproved: true } },
    serviceProves: false,
    go: v1Trusted,
  },
  hosted: { integrationType: "hosted", serviceProves: false, go: hosted },
  semiHosted: { integrationType: "semiHosted", serviceProves: false, go: semiHosted },
  nonHosted: { integrationType: "nonHosted", serviceProves: false, go: namedPhone },
  sdk: { integrationType: "sdk", serviceProves: true, go: sdk },
  sdkVerified: { integrationType: "sdk", serviceProves: true, go: sdkVerified },
  api: { integrationType: "api", serviceProves: false, go: namedPhone },
  apiVerified: { integrationType: "api", serviceProves: true, go: apiVerified },
};

/** Repeats a call until it returns data or is refused. It fails if the same inputs are requested twice. */
async function untilEnd(
  walker: Walker,
  call: (given: Given, identityUuid: string | undefined) => Promise<OneClickEntity | null>,
): Promise<End> {
  const asked = new Set<string>();
  let given: Given = {};
  let identityUuid: string | undefined;
  for (;;) {
    try {
      const entity = await call(given, identityUuid);
      return entity === null ? { kind: "noMatch" } : { kind: "data", entity };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!error.is("OCE011")) return { kind: "refused", errorCode: error.errorCode };
      const { additionalInputs } = error.envelope.data;
      given = { ...given, ...answered(walker, asked, additionalInputs) };
      identityUuid = error.envelope.data.identityUuid;
    }
  }
}

function answered({ answer }: Walker, asked: Set<string>, inputs: readonly ChallengeInput[]): Given {
  const question = inputs.join(", ");
  assert.ok(question !== "" && !asked.has(question), `asked for the same inputs again: ${question}`);
  asked.add(question);
  return answer(inputs);
}

const brandOf = ({ target, apiKey }: Walker) => brandClient(target.inject, apiKey, "/v2");

function v1Of({ target, apiKey }: Walker) {
  const send: Send = ({ method, path, body, headers }) =>
    target.inject({
      method,
      url: path,
      headers: { authorization: `Bearer ${apiKey}`, ...headers },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
  return client({ createV1OneClick, createTrusted, readV1OneClick }, { send });
}

function walletOf({ target }: Walker, session?: string) {
  const endpoints = { openSession, beginByPhone, continueSession, provePage, viewPage, amendPage, decidePage };
  return client(endpoints, { send: scriptCalls(target.wallet, session) });
}

const pageNameOf = (url = "") => new URL(url).pathname.slice("/request/".length);

/** Acts as the person on the wallet's page, from the code to the decision. Returns the uuid that an SDK passes on. */
async function actOnPage(walker: Walker, { page, code }: { page: string; code: string }): Promise<string> {
  const { sessionToken } = (await walletOf(walker).provePage({ params: { page }, body: { code } })).body;
  return await review(walker, sessionToken);
}

async function review(walker: Walker, sessionToken: string): Promise<string> {
  const session = walletOf(walker, sessionToken);
  const asked = new Set<string>();
  let view = (await session.viewPage()).body;
  while (view.step === "inputs") {
    const { fullName, ...given } = answered(walker, asked, view.inputs ?? []);
    const firstName = fullName === undefined ? {} : { firstName: fullName.firstName };
    view = (await session.amendPage({ body: { ...given, ...firstName } })).body;
  }
  if (view.step === "review") await walker.beforeDecision?.();
  if (view.step === "review") view = (await session.decidePage({ body: { share: true, consent } })).body;
  assert.ok(view.step === "done" || view.step === "error", view.step);
  return view.identityUuid ?? "";
}

/**
 * Begins a v1 1-Click. Returns its page and its code, which is in the brand's text or in the service's; null means no
 * match.
 */
async function beginV1(walker: Walker, body: Given & { isHosted?: boolean }) {
  const { phone, target } = walker;
  const begun = (await v1Of(walker).createV1OneClick({ body: { phone, ...body } })).body;
  const code = async () => /\b(\d{3})-(\d{3})\b/.exec(begun.smsBody ?? "")?.[0] ?? (await target.codeTo(phone));
  return begun.match ? { uuid: begun.uuid ?? "", url: begun.url, code: await code() } : null;
}

async function v1Hosted(walker: Walker): Promise<End> {
  return await untilEnd(walker, async () => {
    const begun = await beginV1(walker, {});
    if (begun === null) return null;
    await actOnPage(walker, { page: pageNameOf(begun.url), code: begun.code });
    return (await v1Of(walker).readV1OneClick({ params: { uuid: begun.uuid } })).body;
  });
}

async function v1NonHosted(walker: Walker): Promise<End> {
  const birthDate = walker.answer(["birthDate"]).birthDate ?? "";
  return await untilEnd(walker, async (given) => {
    const begun = await beginV1(walker, { isHosted: false, birthDate, ...given });
    if (begun === null) return null;
    const { pathname } = new URL(begun.url ?? "");
    const redirect = await walker.target.wallet.inject({ method: "GET", url: `${pathname}?code=${begun.code}` });
    assert.equal(redirect.statusCode, 303);
    const uuid = new URL(redirect.headers.location ?? "").searchParams.get("1ClickUuid") ?? "";
    return (await v1Of(walker).readV1OneClick({ params: { uuid } })).body;
  });
}

async function v1Trusted(walker: Walker): Promise<End> {
  const { phone } = walker;
  const birthDate = walker.answer(["birthDate"]).birthDate ?? "";
  return await untilEnd(walker, async (given) => {
    const body = { phone, birthDate, ...given };
    return (await v1Of(walker).createTrusted({ body })).body;
  });
}

async function hosted(walker: Walker): Promise<End> {
  const { phone } = walker;
  const api = brandOf(walker);
  return await untilEnd(walker, async () => {
    const { uuid, url, code = "" } = (await api.beginOneClick({ body: { phone } })).body;
    await actOnPage(walker, { page: pageNameOf(url), code });
    return (await api.readOneClick({ params: { uuid } })).body;
  });
}

async function semiHosted(walker: Walker): Promise<End> {
  const { phone } = walker;
  const api = brandOf(walker);
  const { uuid, code = "" } = (await api.beginOneClick({ body: { phone } })).body;
  return await untilEnd(walker, async (given) => {
    if (Object.keys(given).length === 0) return (await api.readOneClick({ params: { uuid }, query: { code } })).body;
    return (await api.amendOneClick({ params: { uuid }, body: given })).body;
  });
}

async function namedPhone(walker: Walker): Promise<End> {
  const { phone } = walker;
  return await untilEnd(walker, async (given, identityUuid) => {
    const body = { phone, identityUuid, ...given };
    return (await brandOf(walker).createOneClick({ body })).body.identity;
  });
}

async function apiVerified(walker: Walker): Promise<End> {
  const verificationUuid = await verified(walker);
  return await untilEnd(walker, async (given, identityUuid) => {
    const body = { verificationUuid, identityUuid, ...given };
    return (await brandOf(walker).createOneClick({ body })).body.identity;
  });
}

/** Creates a verification for the brand, proven by a code that the service texted, and returns its uuid. */
async function verified(walker: Walker): Promise<string> {
  const { phone, target } = walker;
  const api = brandOf(walker);
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
  await api.deliverVerification({ params: { uuid }, body: {} });
  await api.submitVerificationCode({ params: { uuid }, body: { code: await target.codeTo(phone) } });
  return uuid;
}

/** Opens a frame of the SDK with a session key for the details that the brand gives. */
async function frameOf(walker: Walker, body: { phone?: string; verificationUuid?: string }) {
  const { sessionKey } = (await brandOf(walker).createSession({ body })).body;
  const opened = await walletOf(walker).openSession({ body: { sessionKey, frame: frameOfKey(sessionKey) } });
  return walletOf(walker, opened.body.sessionToken);
}

async function sdk(walker: Walker): Promise<End> {
  const { phone, target } = walker;
  return await untilEnd(walker, async () => {
    const frame = await frameOf(walker, {});
    const { page = "" } = (await frame.beginByPhone({ body: { phone, silent: false, consent: agreed("proveData") } }))
      .body;
    const uuid = await actOnPage(walker, { page, code: await target.codeTo(phone) });
    return (await brandOf(walker).readOneClick({ params: { uuid } })).body;
  });
}

async function sdkVerified(walker: Walker): Promise<End> {
  return await continued(walker, { verificationUuid: await verified(walker) });
}

/** The SDK with a phone that the brand only names. The brand needs a separate approval for this. */
export async function sdkBarePhone(walker: Walker): Promise<End> {
  return await continued(walker, { phone: walker.phone });
}

async function continued(walker: Walker, body: { phone?: string; verificationUuid?: string }): Promise<End> {
  return await untilEnd(walker, async () => {
    const frame = await frameOf(walker, body);
    const { sessionToken } = (await frame.continueSession({ body: { consent: agreed("proveKnown") } })).body;
    const uuid = await review(walker, sessionToken);
    return (await brandOf(walker).readOneClick({ params: { uuid } })).body;
  });
}
