import { createTrusted, createV1OneClick, readV1OneClick, reportEdits } from "@countersign/contract/v1";
import type { FastifyInstance } from "fastify";
import { redirectWarnings } from "../../domain/brand/redirect.ts";
import type { Caller, HomeDeps } from "../../domain/deps.ts";
import { fail, invalid, refuse } from "../../domain/failure.ts";
import { isKnownToSource } from "../../domain/look-up-phone.ts";
import { readOneClick } from "../../domain/signup/api/read.ts";
import { reportEdits as report } from "../../domain/signup/api/report-edits.ts";
import { beginOneClick, checkBegin } from "../../domain/signup/begin.ts";
import { entityOf } from "../../domain/signup/entity.ts";
import { invite } from "../../domain/signup/page/invite.ts";
import { requestOneClick } from "../../domain/signup/start.ts";
import { cellOf } from "../cell.ts";
import { markDeprecated } from "../deprecation.ts";
import { newPersonMs, withMinimumDuration } from "../earliest-answer.ts";
import { type Guard, mount } from "../mount.ts";
import { presentBegun } from "./present.ts";
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
    if (integrationType === "v1") return caller;
    throw fail("ERR001", {}, `A brand of integration type ${integrationType} must use /v2.`);
  };
  const begin = { guard: v1Only, prefixes: [""] };
  mount(
    app,
    createV1OneClick,
    begin,
    async (caller, { body }) => {
      const journey = readJourney(body);
      const ask = readBegin(body);
      // Validate before asking a source. Otherwise a refused request would tell the brand whether the phone is known.
      const { phone } = checkBegin(homeDeps, caller, journey, ask);
      const deps = await cellOf(homeDeps, { phone });
      // The phone is not proven yet, so use nothing else of the source's answer.
      if (!(await isKnownToSource(deps, phone))) return { match: false };
      const begun = await withMinimumDuration(newPersonMs, beginOneClick(deps, caller, journey, ask));
      const format = readFormat(body);
      const { smsBody } = await invite(deps, caller, { verificationUuid: begun.verificationUuid, journey, format });
      return presentBegun(journey, { begun, format, smsBody });
    },
    ({ brand }, { body }) => redirectWarnings(brand.settings, body.redirectUrl),
  );
  mount(app, createTrusted, begin, async (caller, { body }) => {
    if (!caller.brand.settings.v1.trustedApproved || !caller.brand.approvals.has("trusted")) {
      throw refuse(403, "The brand is not approved for trusted calls, or its settings disable them.");
    }
    const oneClick = await requestOneClick(
      await cellOf(homeDeps, { phone: body.phone }),
      caller,
      "v1Trusted",
      readTrusted(body),
    );
    return { uuid: oneClick.uuid, ...entityOf(caller.brand, oneClick) };
  });
  mount(app, readV1OneClick, { guard, prefixes: [""] }, async (caller, { params }) =>
    entityOf(caller.brand, await readOneClick(await homeDeps.cells.ofUuid(params.uuid), caller, { uuid: params.uuid })),
  );
  mount(app, reportEdits, begin, async (caller, { params, body }) => {
    if (body.uuid.toLowerCase() !== params.uuid.toLowerCase())
      throw invalid([{ path: "body.uuid", message: "Use the uuid of the path." }]);
    return await report(await homeDeps.cells.ofUuid(params.uuid), caller, {
      uuid: params.uuid,
      edits: readEdits(body.credentials),
    });
  });
}
