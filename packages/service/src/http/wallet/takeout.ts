/** "Take this with you" on the person's own page. */
import * as contract from "@countersign/contract/takeout";
import type { FastifyInstance } from "fastify";
import type { Account } from "../../domain/account/session.ts";
import { answerWallet, choicesOf, offeredTo, takeOut, withdrawTakeout } from "../../domain/account/takeout.ts";
import type { Deps } from "../../domain/deps.ts";
import { invalid } from "../../domain/failure.ts";
import { type Guard, mount } from "../mount.ts";
import { offerLink } from "../takeout/proofs.ts";

/** The person who is signed in. */
type Signed = { deps: Deps; account: Account };

export function routesTakeoutOffers(app: FastifyInstance, guard: Guard<Signed>): void {
  const mounting = { guard, prefixes: [""] };
  mount(app, contract.listTakeouts, mounting, async ({ deps, account }) => choicesOf(deps, account));
  mount(app, contract.takeOut, mounting, async ({ deps, account }, { body }) => {
    const { own, issued } = body;
    if ((own === undefined) === (issued === undefined))
      throw invalid([{ path: "body", message: "Send own or issued." }]);
    const chosen = own === undefined ? { issued: issued ?? "" } : { own };
    const { transactionCode, expiresAt, ...offer } = await takeOut(deps, account, chosen);
    return {
      offer: await offerLink(deps, offer),
      transactionCode: transactionCode.forText(),
      now: deps.clock.now(),
      expiresAt,
    };
  });
  mount(app, contract.readOffer, mounting, async ({ deps, account }, { params }) =>
    offeredTo(deps, account, params.uuid),
  );
  mount(app, contract.answerWallet, mounting, async ({ deps, account }, { params, body }) => ({
    continueAt: await answerWallet(deps, account, {
      ...body,
      ...params,
      consent: { ...body.consent, url: `${deps.addresses.walletUrl}/` },
    }),
  }));
  mount(app, contract.withdrawTakeout, mounting, async ({ deps, account }, { params }) => {
    await withdrawTakeout(deps, account, params.uuid);
    return await choicesOf(deps, account);
  });
}
