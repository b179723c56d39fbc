/** The pages of an authorization request: the phone, and the return from the wallet's Hosted pages. */
import { readPhone } from "@countersign/contract/typed-text";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type Provider from "oidc-provider";
import type { Caller, HomeDeps } from "../../domain/deps.ts";
import { Failure, refuse } from "../../domain/failure.ts";
import { beginByPhone, finishInteraction, type Interaction } from "../../domain/openid/interaction.ts";
import { namedClaims, readClaims } from "../../domain/openid/requests.ts";
import { cellAbout } from "../cell.ts";
import { calledFrom } from "../limits.ts";
import type { Guard } from "../mount.ts";
import type { WebAssets } from "../wallet/assets.ts";
import { refuseOtherSites } from "../wallet/cookie.ts";
import { chosenLanguage, languageOf, sendPage } from "../wallet/html.ts";
import { lookOf } from "../wallet/present.ts";
import { findClientBrand } from "./clients.ts";
import { type PhoneProblem, phonePage } from "./phone-page.ts";
import { mountPath } from "./provider.ts";

type InteractionOptions = { guard: Guard<void>; assets: WebAssets; provider(): Promise<Provider> };
/** An authorization request in progress. Only the browser in which it began has its cookie. */
type Current = { provider: Provider; interaction: Interaction; caller: Caller; hint: string };

export function routesInteraction(app: FastifyInstance, homeDeps: HomeDeps, options: InteractionOptions): void {
  const path = `${mountPath}/interaction/:uid`;
  const show = (request: FastifyRequest, reply: FastifyReply, current: Current, problem?: PhoneProblem) =>
    sendPage(
      reply,
      phonePage(current.interaction, {
        look: lookOf(homeDeps, current.caller.brand),
        language: languageOf(request),
        problem,
        typed: current.hint,
      }),
      options.assets,
    );
  app.get(path, async (request, reply) => {
    await options.guard(request, reply);
    return show(request, reply, await currentOf(homeDeps, options, request, reply));
  });
  app.post<{ Body: unknown }>(path, async (request, reply) => {
    await options.guard(request, reply);
    refuseOtherSites(request);
    const current = await currentOf(homeDeps, options, request, reply);
    const { phone, version, brand } = fieldsOf(request.body);
    // The record must have the words that the person saw.
    if (brand !== current.caller.brand.settings.externalName)
      return await show(request, reply.status(409), { ...current, hint: phone }, "renamed");
    const consent = { version, language: languageOf(request), url: `${homeDeps.addresses.walletUrl}${mountPath}` };
    try {
      // Another text is refused as a phone.
      const input = { phone: readPhone(phone) ?? phone, consent, from: calledFrom(request.ip) };
      const deps = await cellAbout(homeDeps, { phone: input.phone });
      const page = await beginByPhone(deps, current.caller, current.interaction, input);
      const language = chosenLanguage(request);
      return await reply.redirect(language === null ? page : `${page}?lang=${language}`, 303);
    } catch (error) {
      const problem = problemOf(error);
      if (problem === null) throw error;
      return show(request, reply.status(problem === "busy" ? 429 : 400), { ...current, hint: phone }, problem);
    }
  });
  type Finish = { Querystring: { identityUuid?: string; ticket?: string } };
  app.get<Finish>(`${path}/finish`, { exposeHeadRoute: false }, async (request, reply) => {
    await options.guard(request, reply);
    const { provider, interaction, caller } = await currentOf(homeDeps, options, request, reply);
    const { identityUuid = "", ticket = "" } = request.query;
    const given = { oneClickUuid: String(identityUuid), ticket: String(ticket) };
    const deps = await cellAbout(homeDeps, { uuid: given.oneClickUuid });
    const finished = await finishInteraction(deps, caller, interaction, given);
    const result =
      finished.kind === "denied"
        ? { error: "access_denied", error_description: "The person did not share their details." }
        : {
            login: {
              accountId: finished.oneClickUuid,
              acr: finished.acr,
              amr: finished.amr,
              ts: Math.floor(finished.provenAt / 1_000),
              remember: false,
            },
            consent: { grantId: await grant(provider, { interaction, caller, accountId: finished.oneClickUuid }) },
          };
    const onward = await provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false });
    return await reply.header("referrer-policy", "no-referrer").redirect(onward, 303);
  });
}

/** Refuses a browser that does not have the request's cookie. */
async function currentOf(
  homeDeps: HomeDeps,
  options: InteractionOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Current> {
  const provider = await options.provider();
  const details = await provider.interactionDetails(request.raw, reply.raw).catch(() => null);
  const { uid } = paramsOf(request.params);
  const brand = details === null ? null : await findClientBrand(homeDeps, String(details.params.client_id));
  if (details === null || details.uid !== uid || brand === null)
    throw refuse(404, "This sign-in has expired, or began in another browser.");
  const { scope, claims, login_hint: hint } = details.params;
  return {
    provider,
    interaction: { uid, requested: { scope: String(scope), ...(typeof claims === "string" ? { claims } : {}) } },
    caller: { brand, apiKeyUuid: null, requestId: request.id },
    hint: typeof hint === "string" ? hint : "",
  };
}

type Granting = { interaction: Interaction; caller: Caller; accountId: string };

async function grant(provider: Provider, { interaction, caller, accountId }: Granting): Promise<string> {
  const { scope, claims } = interaction.requested;
  const made = new provider.Grant({ accountId, clientId: caller.brand.uuid });
  made.addOIDCScope(scope);
  const named = namedClaims(readClaims(claims));
  if (named.length > 0) made.addOIDCClaims(named);
  return await made.save();
}

function paramsOf(params: unknown): { uid: string } {
  return { uid: typeof params === "object" && params !== null && "uid" in params ? String(params.uid) : "" };
}

function fieldsOf(body: unknown): { phone: string; version: string; brand: string } {
  const field = (name: string) => {
    const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
    return typeof value === "string" ? value : "";
  };
  return { phone: field("phone"), version: field("version"), brand: field("brand") };
}

/** Why no text can be sent to the phone: too many texts, not a US number, or STOP. */
const noText: ReadonlySet<unknown> = new Set(["OCV004", "OCV009", "OCV011"]);

/** Failures that the person can fix. The others get an error page. */
function problemOf(error: unknown): PhoneProblem | null {
  if (!(error instanceof Failure)) return null;
  if (error.data.errorCode === "OCE002") return "phone";
  if (error.status === 429) return "busy";
  return noText.has(error.data.errorCode) ? "texts" : null;
}
