/**
 * `/demo/state-id` of the sandbox: a test wallet with state IDs of test people. The wallet's pages open it where the
 * browser has no wallet app, and it answers as one does.
 */
import { answerAsTestWallet, type DigitalCredentialPart } from "@countersign/contract/test-wallet";
import type { FastifyInstance } from "fastify";
import { type ComponentChildren, h } from "preact";
import type { HomeDeps } from "../../domain/deps.ts";
import { invalid, refuse } from "../../domain/failure.ts";
import { type Guard, mount } from "../mount.ts";
import type { WebAssets } from "./assets.ts";
import { sendPage, testWalletPath } from "./html.ts";

/** The IDs of test people, and the mistakes that an answer can have, each by its key. */
export type TestWallet = {
  ids: readonly { key: string; name: string; state: string; says: string }[];
  mistakes: readonly { key: string; says: string }[];
  /** `origin`: of the page that asks. Returns null if the request does not ask for a state ID. */
  answer(input: {
    id: string;
    mistake: string | null;
    request: DigitalCredentialPart;
    origin: string;
  }): Promise<DigitalCredentialPart | null>;
};

type Options = { guard: Guard<void>; assets: WebAssets; homeDeps: HomeDeps; wallet: TestWallet };

export function routesTestWallet(app: FastifyInstance, { guard, assets, homeDeps, wallet }: Options): void {
  app.get(testWalletPath, async (request, reply) => {
    await guard(request, reply);
    const page = {
      language: "en" as const,
      title: "Test wallet",
      step: "testWallet",
      content: contentOf(wallet),
      hasSwitch: false,
      app: { name: "testWallet" as const, policy: "; connect-src 'self'" },
      // The page that asks is its opener, also from a brand's frame.
      keepsOpener: true,
    };
    return sendPage(reply, page, assets);
  });
  const ownPage: Guard<void> = async (request, reply) => {
    await guard(request, reply);
    if (request.headers["sec-fetch-site"] === "cross-site")
      throw refuse(403, "Only this sandbox's pages may call this.");
  };
  mount(app, answerAsTestWallet, { guard: ownPage, prefixes: [""] }, async (_nobody, { body }) => {
    const { id, mistake = null, request } = body;
    if (!wallet.ids.some(({ key }) => key === id)) throw invalid([{ path: "body.id", message: "No such ID." }]);
    if (mistake !== null && !wallet.mistakes.some(({ key }) => key === mistake))
      throw invalid([{ path: "body.mistake", message: "No such mistake." }]);
    const answer = await wallet.answer({ id, mistake, request, origin: new URL(homeDeps.addresses.walletUrl).origin });
    if (answer === null) throw invalid([{ path: "body.request", message: "Use a request for a state ID." }]);
    return answer;
  });
}

function contentOf({ ids, mistakes }: TestWallet): ComponentChildren {
  return [
    h(
      "p",
      { class: "lead", id: "asked" },
      "This wallet holds IDs of test people. It answers when a page of this sandbox asks for a state ID.",
    ),
    h(
      "form",
      { class: "holding", id: "holding" },
      h(
        "fieldset",
        { class: "row" },
        h("legend", { class: "name" }, "ID"),
        ids.map(({ key, name, state, says }, at) =>
          h(
            "label",
            { class: "choice", key },
            h("input", { type: "radio", name: "id", value: key, checked: at === 0 }),
            h("span", { class: "value" }, h("span", null, `${name}, ${state}`), h("span", { class: "about" }, says)),
          ),
        ),
      ),
      h(
        "div",
        { class: "field" },
        h("div", { class: "label" }, h("label", { for: "mistake" }, "Mistake")),
        h(
          "select",
          { class: "input", id: "mistake", name: "mistake" },
          h("option", { value: "" }, "None"),
          mistakes.map(({ key, says }) => h("option", { value: key, key }, says)),
        ),
      ),
      h(
        "div",
        { class: "field" },
        h("div", { class: "label" }, h("label", { for: "protocol" }, "Protocol")),
        h(
          "select",
          { class: "input", id: "protocol", name: "protocol" },
          h("option", { value: "openid4vp" }, "OpenID4VP, as in Chrome"),
          h("option", { value: "org-iso-mdoc" }, "ISO 18013-7, as in Safari"),
        ),
      ),
      h("div", { role: "alert", id: "trouble" }),
      h(
        "div",
        { class: "actions" },
        h("button", { class: "button main", type: "submit", id: "give", disabled: true }, "Share with Countersign"),
        h("button", { class: "button", type: "button", id: "cancel", disabled: true }, "Cancel"),
      ),
    ),
  ];
}
