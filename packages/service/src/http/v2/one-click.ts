import { amendOneClick, createOneClick, readOneClick } from "@countersign/contract/v2";
import type { FastifyInstance } from "fastify";
import { redirectWarnings } from "../../domain/brand/redirect.ts";
import type { Caller, HomeDeps } from "../../domain/deps.ts";
import { journeys } from "../../domain/journey.ts";
import { amendOneClick as amend } from "../../domain/signup/api/amend.ts";
import { readOneClick as readAgain } from "../../domain/signup/api/read.ts";
import { beginOneClick } from "../../domain/signup/begin.ts";
import { requestOneClick } from "../../domain/signup/start.ts";
import { readAdditionalInputs } from "../additional-inputs.ts";
import { cellOf } from "../cell.ts";
import { newPersonMs, withMinimumDuration } from "../earliest-answer.ts";
import { type Guard, mount } from "../mount.ts";
import { versionPrefixes } from "./prefixes.ts";
import { presentBegun, presentOneClick } from "./present.ts";
import { journeyOf, readNewOneClick, readPage } from "./read.ts";

/** 1-Click Signup for v2.0 and v2.1. The brand's journey determines what a call answers. */
export function routesOneClick(app: FastifyInstance, homeDeps: HomeDeps, guard: Guard<Caller>): void {
  const mounting = { guard, prefixes: versionPrefixes };
  // Check the integration type before the body, so a brand that may not call gets that error first.
  const before = (caller: Caller, body: unknown) => void journeyOf(homeDeps, caller, body);
  mount(
    app,
    createOneClick,
    { ...mounting, before },
    async (caller, { body }) => {
      const journey = journeyOf(homeDeps, caller, body);
      if (journeys[journey].answers === "now") {
        const oneClick = await requestOneClick(await cellOf(homeDeps, body), caller, journey, readNewOneClick(body));
        return { uuid: oneClick.uuid, identity: presentOneClick(caller, oneClick) };
      }
      // Use the phone only: this flow ignores uuids in the body, and they may be in another person's cell.
      const deps = await cellOf(homeDeps, { phone: body.phone });
      const input = { ...readNewOneClick(body), page: readPage(body) };
      return presentBegun(journey, await withMinimumDuration(newPersonMs, beginOneClick(deps, caller, journey, input)));
    },
    ({ brand }, { body }) =>
      brand.settings.integrationType === "hosted" ? redirectWarnings(brand.settings, body.redirectUrl) : [],
  );
  mount(app, readOneClick, mounting, async (caller, { params, query }) =>
    presentOneClick(
      caller,
      await readAgain(await homeDeps.cells.ofUuid(params.uuid), caller, { uuid: params.uuid, code: query.code }),
    ),
  );
  mount(app, amendOneClick, mounting, async (caller, { params, body }) =>
    presentOneClick(
      caller,
      await amend(await homeDeps.cells.ofUuid(params.uuid), caller, {
        uuid: params.uuid,
        inputs: readAdditionalInputs(body),
      }),
    ),
  );
}
