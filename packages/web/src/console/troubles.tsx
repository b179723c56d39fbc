import type { ConsoleStatus, EnvironmentStatus } from "@countersign/contract/console-status";
import { mayOperateAs, type OperatorRole } from "@countersign/contract/operator-role";
import {
  BadgeCheck,
  Database,
  DatabaseZap,
  IdCard,
  KeyRound,
  ListTodo,
  MessageSquareWarning,
  Plug,
  ServerCrash,
  ShieldAlert,
  Webhook,
} from "lucide";
import type { ComponentChildren } from "preact";
import { Ago } from "../dashboard/controls/controls.tsx";
import { Link } from "../dashboard/frame/navigation.tsx";
import { Icon, type IconNode } from "../ui/icon.tsx";
import { Calm } from "./calm.tsx";
import type { ScreenProps } from "./screen-props.ts";
import { say as all } from "./words.ts";
import { retentionWords } from "./words-service.ts";
import { durationOf, troubleWords as say } from "./words-status.ts";

type Trouble = {
  key: string;
  icon: IconNode;
  /** Whether somebody loses something now. The others can wait. */
  isUrgent: boolean;
  title: string;
  since?: ComponentChildren;
  /** The page that says more, and the role that it needs. */
  page?: { to: string; label: string; role?: OperatorRole };
  /** The part of the documents that says what to do. */
  guide?: string;
};
type Props = { status: ConsoleStatus } & Pick<ScreenProps, "me">;

/** What is wrong, the most urgent first, each with what to do about it. */
export function Troubles({ status, me }: Props) {
  const found = [...ofService(status), ...status.environments.toReversed().flatMap(ofEnvironment)];
  const troubles = [...found.filter((one) => one.isUrgent), ...found.filter((one) => !one.isUrgent), ...waiting(me)];
  if (troubles.length === 0) return <Calm title={say.nothing} text={say.nothingLead} />;
  return (
    <section class="troubles" aria-labelledby="troubles">
      <h2 id="troubles">
        {say.title} <span class="tag">{troubles.length}</span>
      </h2>
      <ul>
        {troubles.map(({ key, icon, isUrgent, title, since, page, guide }) => (
          <li key={key} class={isUrgent ? "urgent" : undefined}>
            <Icon node={icon} />
            <p>
              <strong>{title}</strong>
              {since === undefined ? null : <span class="quiet"> {since}</span>}
            </p>
            <p class="links">
              {page === undefined || !mayOperateAs(me.operator.role, page.role ?? "support") ? null : (
                <Link to={page.to}>{page.label}</Link>
              )}
              {guide === undefined ? null : (
                <a href={`${me.docsUrl}/operate/monitor#${guide}`} target="_blank" rel="noreferrer">
                  {say.whatToDo}
                  <span class="hidden"> {title}</span>
                </a>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const toVendors = { to: "/vendors", label: say.toVendors, role: "operator" } as const;
const toRetention = { to: "/retention", label: say.toRetention, role: "operator" } as const;

function ofService({ databases, pausedVendors, badCertificates, failingSweeps, isRotating }: ConsoleStatus): Trouble[] {
  return [
    ...databases
      .filter(({ answers }) => !answers)
      .map(({ cell }) => {
        const title = say.databaseAway(cell);
        return { key: title, icon: Database, isUrgent: true, title, guide: "when-a-dependency-is-down" };
      }),
    ...pausedVendors.map((vendor) => {
      const title = say.paused(vendor);
      return { key: title, icon: Plug, isUrgent: true, title, page: toVendors, guide: "countersignvendordown" };
    }),
    ...badCertificates.map((vendor) => {
      const title = say.certificate(vendor);
      return { key: title, icon: ShieldAlert, isUrgent: true, title, page: toVendors, guide: "countersignvendordown" };
    }),
    ...failingSweeps.map(({ sweep, environment }) => {
      const title = say.failing(retentionWords.sweep(sweep), all.environments[environment]);
      const guide = "countersignsweepsfail";
      return { key: title, icon: DatabaseZap, isUrgent: true, title, page: toRetention, guide };
    }),
    ...(isRotating
      ? [{ key: "rotation", icon: KeyRound, isUrgent: false, title: say.rotating, page: toRetention }]
      : []),
  ];
}

/** A job that waited this long is late, in milliseconds. The alert waits a little longer. */
const lateMs = 60_000;
const failedMax = 0.01;
const budgetMax = 0.8;

function ofEnvironment(of: EnvironmentStatus): Trouble[] {
  const { environment, calls, failed, jobs, alarms, signInTexts, failingWebhooks, blockedBrands, now } = of;
  const name = all.environments[environment];
  const toTexts = { to: `/texts?environment=${environment}`, label: say.toTexts };
  const one = (trouble: Omit<Trouble, "key" | "isUrgent"> & { isUrgent?: boolean }): Trouble => ({
    isUrgent: true,
    ...trouble,
    key: `${environment} ${trouble.title}`,
  });
  const hidden = failingWebhooks.count - failingWebhooks.oldest.length;
  return [
    ...(blockedBrands > 0
      ? [one({ icon: IdCard, title: say.blocked(blockedBrands, name), guide: "countersignstateidsmissing" })]
      : []),
    ...(calls > 0 && failed / calls > failedMax
      ? [one({ icon: ServerCrash, title: say.callsFail(failed, calls, name), guide: "countersignerrors" })]
      : []),
    ...(jobs.oldestDueMs > lateMs
      ? [one({ icon: ListTodo, title: say.late(durationOf(jobs.oldestDueMs), name), guide: "countersignjobsstalled" })]
      : []),
    ...(jobs.failed > 0
      ? [one({ icon: ListTodo, title: say.failedJobs(jobs.failed, name), guide: "countersignjobsfailed" })]
      : []),
    ...failingWebhooks.oldest.map(({ brand, brandName, customerName, since }) => ({
      ...one({
        icon: Webhook,
        isUrgent: false,
        title: say.webhook(brandName === customerName ? brandName : `${brandName} (${customerName})`, name),
        since: <Ago at={since} now={now} />,
        page: { to: `/brands/${brand}?environment=${environment}`, label: say.toBrand(brandName) },
        guide: "when-a-dependency-is-down",
      }),
      key: `${brand} ${environment} ${since}`,
    })),
    ...(hidden > 0
      ? [
          one({
            icon: Webhook,
            isUrgent: false,
            title: say.moreWebhooks(hidden, name),
            page: { to: "/customers", label: say.toCustomers },
          }),
        ]
      : []),
    ...(alarms > 0
      ? [
          one({
            icon: MessageSquareWarning,
            isUrgent: false,
            title: say.alarms(alarms, name),
            page: toTexts,
            guide: "countersigntextsunanswered",
          }),
        ]
      : []),
    ...(signInTexts >= budgetMax
      ? [one({ icon: MessageSquareWarning, title: say.budget(name), page: toTexts, guide: "countersignsignintexts" })]
      : []),
  ];
}

function waiting({ waiting: count }: ScreenProps["me"]): Trouble[] {
  if (count === 0) return [];
  const page = { to: "/approvals", label: say.toApprovals };
  return [{ key: "waiting", icon: BadgeCheck, isUrgent: false, title: say.waits(count), page }];
}
