import { Email } from "@countersign/contract/primitives";
import { amendOneClick, createOneClick, type OneClickRequest, readOneClick } from "@countersign/contract/v2";
import type { FastifyInstance } from "fastify";
import { redirectWarnings } from "../../domain/brand/redirect.ts";
import type { Caller, HomeDeps } from "../../domain/deps.ts";
import { fail } from "../../domain/failure.ts";
import { integrations, type JourneyName, journeys } from "../../domain/journey.ts";
import type { PersonInputs } from "../../domain/ports.ts";
import { amendOneClick as amend } from "../../domain/signup/api/amend.ts";
import { readOneClick as readAgain } from "../../domain/signup/api/read.ts";
import { type Begun, beginOneClick } from "../../domain/signup/begin.ts";
import { entityOf, identifiersOf } from "../../domain/signup/entity.ts";
import { type NewOneClick, requestOneClick } from "../../domain/signup/start.ts";
import { compileCheck, isRecord } from "../../domain/validate.ts";
import { newPersonMs, withMinimumDuration } from "../earliest-answer.ts";
import { readAdditionalInputs, versionPrefixes } from "../generations.ts";
import { type Guard, mount } from "../mount.ts";

/** 1-Click Signup for v2.0 and v2.1. The brand's journey determines what a call answers. */
export function routesOneClick(app: FastifyInstance, homeDeps: HomeDeps, guard: Guard<Caller>): void {
  const mounting = { guard, prefixes: versionPrefixes, homeDeps };
  // Check the integration type before the body, so a brand that may not call gets that error first.
  const before = (caller: Caller, body: unknown) => void journeyOf(homeDeps, caller, body);
  mount(
    app,
    createOneClick,
    { ...mounting, before },
    async (caller, { body }, { deps }) => {
      const journey = journeyOf(homeDeps, caller, body);
      if (journeys[journey].answers === "now") {
        const oneClick = await requestOneClick(deps, caller, journey, readNewOneClick(body));
        return { uuid: oneClick.uuid, identity: entityOf(caller.brand, oneClick) };
      }
      const input = { ...readNewOneClick(body), page: readPage(body) };
      return presentBegun(journey, await withMinimumDuration(newPersonMs, beginOneClick(deps, caller, journey, input)));
    },
    (caller, { body }) =>
      journeys[journeyOf(homeDeps, caller, body)].comesBackAs === null
        ? []
        : redirectWarnings(caller.brand.settings, body.redirectUrl),
  );
  mount(app, readOneClick, mounting, async (caller, { params, query }, { deps, request }) => {
    // A code counts as one of the person's attempts. HEAD must not use one up.
    const code = request.method === "HEAD" ? undefined : query.code;
    return entityOf(caller.brand, await readAgain(deps, caller, { uuid: params.uuid, code }));
  });
  mount(app, amendOneClick, mounting, async (caller, { params, body }, { deps }) =>
    entityOf(caller.brand, await amend(deps, caller, { uuid: params.uuid, inputs: readAdditionalInputs(body) })),
  );
}

/** The journey that this brand's `POST /1-click` begins. Throws if the integration type cannot use this call. */
function journeyOf({ phones }: HomeDeps, caller: Caller, body: unknown): JourneyName {
  const { integrationType } = caller.brand.settings;
  const { makesSessions, journey } = integrations[integrationType];
  if (makesSessions) throw fail("OCE020", namedIn(phones, body));
  if (journey === null) {
    const way = "Use POST /1-click, or change its type.";
    throw fail("ERR001", {}, `A brand of integration type ${integrationType} cannot use this call under /v2. ${way}`);
  }
  return journey;
}

const checkEmail = compileCheck(Email, "body.email");

/** The identifiers of a body that is not validated, as far as they are valid. */
function namedIn(phones: HomeDeps["phones"], body: unknown) {
  if (!isRecord(body) || typeof body.phone !== "string") return {};
  const judged = phones.judge(body.phone);
  if (judged.kind !== "supported") return {};
  const hasEmail = typeof body.email === "string" && checkEmail(body.email).length === 0;
  return identifiersOf({ phone: judged.phone, ...(hasEmail ? { email: String(body.email) } : {}) }, "customer_otp");
}

/** What the person's page shows, and where it redirects. */
function readPage({ content, redirectUrl }: OneClickRequest) {
  return { title: content?.title, description: content?.description, redirectUrl };
}

/** Reads the body of a `POST /1-click`. */
function readNewOneClick(body: OneClickRequest): NewOneClick {
  const {
    identityUuid,
    verificationUuid,
    phone,
    credentialRequests,
    email,
    deviceIp,
    birthDate,
    ssn4,
    fullName,
    address,
  } = body;
  return {
    identityUuid,
    verificationUuid,
    phone,
    credentialRequests,
    inputs: { email, deviceIp, birthDate, ssn4, fullName, address } satisfies Record<keyof PersonInputs, unknown>,
  };
}

/** A 1-Click that has just begun. Existing clients recognize the integration type by which keys are present. */
function presentBegun(journey: JourneyName, begun: Begun): { uuid: string; url?: string; code: string } {
  const page = journeys[journey].proof === "wallet" ? { url: begun.pageUrl } : {};
  return { uuid: begun.uuid, ...page, code: begun.code.forText() };
}
