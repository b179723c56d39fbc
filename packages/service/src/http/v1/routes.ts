import { createTrusted, createV1OneClick, readV1OneClick, reportEdits } from "@countersign/contract/v1";
import type { FastifyInstance } from "fastify";
import { redirectWarnings } from "../../domain/brand/redirect.ts";
import type { Caller, HomeDeps } from "../../domain/deps.ts";
import { fail, invalid, refuse } from "../../domain/failure.ts";
import { integrations, type JourneyName, journeys } from "../../domain/journey.ts";
import { isKnownToSource } from "../../domain/phone.ts";
import { readOneClick } from "../../domain/signup/api/read.ts";
import { reportEdits as report } from "../../domain/signup/api/report-edits.ts";
import { type Begun, beginOneClick, checkBegin } from "../../domain/signup/begin.ts";
import { entityOf } from "../../domain/signup/entity.ts";
import { textOneClick } from "../../domain/signup/page/invite.ts";
import { requestOneClick } from "../../domain/signup/start.ts";
import { newPersonMs, withMinimumDuration } from "../earliest-answer.ts";
import { markDeprecated } from "../generations.ts";
import { type Guard, mount } from "../mount.ts";
import { readBegin, readEdits, readFormat, readJourney, readTrusted } from "./read.ts";

/** The legacy v1 API, at the root path. */
export function routesV1(app: FastifyInstance, homeDeps: HomeDeps, keyed: Guard<Caller>): void {
  const guard: Guard<Caller> = async (request, reply) => {
    markDeprecated(reply);
    return await keyed(request, reply);
  };
  const v1Only: Guard<Caller> = async (request, reply) => {
    const caller = await guard(request, reply);
    const { integrationType } = caller.brand.settings;
    if (integrations[integrationType].calls === "/1-click") return caller;
    throw fail("ERR001", {}, `A brand of integration type ${integrationType} must use /v2.`);
  };
  const mounting = { guard, prefixes: [""], homeDeps };
  const begin = { ...mounting, guard: v1Only };
  mount(
    app,
    createV1OneClick,
    begin,
    async (caller, { body }, { deps }) => {
      const journey = readJourney(body);
      const ask = readBegin(body);
      // Validate before asking a source. Otherwise a refused request would tell the brand whether the phone is known.
      const { phone } = checkBegin(deps, caller, journey, ask);
      // The phone is not proven yet, so use nothing else of the source's answer.
      if (!(await isKnownToSource(deps, phone))) return { match: false };
      const begun = await withMinimumDuration(newPersonMs, beginOneClick(deps, caller, journey, ask));
      const format = readFormat(body);
      const { smsBody } = await textOneClick(deps, caller, {
        verificationUuid: begun.verificationUuid,
        journey,
        format,
      });
      return presentBegun(journey, { begun, format, smsBody });
    },
    ({ brand }, { body }) => redirectWarnings(brand.settings, body.redirectUrl),
  );
  mount(app, createTrusted, begin, async (caller, { body }, { deps }) => {
    if (!caller.brand.settings.v1.trustedApproved || !caller.brand.approvals.has("trusted")) {
      throw refuse(403, "The brand is not approved for trusted calls, or its settings disable them.");
    }
    const oneClick = await requestOneClick(deps, caller, "v1Trusted", readTrusted(body));
    return { uuid: oneClick.uuid, ...entityOf(caller.brand, oneClick) };
  });
  mount(app, readV1OneClick, mounting, async (caller, { params }, { deps }) =>
    entityOf(caller.brand, await readOneClick(deps, caller, { uuid: params.uuid })),
  );
  mount(app, reportEdits, begin, async (caller, { params, body }, { deps }) => {
    if (body.uuid.toLowerCase() !== params.uuid.toLowerCase())
      throw invalid([{ path: "body.uuid", message: "Use the uuid of the path." }]);
    return await report(deps, caller, { uuid: params.uuid, edits: readEdits(body.credentials) });
  });
}

type Invited = { begun: Begun; format: ReturnType<typeof readFormat>; smsBody?: string | undefined };

/**
 * A 1-Click that has just begun. Omits the URL if the person must add the code to it and the text does not contain the
 * code.
 */
function presentBegun(journey: JourneyName, { begun, format, smsBody }: Invited) {
  const hasUrl = journeys[journey].proof !== "redirectCode" || format !== "link";
  return {
    match: true,
    ...(hasUrl ? { url: begun.pageUrl } : {}),
    ...(smsBody === undefined ? {} : { smsBody }),
    uuid: begun.uuid,
  };
}
