import * as contract from "@countersign/contract/console-operators";
import type { FastifyInstance } from "fastify";
import {
  beginPasskeyDeletion,
  deleteConsolePasskey,
  listColleagues,
  listOwnPasskeys,
} from "../../domain/operator/console-passkeys.ts";
import { type Console, mountStaff } from "./guard.ts";

/** The people of the console, and their passkeys. */
export function routesOperators(app: FastifyInstance, console: Console): void {
  const { accounts } = console;
  mountStaff(app, console, contract.listOwnConsolePasskeys, async ({ operator }) => ({
    data: await listOwnPasskeys(accounts, operator),
  }));
  mountStaff(app, console, contract.listColleagues, async () => ({ data: await listColleagues(accounts) }));
  mountStaff(app, console, contract.beginPasskeyDeletion, async ({ operator }, { params }) =>
    beginPasskeyDeletion(accounts, operator, params.passkey),
  );
  mountStaff(app, console, contract.deleteOwnConsolePasskey, async (who, { params, body: { proof } }) =>
    deleteConsolePasskey(who.acting(), who, { passkeyUuid: params.passkey, proof, isOwn: true }),
  );
  mountStaff(app, console, contract.deleteColleaguePasskey, async (who, { params, body: { proof, reason } }) =>
    deleteConsolePasskey(who.acting(reason), who, { passkeyUuid: params.passkey, proof, isOwn: false }),
  );
}
