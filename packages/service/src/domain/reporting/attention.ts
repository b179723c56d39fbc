/** What a brand's members should look at, from facts that other modules read. */
import { webhookUrgentAfterMs } from "@countersign/contract/dashboard-choices";
import type { Attention, Overview } from "@countersign/contract/dashboard-reporting";
import { dayMs } from "@countersign/contract/time";

/** A key that was not used for this long is shown, in milliseconds. */
const unusedAfterMs = 90 * dayMs;
/** Maximum number of things that are listed. */
const listedMax = 10;

export type Facts = {
  /** The environment's time. */
  now: number;
  webhooks: readonly { address: string; disabledAt: number | null; failingSince: number | null }[];
  /** When the alarms about unanswered texts end. */
  alarmEnds: readonly number[];
  /** The keys that work. */
  keys: readonly { name: string; lastFour: string; createdAt: number; lastUsedAt: number | null }[];
  /** Whether a member can create a key: in production only after the operator has approved the brand. */
  mayHaveKeys: boolean;
  waitingNames: readonly { requested: string; requestedAt: number }[];
  production: {
    isApproved: boolean;
    /** Whether the sandbox has a shared 1-Click, so that the brand can go on. */
    isTried: boolean;
    request: { at: number; refusedAt: number | null } | null;
  };
};

/** What needs attention, the most urgent kinds first. */
export function attentionOf(facts: Facts): Pick<Overview, "attention" | "attentionMore"> {
  const { now, webhooks, alarmEnds, keys, mayHaveKeys, waitingNames } = facts;
  const until = Math.max(0, ...alarmEnds);
  const all: Attention[] = [
    ...webhooks.flatMap(({ address, disabledAt, failingSince: since }) =>
      disabledAt === null && since !== null ? [{ kind: "webhookFailing" as const, address, since }] : [],
    ),
    ...(until > now ? [{ kind: "textsLimited" as const, until }] : []),
    ...(keys.length === 0 && mayHaveKeys ? [{ kind: "noKey" as const }] : []),
    ...waitingNames.map(({ requested, requestedAt: since }) => ({ kind: "nameWaits" as const, requested, since })),
    ...productionOf(facts.production),
    ...keys.flatMap(({ name, lastFour, createdAt, lastUsedAt }) => {
      const since = lastUsedAt ?? createdAt;
      return now - since >= unusedAfterMs ? [{ kind: "keyUnused" as const, name, lastFour, since }] : [];
    }),
  ];
  const isNew = (one: Attention) => one.kind === "webhookFailing" && now - one.since < webhookUrgentAfterMs;
  // A new failure may pass, but it costs events now. It comes before what only waits.
  const rankOf = (one: Attention) => urgency.indexOf(isNew(one) ? "nameWaits" : one.kind);
  const order = all.toSorted((a, b) => rankOf(a) - rankOf(b));
  return { attention: order.slice(0, listedMax), attentionMore: Math.max(0, order.length - listedMax) };
}

const urgency: readonly Attention["kind"][] = [
  "webhookFailing",
  "textsLimited",
  "noKey",
  "productionRefused",
  "nameWaits",
  "productionWaits",
  "keyUnused",
  "productionNotAsked",
];

function productionOf({ isApproved, isTried, request }: Facts["production"]): Attention[] {
  if (isApproved) return [];
  if (request === null) return isTried ? [{ kind: "productionNotAsked" }] : [];
  return request.refusedAt === null
    ? [{ kind: "productionWaits", since: request.at }]
    : [{ kind: "productionRefused", since: request.refusedAt }];
}
