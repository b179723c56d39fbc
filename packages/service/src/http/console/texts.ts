import * as contract from "@countersign/contract/console-texts";
import type { FastifyInstance } from "fastify";
import { lookAtStop, readTexts } from "../../domain/operator/text-figures.ts";
import { type Console, mountStaff, served } from "./guard.ts";

/** Texts: counts by carrier, and the opt-out of one number. */
export function routesConsoleTexts(app: FastifyInstance, console: Console): void {
  mountStaff(app, console, contract.readConsoleTexts, async (_who, { query: { environment, days } }) =>
    readTexts(served(console, environment), Number(days)),
  );
  mountStaff(app, console, contract.lookAtStop, async (who, { body: { environment, phone, reason } }) => {
    await who.countLook();
    return await lookAtStop(who.acting(reason), served(console, environment), phone);
  });
}
