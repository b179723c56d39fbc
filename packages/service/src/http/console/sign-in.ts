import * as contract from "@countersign/contract/console";
import type { FastifyInstance } from "fastify";
import { countWaiting } from "../../domain/member/approvals.ts";
import {
  beginConsolePasskey,
  beginOperatorOpenId,
  beginOperatorSignIn,
  enterConsoleByLink,
  enterConsoleByOpenId,
  enterConsoleByPasskey,
  finishConsolePasskey,
  leaveConsole,
} from "../../domain/operator/operator-sign-in.ts";
import { type Console, mountConsoleStranger, mountStaff, outcomeIn } from "./guard.ts";

/** Ways to sign in to the console, and the session of the person who is signed in. */
export function routesConsoleSignIn(app: FastifyInstance, console: Console): void {
  const { accounts } = console;
  mountConsoleStranger(app, console, contract.signOperatorInByLink, async (who, { body }) =>
    outcomeIn(console, who, await enterConsoleByLink(accounts, body.link, who)),
  );
  mountConsoleStranger(app, console, contract.beginOperatorByPasskey, async () => beginOperatorSignIn(accounts));
  mountConsoleStranger(app, console, contract.signOperatorInByPasskey, async (who, { params, body }) =>
    outcomeIn(console, who, await enterConsoleByPasskey(accounts, { ...body, uuid: params.uuid }, who)),
  );
  mountConsoleStranger(app, console, contract.beginOperatorByOpenId, async () => beginOperatorOpenId(accounts));
  mountConsoleStranger(app, console, contract.signOperatorInByOpenId, async (who, { params, body }) =>
    outcomeIn(console, who, await enterConsoleByOpenId(accounts, { ...body, uuid: params.uuid }, who)),
  );
  mountStaff(app, console, contract.readConsoleMe, async ({ operator, needsPasskey, isInvited }) => {
    const { production, name, logo } = await countWaiting(accounts);
    return {
      operator,
      needsPasskey,
      mayAddPasskey: isInvited,
      environments: Object.values(console.environments).map(({ environment }) => environment),
      docsUrl: `${Object.values(console.environments)[0]?.addresses.apiUrl ?? ""}/docs`,
      waiting: production.waiting + name.waiting + logo.waiting,
    };
  });
  mountStaff(app, console, contract.beginOperatorPasskey, async ({ operator }) =>
    beginConsolePasskey(accounts, operator),
  );
  mountStaff(app, console, contract.finishOperatorPasskey, async (who, { params, body }) =>
    finishConsolePasskey(who.acting(), who, { ...body, uuid: params.uuid }),
  );
  mountStaff(app, console, contract.signOperatorOut, async (who) => {
    await leaveConsole(who.acting(), who);
    who.leave();
  });
}
