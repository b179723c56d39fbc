import { deletePersonForSupport, lookAtPerson } from "@countersign/contract/console-people";
import type { FastifyInstance } from "fastify";
import { deleteForOperator, lookAtRecord } from "../../domain/operator/person-record.ts";
import { type Console, mountStaff, served } from "./guard.ts";

/** A person: what exists, and the deletion. */
export function routesPeople(app: FastifyInstance, console: Console): void {
  mountStaff(app, console, lookAtPerson, async (who, { body }) => {
    const { environment, phone, reason } = body;
    await who.countLook();
    return { person: await lookAtRecord(who.acting(reason), served(console, environment), phone) };
  });
  mountStaff(app, console, deletePersonForSupport, async (who, { body }) => {
    const { environment, phone, person, reason } = body;
    await who.countLook();
    return await deleteForOperator(who.acting(reason), served(console, environment), { phone, personUuid: person });
  });
}
