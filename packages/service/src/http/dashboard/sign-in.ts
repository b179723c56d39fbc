import * as contract from "@countersign/contract/dashboard-sign-in";
import type { FastifyInstance } from "fastify";
import type { SignInMethod } from "../../domain/member/member-session-rows.ts";
import { beginByOpenId, type EnteredByOpenId, enterByOpenId } from "../../domain/member/openid.ts";
import { beginByPasskey, enterByPasskey } from "../../domain/member/passkey.ts";
import { beginByEmail, enterByCode, enterByLink, readSignInLink } from "../../domain/member/sign-in.ts";
import { readCustomer } from "../../domain/member/team.ts";
import { type Dashboard, mountStranger, type Stranger } from "./guard.ts";

/** Ways to sign in: a code by email, a link, a passkey, the operator's OpenID provider. */
export function routesSignIn(app: FastifyInstance, dashboard: Dashboard): void {
  const { accounts, keptMail } = dashboard;
  mountStranger(app, dashboard, contract.beginMemberSignIn, async (_who, { body }) => ({
    ...(await beginByEmail(accounts, body.email)),
    now: accounts.clock.now(),
    ...(keptMail === null ? {} : { keptMail: { outboxUrl: keptMail.outboxUrl() } }),
  }));
  mountStranger(app, dashboard, contract.signInByCode, async (who, { params, body }) =>
    outcomeOf(dashboard, who, {
      method: "code",
      entered: await enterByCode(accounts, { uuid: params.uuid, code: body.code }, who),
    }),
  );
  mountStranger(app, dashboard, contract.readSignInLink, async (_who, { body }) => {
    const member = await readSignInLink(accounts, body.link);
    if (member === null) return { kind: "over" as const };
    const { name } = await readCustomer(accounts, member.customerUuid);
    const kind = member.joinedAt === null ? ("invitation" as const) : ("signIn" as const);
    return { kind, email: member.email, customer: name, role: member.role };
  });
  mountStranger(app, dashboard, contract.signInByLink, async (who, { body }) =>
    outcomeOf(dashboard, who, { method: "link", entered: await enterByLink(accounts, body.link, who) }),
  );
  mountStranger(app, dashboard, contract.beginOpenIdSignIn, async () => beginByOpenId(accounts));
  mountStranger(app, dashboard, contract.signInByOpenId, async (who, { params, body }) =>
    outcomeOf(dashboard, who, {
      method: "openid",
      entered: await enterByOpenId(accounts, { uuid: params.uuid, query: body.query }, who),
    }),
  );
  mountStranger(app, dashboard, contract.beginPasskeySignIn, async () => beginByPasskey(accounts));
  mountStranger(app, dashboard, contract.signInByPasskey, async (who, { params, body }) =>
    outcomeOf(dashboard, who, {
      method: "passkey",
      entered: await enterByPasskey(accounts, { uuid: params.uuid, credential: body.credential }, who),
    }),
  );
}

async function outcomeOf(
  dashboard: Dashboard,
  who: Stranger,
  { method, entered }: { method: SignInMethod; entered: EnteredByOpenId },
): Promise<contract.SignInOutcome> {
  if (entered.kind === "signedIn") await who.enter(entered.token);
  else dashboard.onSignInRefused({ requestId: who.requestId, method, outcome: entered.kind });
  return {
    outcome: entered.kind,
    ...(entered.kind === "wrong" ? { attemptsRemaining: entered.attemptsRemaining } : {}),
  };
}
