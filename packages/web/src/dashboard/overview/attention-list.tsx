import { webhookUrgentAfterMs } from "@countersign/contract/dashboard-choices";
import type { Attention, Overview } from "@countersign/contract/dashboard-reporting";
import { BadgeCheck, CircleAlert, CircleCheck, KeyRound, MessageSquareWarning, PenLine, Rocket, Webhook } from "lucide";
import type { ComponentChildren } from "preact";
import { Icon, type IconNode } from "../../ui/icon.tsx";
import { deviceNow } from "../../ui/now.ts";
import { Ago, Time } from "../controls/controls.tsx";
import { Link } from "../frame/navigation.tsx";
import { overviewWords as say } from "./words-overview.ts";

const icons: Readonly<Record<Attention["kind"], IconNode>> = {
  webhookFailing: Webhook,
  textsLimited: MessageSquareWarning,
  noKey: KeyRound,
  productionRefused: CircleAlert,
  nameWaits: PenLine,
  productionWaits: BadgeCheck,
  keyUnused: KeyRound,
  productionNotAsked: Rocket,
};
/** Kinds that cost the brand something now. */
const urgent: ReadonlySet<Attention["kind"]> = new Set([
  "webhookFailing",
  "textsLimited",
  "noKey",
  "productionRefused",
]);

type Props = Pick<Overview, "attention" | "attentionMore" | "now"> & {
  /** The path of the brand in its environment. */
  base: string;
};

/** What needs attention, each with a link to the page where a member can mend it. */
export function AttentionList({ attention, attentionMore, now, base }: Props) {
  return (
    <section class="panel" aria-labelledby="attention">
      <div class="panel-head">
        <h2 id="attention">{say.attention}</h2>
      </div>
      {attention.length === 0 ? (
        <p class="calm">
          <Icon node={CircleCheck} /> {say.calm}
        </p>
      ) : (
        <ul class="attention">
          {attention.map((one, at) => (
            // The list is never reordered, and two entries can be equal.
            <li key={at} class={isUrgent(one, now) ? "urgent" : undefined}>
              <Icon node={icons[one.kind]} />
              <div>
                <p>{titleOf(one)}</p>
                <p class="quiet">
                  <Since of={one} now={now} />
                  <Link to={`${base}/${say.about[one.kind].to}`}>{say.about[one.kind].action}</Link>
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {attentionMore === 0 ? null : <p class="quiet after">{say.more(attentionMore)}</p>}
    </section>
  );
}

function isUrgent(one: Attention, now: number): boolean {
  return urgent.has(one.kind) && !(one.kind === "webhookFailing" && now - one.since < webhookUrgentAfterMs);
}

function titleOf(one: Attention): string {
  const { title } = say.about[one.kind];
  if (one.kind === "webhookFailing") return title(one.address);
  if (one.kind === "nameWaits") return title(one.requested);
  return title(one.kind === "keyUnused" ? `${one.name} (…${one.lastFour})` : "");
}

/** Requests to the operator have real times. The other times are those of the environment, as `now` is. */
function Since({ of: one, now }: { of: Attention; now: number }): ComponentChildren {
  if (one.kind === "textsLimited")
    return (
      <span>
        {say.until} <Time at={one.until} />
      </span>
    );
  if (one.kind === "webhookFailing")
    return (
      <span>
        {say.failingSince} <Time at={one.since} />
      </span>
    );
  if (!("since" in one)) return null;
  const isReal = one.kind.startsWith("production");
  return (
    <span>
      <Ago at={one.since} now={isReal ? deviceNow() : now} />
    </span>
  );
}
