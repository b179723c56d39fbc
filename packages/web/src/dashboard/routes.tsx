/**
 * Every page of the dashboard. To add a page, write its screen in `screens/`, list it here, and add its calls to
 * `api.ts`. The contract declares the calls and the lowest role for each (`dashboard*.ts`). The service mounts them
 * with `mountMember` (`http/dashboard/guard.ts`) and loads the brand with `brandOf`.
 *
 * An account page has its own path. A brand page has a path below `/brands/:brand/:environment/` and receives both.
 * Pages with a `label` appear in the navigation, by group and in this order. Most pages load at their first visit.
 */
import type { ComponentChildren } from "preact";
import { later } from "./later.tsx";
import type { BrandPageProps, PageProps } from "./page.tsx";
import { BrandsScreen } from "./screens/brands.tsx";
import { NewBrandScreen } from "./screens/new-brand.tsx";
import { StartScreen } from "./screens/start.tsx";
import { words } from "./words.ts";

export type Group = keyof typeof words.nav.groups;
export type Route<Props> = {
  path: string;
  label?: string;
  /** The group in the navigation. Pages without a group come first. */
  group?: Group;
  /** For brand pages: whether the page works before production is set up. */
  anyEnvironment?: boolean;
  screen(props: Props): ComponentChildren;
};

/** The first page after sign-in, and the target of the product name. */
export const startPath = "/brands";
const { nav } = words;

// biome-ignore format: a table
export const accountRoutes: readonly Route<PageProps>[] = [
  { path: "/brands", group: "account", label: nav.brands, screen: BrandsScreen },
  { path: "/brands/new", screen: NewBrandScreen },
  { path: "/team", group: "account", label: nav.team, screen: later(async () => (await import("./screens/team.tsx")).TeamScreen) },
  { path: "/audit", group: "account", label: nav.audit, screen: later(async () => (await import("./screens/audit.tsx")).AuditScreen) },
  { path: "/me", group: "account", label: nav.mine, screen: later(async () => (await import("./screens/mine.tsx")).MineScreen) },
  { path: "/sandbox/outbox", group: "sandbox", label: nav.outbox, screen: later(async () => (await import("./screens/outbox.tsx")).OutboxScreen) },
  { path: "/sandbox/clock", group: "sandbox", label: nav.clock, screen: later(async () => (await import("./screens/clock.tsx")).ClockScreen) },
];

const settings = later(async () => (await import("./screens/settings.tsx")).SettingsScreen);

// biome-ignore format: a table
export const brandRoutes: readonly Route<BrandPageProps>[] = [
  { path: "start", label: nav.start, screen: StartScreen },
  { path: "settings/general", group: "setUp", label: nav.settings, screen: settings },
  { path: "settings/:section", screen: settings },
  { path: "requests", group: "setUp", label: nav.requests, screen: later(async () => (await import("./screens/requests.tsx")).RequestsScreen) },
  { path: "styling", group: "setUp", label: nav.styling, screen: later(async () => (await import("./screens/styling.tsx")).StylingScreen) },
  { path: "keys", group: "setUp", label: nav.keys, screen: later(async () => (await import("./screens/keys.tsx")).KeysScreen) },
  { path: "webhooks", group: "setUp", label: nav.webhooks, screen: later(async () => (await import("./screens/webhooks.tsx")).WebhooksScreen) },
  { path: "webhooks/deliveries", screen: later(async () => (await import("./screens/deliveries.tsx")).DeliveriesScreen) },
  { path: "webhooks/deliveries/:delivery", screen: later(async () => (await import("./screens/delivery.tsx")).DeliveryScreen) },
  { path: "network-rules", group: "setUp", label: nav.rules, screen: later(async () => (await import("./screens/network-rules.tsx")).NetworkRulesScreen) },
  { path: "log", group: "watch", label: nav.log, screen: later(async () => (await import("./screens/log.tsx")).LogScreen) },
  { path: "figures", group: "watch", label: nav.figures, screen: later(async () => (await import("./screens/figures.tsx")).FiguresScreen) },
  { path: "usage", group: "watch", label: nav.usage, screen: later(async () => (await import("./screens/usage.tsx")).UsageScreen) },
  { path: "approvals", group: "goLive", label: nav.approvals, screen: later(async () => (await import("./screens/approvals.tsx")).ApprovalsScreen) },
  { path: "compare", group: "goLive", label: nav.compare, screen: later(async () => (await import("./screens/compare.tsx")).CompareScreen) },
];
