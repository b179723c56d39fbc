/** The endpoints for wallets and verifiers: OpenID4VCI, keys, type metadata and status lists. */
import { Oauth2ServerErrorResponseError } from "@openid4vc/oauth2";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { HomeDeps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import { issuerUrl, takeoutPath } from "../../domain/takeout/addresses.ts";
import { findOffered, issueCopies } from "../../domain/takeout/issue.ts";
import { publishedKeys } from "../../domain/takeout/keys.ts";
import {
  authorizationMetadata,
  codeGrant,
  issuerMetadata,
  preAuthorizedGrant,
  typeMetadata,
  wellKnown,
} from "../../domain/takeout/kinds.ts";
import { makeNonce } from "../../domain/takeout/nonce.ts";
import { type OfferSecret, redeemOffer } from "../../domain/takeout/offer.ts";
import { WalletRefusal } from "../../domain/takeout/refusal.ts";
import { statusListToken, statusTtlSeconds } from "../../domain/takeout/status.ts";
import { holdBody } from "../body.ts";
import { cellAbout } from "../cell.ts";
import type { Guard } from "../mount.ts";
import { answerPreflights, readableByOtherSites } from "../other-sites.ts";
import { askingPage } from "./authorize.ts";
import { acceptAnswer } from "./presentations.ts";
import { issuer, metadataOf, provenBy } from "./proofs.ts";

/** How long others may cache a description, in seconds. */
const keptSeconds = 3_600;
/** How long others may cache the keys, in seconds. A new key is published a day before it signs. */
const keysKeptSeconds = 3_600;

/** Maximum size of a wallet app's answer in bytes: several credentials with their disclosures. */
const presentationBytesMax = 65_536;

/** Maximum size of a token request in bytes. Each character may take three. */
const tokenBytesMax = 16_384;

export function routesTakeout(app: FastifyInstance, homeDeps: HomeDeps, { guard }: { guard: Guard<void> }): void {
  app.get(`${takeoutPath}/authorize`, async (request, reply) => {
    await guard(request, reply);
    // Put the request into the fragment, because the person's own page handles sign-in and approval. Nothing redirects
    // to the wallet before the person answers.
    return await reply.header("referrer-policy", "no-referrer").redirect(askingPage(homeDeps, request.query), 303);
  });
  app.register(async (scope) => {
    // Wallet apps may be web pages. They also need to read refusals.
    scope.addHook("onRequest", async (_request, reply) => void reply.headers(readableByOtherSites));
    for (const path of [...wellKnownPaths, `${takeoutPath}/*`]) answerPreflights(scope, path);
    publicRoutes(scope, homeDeps, guard);
    callRoutes(scope, homeDeps, guard);
  });
}

const wellKnownPaths = ["openid-credential-issuer", "oauth-authorization-server", "jwt-vc-issuer"].map(wellKnown);

/** The calls of wallet apps. */
function callRoutes(app: FastifyInstance, homeDeps: HomeDeps, guard: Guard<void>): void {
  const answer =
    (handle: (request: FastifyRequest) => Promise<unknown>) => async (request: FastifyRequest, reply: FastifyReply) => {
      await guard(request, reply);
      try {
        return await reply.send(await handle(request));
      } catch (error) {
        return await sendRefusal(reply, error);
      }
    };
  app.post(
    `${takeoutPath}/token`,
    { bodyLimit: tokenBytesMax },
    answer(({ body }) => tokenFor(homeDeps, membersOf(body))),
  );
  app.post(
    `${takeoutPath}/nonce`,
    answer(async () => ({ c_nonce: makeNonce(homeDeps) })),
  );
  app.post(
    `${takeoutPath}/presentations/:word`,
    {
      bodyLimit: presentationBytesMax,
      onRequest: async (request, reply) => holdBody(request, reply, presentationBytesMax),
    },
    answer(async ({ params, body }) => {
      const token = tokenIn(params);
      return await acceptAnswer(await cellAbout(homeDeps, { token }), token, membersOf(body));
    }),
  );
  app.post(
    `${takeoutPath}/credential`,
    answer((request) => credentialsFor(homeDeps, request)),
  );
}

/** Documents that anyone may read and cache. */
function publicRoutes(app: FastifyInstance, homeDeps: HomeDeps, guard: Guard<void>): void {
  const open = async (request: FastifyRequest, reply: FastifyReply, seconds: number) => {
    await guard(request, reply);
    reply.header("cache-control", `public, max-age=${seconds}`);
  };
  const document = (path: string, make: () => Promise<unknown> | unknown, seconds = keptSeconds) =>
    app.get(path, async (request, reply) => {
      await open(request, reply, seconds);
      return reply.send(await make());
    });
  document(wellKnown("openid-credential-issuer"), () => issuerMetadata(homeDeps));
  document(wellKnown("oauth-authorization-server"), () => authorizationMetadata(homeDeps));
  document(
    wellKnown("jwt-vc-issuer"),
    async () => ({ issuer: issuerUrl(homeDeps), jwks: { keys: await publishedKeys(homeDeps) } }),
    keysKeptSeconds,
  );
  app.get<{ Params: { kind: string } }>(`${takeoutPath}/types/:kind`, async (request, reply) => {
    const metadata = typeMetadata(homeDeps, request.params.kind);
    if (metadata === null) throw refuse(404, "No such type.");
    await open(request, reply, keptSeconds);
    return reply.send(metadata);
  });
  app.get<{ Params: { uuid: string } }>(`${takeoutPath}/status/:uuid`, async (request, reply) => {
    await guard(request, reply);
    const token = await statusListToken(homeDeps, request.params.uuid);
    if (token === null) throw refuse(404, "No such status list.");
    await open(request, reply, statusTtlSeconds);
    return reply.type("application/statuslist+jwt").send(token);
  });
}

async function sendRefusal(reply: FastifyReply, error: unknown): Promise<FastifyReply> {
  const refusal =
    error instanceof Oauth2ServerErrorResponseError
      ? new WalletRefusal("invalid_credential_request", "The request could not be read.")
      : error;
  if (!(refusal instanceof WalletRefusal)) throw error;
  if (refusal.error === "invalid_token") reply.header("www-authenticate", 'Bearer error="invalid_token"');
  return await reply.status(refusal.status).send({ error: refusal.error, error_description: refusal.message });
}

function tokenIn(params: unknown): string {
  return typeof params === "object" && params !== null && "word" in params ? String(params.word) : "";
}

function membersOf(body: unknown): Record<string, unknown> {
  return typeof body === "object" && body !== null ? { ...body } : {};
}

async function tokenFor(homeDeps: HomeDeps, form: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { code, shown } = redemptionIn(form);
  const { token, expiresInSeconds } = await redeemOffer(await cellAbout(homeDeps, { token: code }), { code, shown });
  return { access_token: token, token_type: "Bearer", expires_in: expiresInSeconds };
}

function redemptionIn(form: Record<string, unknown>): { code: string; shown: OfferSecret } {
  if (form.grant_type === preAuthorizedGrant) {
    const { "pre-authorized_code": code, tx_code: transactionCode } = form;
    if (typeof code !== "string" || typeof transactionCode !== "string")
      throw new WalletRefusal("invalid_request", "Send pre-authorized_code and tx_code.");
    return { code, shown: { transactionCode } };
  }
  if (form.grant_type !== codeGrant)
    throw new WalletRefusal("unsupported_grant_type", `The grant type is ${codeGrant} or ${preAuthorizedGrant}.`);
  const { code, client_id: clientId, redirect_uri: redirectUri, code_verifier: verifier } = form;
  if (
    typeof code !== "string" ||
    typeof clientId !== "string" ||
    typeof redirectUri !== "string" ||
    typeof verifier !== "string"
  )
    throw new WalletRefusal("invalid_request", "Send code, client_id, redirect_uri and code_verifier.");
  return { code, shown: { wallet: { clientId, redirectUri, verifier } } };
}

async function credentialsFor(homeDeps: HomeDeps, request: FastifyRequest): Promise<Record<string, unknown>> {
  const token = bearerOf(request);
  const deps = await cellAbout(homeDeps, { token });
  const offered = await findOffered(deps, token);
  const asked = issuer.parseCredentialRequest({
    issuerMetadata: metadataOf(deps),
    credentialRequest: membersOf(request.body),
  });
  if (asked.credentialConfigurationId !== offered.kind)
    throw new WalletRefusal("unknown_credential_configuration", "The token is for another credential.");
  const proven = await provenBy(deps, asked.proofs?.jwt ?? []);
  const copies = await issueCopies(deps, offered, { ...proven, requestId: request.id });
  return issuer.createCredentialResponse({
    credentialRequest: asked,
    credentials: copies.map((credential) => ({ credential })),
  });
}

function bearerOf({ headers }: FastifyRequest): string {
  return /^Bearer ([A-Za-z0-9]{1,200})$/i.exec(headers.authorization ?? "")?.[1] ?? "";
}
