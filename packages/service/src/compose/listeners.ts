/** The listeners of one environment, and their checks before the domain handles a request. */
import { readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";
import { RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible";
import { noteKeyUse } from "../domain/brand/api-key-rows.ts";
import { cellOfUuid, slotOf } from "../domain/cell-number.ts";
import type { Deps, HomeDeps } from "../domain/deps.ts";
import { journeyNames, journeys } from "../domain/journey.ts";
import { authenticate, type Gate, openPath, refuseLeakedKeys } from "../http/auth.ts";
import { type DocumentedUrls, routesDocs } from "../http/docs.ts";
import { namesThisMachine } from "../http/host.ts";
import { answerOnce } from "../http/idempotency.ts";
import type { Limit } from "../http/limits.ts";
import { routesMark } from "../http/mark.ts";
import { routesOpenid } from "../http/openid/routes.ts";
import { routesOperation } from "../http/operation.ts";
import { createServer, type ServerOptions } from "../http/server.ts";
import { routesTakeout } from "../http/takeout/routes.ts";
import { routesV1 } from "../http/v1/routes.ts";
import { routesV2 } from "../http/v2/routes.ts";
import { failurePages } from "../http/wallet/failure-page.ts";
import { routesPreviewPage } from "../http/wallet/preview-page.ts";
import { routesWallet } from "../http/wallet/server.ts";
import { openPing } from "../store/ping.ts";
import { type LineSubject, openRequestLog } from "../store/request-log.ts";
import { breakdownLog, logBreakdown } from "./breakdown-log.ts";
import { type CellStores, cellMarkHash, cellOfSlot, refuseUnreachable } from "./cell-stores.ts";
import type { Guards, Resources } from "./resources.ts";

/** Requests per second of one key, and of one IP address without a key. */
export type Quotas = { key: number; address: number };
type ApiOptions = { homeDeps: HomeDeps; keys: Gate["keys"]; quotas: Quotas; documentedUrls(): DocumentedUrls };
type Listener = { app: FastifyInstance; closeLog(): Promise<void> };

/** The API that brands call. */
export async function composeApi(
  resources: Resources,
  { homeDeps, keys, quotas, documentedUrls }: ApiOptions,
): Promise<Listener & { gate: Gate; guards: Guards }> {
  const { config, store, metrics, presence, group } = resources;
  const { app, closeLog } = composeListener(resources, homeDeps);
  const ping = openPing(store.pool);
  const gate = composeGate(resources, { environment: homeDeps.environment, keys, quotas });
  const guards: Guards = {
    gate,
    open: (request, reply) => openPath(gate, request, reply),
    brand: (request, reply) => authenticate(gate, request, reply),
  };
  refuseLeakedKeys(app, gate);
  answerOnce(app, (error, requestId) =>
    logBreakdown(resources.log, "response not stored for its Idempotency-Key", error, { requestId }),
  );
  routesV1(app, homeDeps, guards.brand);
  routesV2(app, homeDeps, guards);
  routesOperation(app, {
    // In a group, a process that is being replaced stays ready, because the others take over.
    ready: async () => (group === null ? !presence.isLeaving : group.areReady()) && (await ping()),
    metrics: () => (group ?? metrics.registry).metrics(),
    metricsToken: config.metricsToken,
    metricsOpen: config.demo,
    publicKeys: [homeDeps.vault.pushKey(homeDeps.environment), homeDeps.vault.receiptKey],
  });
  routesMark(app);
  const documents = { v1: await document("api/v1.json"), v2: await document("api/v2.json") };
  routesDocs(app, documents, { urls: documentedUrls, hasDemo: config.demo });
  return { app, closeLog, gate, guards };
}

/** The pages for people. */
export function composeWallet(
  resources: Resources,
  { homeDeps, gate, dashboardUrl }: { homeDeps: HomeDeps; gate: Gate; dashboardUrl(): string },
): Listener {
  const assets = { ...resources.assets, isTest: homeDeps.policy.isTest };
  const { app, closeLog } = composeListener(resources, homeDeps, { failurePage: failurePages(assets) });
  const options = {
    guard: (request, reply) => openPath(gate, request, reply),
    assets,
  } satisfies Parameters<typeof routesWallet>[2];
  refuseLeakedKeys(app, gate);
  routesWallet(app, homeDeps, options);
  routesPreviewPage(app, homeDeps, { ...options, dashboardUrl });
  routesTakeout(app, homeDeps, options);
  routesOpenid(app, homeDeps, { ...options, gate, onBreakdown: breakdownLog(resources) });
  return { app, closeLog };
}

/** What is needed to log a request. */
type Noted = Pick<Deps, "environment" | "clock" | "phones" | "vault">;

/** A server that records each request in the request log, the process's log and the metrics. */
export function composeListener(
  { store, cells, log, metrics, config, presence }: Resources,
  deps: Noted,
  pages: Partial<Pick<ServerOptions, "failurePage" | "trustedProxies">> = {},
): Listener {
  const { home } = store;
  const dbOf = (number: number) =>
    number === 0 ? store.db : (cells.opened().find((cell) => cell.number === number)?.store.db ?? refuseUnreachable());
  const cellOf = (subject: LineSubject) => cellOfLine(cells, deps, subject);
  const requestLog = openRequestLog(
    { home, cellOf, dbOf },
    {
      noteUse: noteKeyUse,
      onError: (error) => logBreakdown(log, "request log write failed", error),
      hidingPerson: {
        anonymous: journeyNames.filter((name) => journeys[name].readWith === "tokens"),
        open: journeyNames.filter((name) => journeys[name].openPage !== null),
      },
    },
  );
  const options: ServerOptions = {
    trustedProxies: config.trustedProxies,
    ...pages,
    traced: config.tracesUrl !== null,
    // Demo keys are public, so refuse other host names (DNS rebinding). All configured hosts are loopback names.
    ...(config.demo ? { answersTo: namesThisMachine } : {}),
    isLeaving: () => presence.isLeaving,
    onRequestDone({ owner, subject, warnings = [], ...note }) {
      metrics.requestDone(deps.environment, note);
      log.info("request", { environment: deps.environment, ...note, brandUuid: owner?.brand.uuid });
      if (owner === undefined) return;
      requestLog.add({
        environment: deps.environment,
        at: deps.clock.now(),
        request_id: note.requestId,
        brand_uuid: owner.brand.uuid,
        api_key_uuid: owner.apiKeyUuid,
        method: note.method,
        route: note.route,
        status: note.status,
        error_code: note.errorCode ?? null,
        latency_ms: note.latencyMs,
        subject_uuid: subject?.uuid ?? null,
        warnings: warnings.length === 0 ? null : [...warnings],
        phoneIndex: phoneIndexOf(deps, subject?.phone),
      });
    },
    onBreakdown: breakdownLog({ log, store }),
  };
  return { app: createServer(options), closeLog: requestLog.close };
}

/** The cell of a log line: that of its subject, otherwise of the phone's person, otherwise one chosen by the brand. */
function cellOfLine(cells: CellStores, { vault }: Noted, { subjectUuid, phoneIndex, brandUuid }: LineSubject): number {
  const listed = cells.listed();
  if (listed.length === 0) return 0;
  if (subjectUuid !== null) {
    const number = cellOfUuid(cellMarkHash(vault), subjectUuid);
    return listed.some((cell) => cell.number === number) ? number : 0;
  }
  return cellOfSlot(listed, slotOf(phoneIndex ?? vault.keyedHash("cell", brandUuid ?? "")));
}

/** The index that finds the person. Null if the call named no supported phone. */
function phoneIndexOf({ phones, vault, environment }: Noted, phone: string | undefined): Buffer | null {
  const judged = phone === undefined ? null : phones.judge(phone);
  return judged?.kind === "supported" ? vault.index("phone", environment, judged.phone) : null;
}

/** A limit that is counted in the database, so that it applies across all processes. */
export function addressLimit(
  { store }: Resources,
  { name, quota, windowSeconds }: Omit<Limit, "limiter">,
  scope = name,
): Limit {
  const limiter = new RateLimiterPostgres({
    storeClient: store.pool,
    points: quota,
    duration: windowSeconds,
    tableName: "rate_limit",
    tableCreated: true,
    keyPrefix: scope,
  });
  return { name, quota, windowSeconds, limiter };
}

type GateOptions = Pick<ApiOptions, "keys" | "quotas"> & { environment: string };

function composeGate(resources: Resources, { environment, keys, quotas }: GateOptions): Gate {
  const { key, address } = quotas;
  return {
    keys,
    keyLimit: {
      name: "key",
      quota: key,
      windowSeconds: 1,
      limiter: new RateLimiterMemory({ points: key, duration: 1 }),
    },
    addressLimit: addressLimit(
      resources,
      { name: "address", quota: address, windowSeconds: 1 },
      `${environment}.address`,
    ),
  };
}

/** A file of this project's docs. */
function document(path: string): Promise<string> {
  return readFile(new URL(`../../../../docs/${path}`, import.meta.url), "utf8");
}
