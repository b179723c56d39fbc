import { createSession } from "@countersign/contract/session";
import type { FastifyInstance } from "fastify";
import type { Caller, HomeDeps } from "../../domain/deps.ts";
import { makeSession } from "../../domain/session/make.ts";
import { cellOf } from "../cell.ts";
import { newPersonMs, withMinimumDuration } from "../earliest-answer.ts";
import { type Guard, mount } from "../mount.ts";
import { allPrefixes } from "./prefixes.ts";

/** The endpoint that a brand's server needs for the SDK. */
export function routesClient(app: FastifyInstance, homeDeps: HomeDeps, guard: Guard<Caller>): void {
  mount(app, createSession, { guard, prefixes: allPrefixes }, async (caller, { body }) => {
    const { verificationUuid, phone, ...inputs } = body;
    const deps = await cellOf(homeDeps, body, caller.requestId);
    const made = makeSession(deps, caller, { verificationUuid, phone, inputs });
    return { sessionKey: await withMinimumDuration(newPersonMs, made) };
  });
}
