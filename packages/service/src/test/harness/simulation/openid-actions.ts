/** OpenID Connect in a simulation: a sign-in from the request to the tokens, and reads of UserInfo. */
import assert from "node:assert/strict";
import { agreed } from "../consent-shown.ts";
import { wallet } from "../hosted-share.ts";
import {
  authorizePath,
  beginAt,
  browserOf,
  exchange,
  hiddenFields,
  ownSite,
  pkce,
  requestOf,
  returnTo,
  userInfo,
} from "../openid.ts";
import { begun, uuidOfPage } from "./beginnings.ts";
import { type Action, newest, nowOf, personOf, type Simulation } from "./context.ts";
import * as model from "./model.ts";

export const openid: Record<string, Action> = {
  /** The person types the phone and the code, and shares or declines. The client then exchanges its code for tokens. */
  async signInByOpenId(simulation, step) {
    const { it } = simulation;
    const person = personOf(simulation, step);
    const client = clientOf(simulation);
    const browser = browserOf(it);
    const { verifier, challenge } = pkce();
    const phonePage = await beginAt(browser, authorizePath(requestOf(client, challenge)));
    const form = { ...(await hiddenFields(browser, phonePage)), phone: person.phone };
    const invited = await browser.visit(phonePage, { form, headers: ownSite });
    if (person.stopped) return assert.equal(invited.status, 400, "a phone that opted out gets no text");
    assert.equal(invited.status, 303, invited.body);
    const page = new URL(invited.location ?? "").pathname.slice("/request/".length);
    const code = model.newCode(person, simulation.newestCode(), nowOf(simulation));
    assert.equal(model.deliver(code, nowOf(simulation)), null);
    begun(simulation, { uuid: await uuidOfPage(simulation, page), kind: "openid", person, code, page });
    const oneClick = simulation.world.oneClicks.at(-1) ?? assert.fail();

    const { sessionToken } = (await wallet(it).provePage({ params: { page }, body: { code: code.right } })).body;
    assert.equal(model.submit(code, code.right, nowOf(simulation)), "right");
    const session = wallet(it, sessionToken);
    assert.equal((await session.viewPage()).body.step, "review");
    const share = step.what > 0;
    const consent = agreed(share ? "share" : "decline");
    const { redirectUrl } = (await session.decidePage({ body: { share, edits: {}, consent } })).body;
    const state = share ? "released" : "declined";
    Object.assign(oneClick, { session: sessionToken, state, expiresAt: nowOf(simulation) + model.readableMs });
    model.noted(person, share ? "oneClick.released" : "oneClick.declined");

    const back = await returnTo(browser, redirectUrl ?? "");
    if (!share) return assert.equal(back.searchParams.get("error"), "access_denied");
    const tokens = await exchange(it, client, { code: back.searchParams.get("code") ?? "", verifier });
    assert.equal(tokens.status, 200, JSON.stringify(tokens.body));
    const endsAt = nowOf(simulation) + model.accessTokenMs;
    simulation.world.grants.push({ oneClick, accessToken: String(tokens.body.access_token), endsAt });
  },
  async readUserInfo(simulation, { which }) {
    const grant = newest(simulation.world.grants, which);
    if (grant === undefined) return;
    const { oneClick, accessToken, endsAt } = grant;
    const { status, body } = await userInfo(simulation.it, accessToken);
    const now = nowOf(simulation);
    if (now >= endsAt || !model.isReadable(oneClick, now)) return assert.equal(status, 401);
    assert.deepEqual([status, body.phone_number], [200, oneClick.person.phone]);
    model.noteRead(oneClick, now);
  },
};

function clientOf({ brands: { openid: brand } }: Simulation) {
  return { ...brand, clientId: brand.uuid, secret: brand.apiKey };
}
