/** The endpoints of the OpenID Provider under `/openid` of the wallet. */

import type { IncomingMessage } from "node:http";
import { minuteMs } from "@countersign/contract/time";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type Provider from "oidc-provider";
import type { Configuration, KoaContextWithOIDC } from "oidc-provider";
import type { HomeDeps } from "../../domain/deps.ts";
import { invalid } from "../../domain/failure.ts";
import { currentKeys } from "../../domain/openid/keys.ts";
import { countAuthorization } from "../../domain/verification/limits/caps.ts";
import type { Gate } from "../auth.ts";
import { calledFrom } from "../limits.ts";
import type { Guard } from "../mount.ts";
import type { WebAssets } from "../wallet/assets.ts";
import { routesInteraction } from "./interaction.ts";
import { errorPage } from "./phone-page.ts";
import { createProvider, mountPath, sessionCookieName } from "./provider.ts";
import { secretCheck } from "./secret.ts";

export type OpenidOptions = {
  guard: Guard<void>;
  gate: Gate;
  assets: WebAssets;
  onBreakdown(error: unknown, requestId: string, status: number): void;
};
export type OpenProvider = { provider: Provider; answer: ReturnType<Provider["callback"]> };

/** How long a process uses cached keys, in milliseconds. */
const keysReadEveryMs = minuteMs;

export function routesOpenid(app: FastifyInstance, homeDeps: HomeDeps, options: OpenidOptions): void {
  const requests = new WeakMap<IncomingMessage, FastifyRequest>();
  const open = providerOpener(homeDeps, options, requests);
  routesInteraction(app, homeDeps, { ...options, provider: async () => (await open()).provider });
  app.register(async (endpoints) => {
    // The library reads these bodies itself, with a limit of 56 KB.
    endpoints.removeContentTypeParser("application/x-www-form-urlencoded");
    endpoints.addContentTypeParser("application/x-www-form-urlencoded", (_request, _body, done) => done(null));
    const answerRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      const { answer } = await open();
      requests.set(request.raw, request);
      asIssuer(request, `${homeDeps.addresses.walletUrl}${mountPath}`);
      handOver(request, reply);
      await answer(request.raw, reply.raw);
    };
    postedAuthorization(endpoints, homeDeps, { guard: options.guard, answerRequest });
    endpoints.route({
      method: ["GET", "POST", "OPTIONS"],
      url: `${mountPath}/*`,
      handler: async (request, reply) => {
        await options.guard(request, reply);
        await limitAuthorization(homeDeps, request);
        await answerRequest(request, reply);
      },
    });
  });
}

type Posted = {
  guard: Guard<void>;
  answerRequest(request: FastifyRequest, reply: FastifyReply): Promise<void>;
};

/**
 * An authorization request as a form (OpenID Connect Core 3.1.2.1). The library's own support would need a sign-in
 * session whose cookie other sites' forms send, so the library sees a GET with the same parameters.
 */
function postedAuthorization(app: FastifyInstance, homeDeps: HomeDeps, { guard, answerRequest }: Posted): void {
  app.register(async (scope) => {
    scope.removeContentTypeParser("application/x-www-form-urlencoded");
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: authorizationBytesMax },
      async (_request: unknown, body: string) => new URLSearchParams(body).toString(),
    );
    scope.post(`${mountPath}/auth`, { bodyLimit: authorizationBytesMax }, async (request, reply) => {
      await guard(request, reply);
      const url = `${mountPath}/auth?${typeof request.body === "string" ? request.body : ""}`;
      const headers = { ...request.raw.headers };
      for (const name of ["content-type", "content-length", "transfer-encoding"]) delete headers[name];
      Object.assign(request.raw, { method: "GET", url, headers });
      await limitAuthorization(homeDeps, request);
      await answerRequest(request, reply);
    });
  });
}

/** Maximum size of a posted authorization request in bytes: that of a URL with the other headers. */
const authorizationBytesMax = 16_384;
/** Longest parameter of an authorization request, in characters. The request is stored until the person is done. */
const parameterMax = 2_000;
const longParameterMax = 4_000;
/** Maximum number of parameters. A request has about twenty, and the library looks at each one several times. */
const parametersMax = 100;
const longParameters = ["claims", "id_token_hint"];

/** Refuses an authorization request that is too large, and counts all others. Anyone can send one. */
async function limitAuthorization(homeDeps: HomeDeps, request: FastifyRequest): Promise<void> {
  const { pathname, searchParams } = new URL(request.url, homeDeps.addresses.walletUrl);
  // The library also accepts upper case and a slash at the end.
  if (pathname.toLowerCase().replace(/\/$/, "") !== `${mountPath}/auth`) return;
  if (searchParams.size > parametersMax)
    throw invalid([{ path: "query", message: `Use at most ${parametersMax} parameters.` }]);
  for (const [name, { length }] of searchParams) {
    const max = longParameters.includes(name) ? longParameterMax : parameterMax;
    if (length > max) throw invalid([{ path: `query.${name}`, message: `Use at most ${max} characters.` }]);
  }
  await countAuthorization(homeDeps, calledFrom(request.ip));
}

/** Hands the request to the library. Our headers are set first, so the library's answers have them too. */
function handOver(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  // The response mode `form_post` sends a form to the client. The library adds its script's hash to this policy.
  if (request.originalUrl.startsWith(`${mountPath}/auth`))
    reply.raw.setHeader(
      "content-security-policy",
      "default-src 'none'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
}

/** Gives the library the issuer's address and the path below it. Removes the cookie of an earlier sign-in. */
function asIssuer({ raw }: FastifyRequest, issuer: string): void {
  const { protocol, host } = new URL(issuer);
  const { headers, url = "" } = raw;
  headers["x-forwarded-proto"] = protocol.slice(0, -1);
  headers["x-forwarded-host"] = host;
  const cookies = headers.cookie?.split(/;\s*/).filter((one) => !one.startsWith(`${sessionCookieName}=`));
  if (cookies !== undefined) headers.cookie = cookies.join("; ");
  // The library would refuse a content type without a body.
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined)
    delete headers["content-type"];
  Object.assign(raw, { originalUrl: url, url: url.slice(mountPath.length) });
}

/** Opens the provider at the first request, when the wallet's address is known, and again after the keys change. */
function providerOpener(
  homeDeps: HomeDeps,
  options: OpenidOptions,
  requests: WeakMap<IncomingMessage, FastifyRequest>,
) {
  let opened: { at: number; version: string; made: Promise<OpenProvider> } | null = null;
  return async (): Promise<OpenProvider> => {
    const now = homeDeps.realClock.now();
    const issuer = `${homeDeps.addresses.walletUrl}${mountPath}`;
    if (opened !== null && now - opened.at < keysReadEveryMs && opened.version.startsWith(`${issuer} `))
      return await opened.made;
    const keys = await currentKeys(homeDeps);
    const version = `${issuer} ${keys.map(({ kid }) => String(kid)).join(" ")}`;
    if (opened?.version === version) {
      opened.at = now;
      return await opened.made;
    }
    const secretOf = (purpose: string) => homeDeps.vault.keyedHash("openid", purpose).toString("base64url");
    const provider = createProvider({
      homeDeps,
      issuer,
      keys,
      cookieKey: secretOf("cookies"),
      placeholderSecret: secretOf("placeholder"),
      isSecretOf: secretCheck(options.gate, requests),
      requestIdOf: (context) => requestIdOf(requests, context),
      renderError: renderError(options, requests),
      onBreakdown: options.onBreakdown,
    });
    const made = Promise.resolve({ provider, answer: provider.callback() });
    opened = { at: now, version, made };
    return await made;
  };
}

function requestIdOf(requests: WeakMap<IncomingMessage, FastifyRequest>, { req }: KoaContextWithOIDC): string {
  return requests.get(req)?.id ?? "";
}

/** An error that cannot be sent to the client's redirect URI: a page for a person's browser, JSON for all others. */
function renderError(
  { assets }: OpenidOptions,
  requests: WeakMap<IncomingMessage, FastifyRequest>,
): NonNullable<Configuration["renderError"]> {
  return async (context, out) => {
    const request = requests.get(context.req);
    if (request === undefined || context.accepts("json", "html") !== "html") {
      context.type = "json";
      context.body = out;
      return;
    }
    const { headers, html } = errorPage(request, assets);
    context.set(headers);
    context.body = html;
  };
}
