import type { Environment } from "@countersign/contract/brand";
import { deletePersonForSupport, lookAtPerson } from "@countersign/contract/console-people";
import type { FastifyInstance } from "fastify";
import type { HomeDeps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import { deleteForOperator, lookAtRecord } from "../../domain/operator/person-record.ts";
import { type Console, mountStaff } from "./guard.ts";

/** A person: what exists, and the deletion. */
export function routesPeople(app: FastifyInstance, console: Console): void {
  const served = (environment: Environment): HomeDeps => {
    const homeDeps = console.environments[environment];
    if (homeDeps === undefined) throw refuse(404, `This service does not run the ${environment} environment.`);
    return homeDeps;
  };
  mountStaff(app, console, lookAtPerson, async (who, { body }) => {
    const { environment, phone, reason } = body;
    return { person: await lookAtRecord(who.acting(reason), served(environment), phone) };
  });
  mountStaff(app, console, deletePersonForSupport, async (who, { body }) => {
    const { environment, phone, person, reason } = body;
    return await deleteForOperator(who.acting(reason), served(environment), { phone, personUuid: person });
  });
}
