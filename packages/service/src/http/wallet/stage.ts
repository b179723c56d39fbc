import * as contract from "@countersign/contract/stage";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { HomeDeps } from "../../domain/deps.ts";
import { fail, invalid, refuse } from "../../domain/failure.ts";
import { phoneAt } from "../../domain/phone.ts";
import { listTexts } from "../../domain/sandbox/outbox.ts";
import { findPage } from "../../domain/signup/page/page.ts";
import { endLifetime } from "../../domain/verification/verification-rows.ts";
import { addressKey, type Limit, useLimit } from "../limits.ts";
import { type Guard, mount } from "../mount.ts";
import type { WebAssets } from "./assets.ts";
import { sendStage } from "./html.ts";

type StageOptions = {
  guard: Guard<void>;
  limit: Limit;
  homeDeps: HomeDeps;
  assets: WebAssets;
  /** The API that the brand's server calls. */
  api: FastifyInstance;
  /** Whose brands the stage shows. */
  customerUuid: string;
  brands: Readonly<Record<contract.StageBrand, { uuid: string; apiKey: string }>>;
};

/** The number of a key's characters that the log shows. */
const keyShown = "sk_sandbox_demo_".length;

/**
 * The stage: a page that shows a signup while it happens, with the real wallet, calls and texts. Only a sandbox with
 * demo brands has it. It keeps nothing about its visitors: each signup is a session of its own.
 */
export function routesStage(app: FastifyInstance, options: StageOptions): void {
  const { guard, limit, homeDeps, assets, api, customerUuid, brands } = options;
  app.get("/demo", async (request, reply) => {
    await guard(request, reply);
    return sendStage(reply, `${homeDeps.addresses.apiUrl}/docs`, assets);
  });
  const ownPage: Guard<void> = async (request, reply) => {
    await guard(request, reply);
    await useLimit(limit, addressKey(request.ip), reply);
    if (request.headers["sec-fetch-site"] !== "same-origin")
      throw refuse(403, "Only the stage's own page may call this.");
  };
  const mounting = { guard: ownPage, prefixes: [""], homeDeps };
  const uuids = Object.values(brands).map(({ uuid }) => uuid);

  mount(app, contract.callAsBrand, mounting, async (_nobody, { body }, { request }) =>
    callApi(api, { ...requestOf(body), apiKey: brands[body.brand].apiKey, request }),
  );
  mount(app, contract.listStageTexts, mounting, async (_nobody, { body: { to, since } }) => {
    const texts = await listTexts(homeDeps, { customerUuid, to: phoneAt(homeDeps, to, "body.to") });
    return {
      data: texts
        .filter(({ brandUuid, sentAt }) => uuids.includes(brandUuid) && sentAt >= since)
        .map(({ id, from, body, sentAt }) => ({ id, from, body, sentAt })),
    };
  });
  mount(app, contract.expireStageCode, mounting, async (_nobody, { body }, { deps, request }) => {
    const { caller, oneClick } = await findPage(deps, { page: body.page }, request.id);
    if (!uuids.includes(caller.brand.uuid) || oneClick.verificationUuid === null) throw fail("OCE015", {});
    return { expiresAt: await endLifetime(deps.db, oneClick.verificationUuid, deps.clock.now()) };
  });
}

type Asked = { call: "createSession" | "readOneClick" | "readHealthLookup"; uuid?: string | undefined };
type ApiRequest = Pick<contract.ServerCall, "method" | "path">;

function requestOf({ call, uuid }: Asked): ApiRequest {
  if (call === "createSession") return { method: "POST", path: "/v2/client/1-click" };
  if (uuid === undefined) throw invalid([{ path: "body.uuid", message: "This is required to read something." }]);
  return { method: "GET", path: `/v2/1-click/${call === "readOneClick" ? "" : "health/"}${uuid}` };
}

/** Makes a call as a brand's server does: through the API's own checks, with the brand's key. */
export async function callApi(
  api: FastifyInstance,
  { method, path, apiKey, request }: ApiRequest & { apiKey: string; request: Pick<FastifyRequest, "ip"> },
): Promise<contract.ServerCall> {
  const startedAt = performance.now();
  const answer = await api.inject({ method, url: path, remoteAddress: request.ip, headers: { authorization: apiKey } });
  return {
    method,
    path,
    authorization: `${apiKey.slice(0, keyShown)}…`,
    status: answer.statusCode,
    answer: answer.json(),
    durationMs: Math.round(performance.now() - startedAt),
  };
}
