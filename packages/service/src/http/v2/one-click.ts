import { createOneClick, readOneClick } from "@countersign/contract/v2";
import type { FastifyInstance } from "fastify";
import type { Caller, Deps } from "../../domain/deps.ts";
import type { JourneyName } from "../../domain/journey.ts";
import { readOneClick as readAgain } from "../../domain/signup/read.ts";
import { requestOneClick } from "../../domain/signup/request.ts";
import { type Guard, mount } from "../mount.ts";
import { presentOneClick } from "./present.ts";
import { answeringJourney, readAsk } from "./read.ts";

const prefixes = ["/v2", "/v2.1"];

/** 1-Click Signup. */
export function routesOneClick(app: FastifyInstance, deps: Deps, guard: Guard<Caller>): void {
  // The type is judged before the body: a brand that may not call at all is told so first.
  const answering: Guard<{ caller: Caller; journey: JourneyName }> = async (request, reply) => {
    const caller = await guard(request, reply);
    return { caller, journey: answeringJourney(caller) };
  };
  mount(app, createOneClick, { guard: answering, prefixes }, async ({ caller, journey }, { body }) => {
    const oneClick = await requestOneClick(deps, caller, journey, readAsk(body));
    return { uuid: oneClick.uuid, identity: presentOneClick(caller, oneClick) };
  });
  mount(app, readOneClick, { guard, prefixes }, async (caller, { params }) =>
    presentOneClick(caller, await readAgain(deps, caller, params.uuid)),
  );
}
