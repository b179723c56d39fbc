import type { Environment, IntegrationType } from "@countersign/contract/brand";
import type { LogLine } from "@countersign/contract/dashboard-reporting";
import { useEffect, useRef, useState } from "preact/hooks";
import { api, type Outcome } from "../api.ts";
import { type BrandPageProps, useLoad } from "../frame/page.tsx";
import { usePolling } from "../frame/use-polling.ts";
import { firstPath } from "./start-snippets.ts";
import { type StepId, stepsOf } from "./steps.ts";

/** Polling interval and limit. An abandoned page must not keep the session alive. */
const askEveryMs = 3_000;
const asksMax = 200;

type Call = { method: "GET" | "POST"; route: string };
/** Whether a call has arrived. `isKnown`: the log has answered. */
export type Arrival = { seen: LogLine | null; isWaiting: boolean; isKnown: boolean };
/** The progress of all steps. `isReady`: the first answers have arrived. It stays true. */
export type Progress = { isReady: boolean; done: ReadonlySet<StepId>; arrivals: Arrivals };
export type Arrivals = Readonly<Partial<Record<StepId, Arrival>>>;

/** The call that completes the step “prove”. A session of the SDK needs none. */
const proofs: Readonly<Partial<Record<IntegrationType, Call>>> = {
  api: { method: "POST", route: "/v2/1-click/verifications/:uuid/verify" },
  sdk: { method: "POST", route: "/v2/1-click/verifications/:uuid/verify" },
  semiHosted: { method: "GET", route: "/v2/1-click/:uuid" },
};

/** Which steps of the start page are done, from what the service has seen. */
export function useProgress({ brand, environment }: BrandPageProps, type: IntegrationType, hasKey: boolean): Progress {
  const params = { brand: brand.uuid, environment };
  const steps = stepsOf(type, environment);
  const keys = useLoad(() => api.listKeys({ params }), [brand.uuid, environment]).state;
  const approvals = useLoad(() => api.readApprovals({ params }), [brand.uuid, environment]);
  const call = useArrival(params, { method: "POST", route: firstPath(type) });
  const proof = useArrival(params, hasSucceeded(call) && steps.includes("prove") ? (proofs[type] ?? null) : null);
  const view = approvals.state.kind === "ok" ? approvals.state.value : null;
  const isShared = view?.fulfilled.includes("sandboxFlow") === true;
  const isOver = usePolling(approvals.reload, {
    ...{ everyMs: askEveryMs, max: asksMax },
    isOn: steps.includes("share") && !isShared,
  });
  const share: Arrival = { seen: null, isWaiting: !isOver, isKnown: view !== null };
  const [isReady, setReady] = useState(false);
  const isKnown = [keys, approvals.state].every(({ kind }) => kind !== "loading") && call.isKnown && proof.isKnown;
  useEffect(() => {
    if (isKnown) setReady(true);
  }, [isKnown]);
  const isApproved = brand.environments.some((one) => one.environment === "production" && one.isApproved);
  const facts: Readonly<Record<StepId, boolean>> = {
    approval: isApproved,
    key: hasKey || (keys.kind === "ok" && keys.value.data.some(({ revokedAt, endsAt }) => !revokedAt && !endsAt)),
    call: hasSucceeded(call),
    prove: hasSucceeded(proof),
    share: isShared,
    // The service cannot see the brand's code. A request for production shows that it exists.
    code: environment === "sandbox" && (isApproved || view?.request !== undefined),
    live: isApproved,
  };
  return { isReady, done: new Set(steps.filter((one) => facts[one])), arrivals: { call, prove: proof, share } };
}

function hasSucceeded({ seen }: Pick<Arrival, "seen">): boolean {
  return seen !== null && seen.status < 400;
}

/** The log's answer about a call. `route` is null if the step waits for no call. */
type Answer = { route: string | null; seen: LogLine | null };

/** Waits for a call until it succeeds. A failed call counts only if it arrived after the page was opened. */
function useArrival(params: { brand: string; environment: Environment }, call: Call | null): Arrival {
  const route = call?.route ?? null;
  // The ids of the calls that were in the log when the page was opened.
  const before = useRef<ReadonlySet<string> | null>(null);
  const ask = async (): Promise<Outcome<Answer>> => {
    if (call === null) return { kind: "ok", value: { route, seen: null } };
    const outcome = await api.searchLog({ params, body: { filter: call } });
    if (outcome.kind === "trouble") return outcome;
    const calls = outcome.value.data.filter((line) => line.route === route);
    const known = before.current ?? new Set(calls.map(({ id }) => id));
    before.current = known;
    const seen = calls.find(({ status }) => status < 400) ?? calls.find(({ id }) => !known.has(id)) ?? null;
    return { kind: "ok", value: { route, seen } };
  };
  const { state, reload } = useLoad(ask, [params.brand, params.environment, route]);
  const answer = state.kind === "ok" && state.value.route === route ? state.value : null;
  const seen = answer?.seen ?? null;
  const isOver = usePolling(reload, {
    ...{ everyMs: askEveryMs, max: asksMax },
    isOn: route !== null && answer !== null && !hasSucceeded(answer),
  });
  const hasFailed = state.kind === "trouble";
  return { seen, isWaiting: !isOver && !hasFailed, isKnown: route === null || answer !== null || hasFailed };
}
