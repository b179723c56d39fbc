import { createOneClick, readOneClick } from "@countersign/contract/v2";
import {
  createVerification,
  deliverVerification,
  readVerification,
  submitVerificationCode,
} from "@countersign/contract/verification";
import type { FastifyInstance } from "fastify";
import type { Caller, Deps } from "../../domain/deps.ts";
import { fail } from "../../domain/failure.ts";
import type { JourneyName } from "../../domain/journey.ts";
import { readOneClick as readAgain } from "../../domain/signup/read.ts";
import { requestOneClick } from "../../domain/signup/request.ts";
import { beginVerification } from "../../domain/verification/begin.ts";
import { deliverCode } from "../../domain/verification/deliver.ts";
import { findVerification } from "../../domain/verification/store.ts";
import { submitCode } from "../../domain/verification/submit.ts";
import { type Guard, mount } from "../mount.ts";
import { presentOneClick, presentVerification } from "./present.ts";
import { answeringJourney, readAsk } from "./read.ts";

/** v2.0 and v2.1 share these paths; the brand's integration type decides. Paths no v1 path collides with need no prefix. */
const versioned = ["/v2", "/v2.1"];
const everywhere = ["", ...versioned];

export function routesV2(app: FastifyInstance, deps: Deps, guard: Guard<Caller>): void {
  const current: Guard<Caller> = async (request, reply) => {
    const caller = await guard(request, reply);
    const { integrationType } = caller.brand.settings;
    const old = integrationType !== "sdk" && integrationType !== "api" && integrationType !== "nonHosted";
    if (request.url.startsWith("/v2.1/") && old) {
      throw fail("ERR001", {}, `A brand of integration type ${integrationType} is not served under /v2.1.`);
    }
    return caller;
  };
  mount(app, createVerification, { guard: current, prefixes: everywhere }, async (caller, { body }) =>
    presentVerification(deps, await beginVerification(deps, caller, body)),
  );
  mount(app, deliverVerification, { guard: current, prefixes: everywhere }, async (caller, { params, body }) =>
    presentVerification(deps, await deliverCode(deps, caller, { uuid: params.uuid, format: body.format ?? "code" })),
  );
  mount(app, submitVerificationCode, { guard: current, prefixes: everywhere }, async (caller, { params, body }) =>
    presentVerification(deps, await submitCode(deps, caller, { uuid: params.uuid, code: body.code })),
  );
  mount(app, readVerification, { guard: current, prefixes: everywhere }, async (caller, { params }) =>
    presentVerification(deps, await findVerification(deps, deps.db, caller, params.uuid)),
  );
  // The type is judged before the body: a brand that may not call at all is told so first.
  const answering: Guard<{ caller: Caller; journey: JourneyName }> = async (request, reply) => {
    const caller = await current(request, reply);
    return { caller, journey: answeringJourney(caller) };
  };
  mount(app, createOneClick, { guard: answering, prefixes: versioned }, async ({ caller, journey }, { body }) => {
    const oneClick = await requestOneClick(deps, caller, journey, readAsk(body));
    return { uuid: oneClick.uuid, identity: presentOneClick(caller, oneClick) };
  });
  mount(app, readOneClick, { guard: current, prefixes: versioned }, async (caller, { params }) =>
    presentOneClick(caller, await readAgain(deps, caller, params.uuid)),
  );
}
