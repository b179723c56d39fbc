/**
 * Every page of the dashboard. To add a page, write its screen in the folder of its subject and list it here. Its calls
 * come from the contract (`packages/contract/src/dashboard`), which declares the lowest role for each. The service
 * mounts them with `mountMember` (`http/dashboard/guard.ts`) and loads the brand with `brandOf`.
 *
 * An account page has its own path. A brand page has a path below `/brands/:brand/:environment/` and receives both.
 * Pages with a `label` appear in the navigation, by group and in this order. Most pages load at their first visit.
 */
import type { ComponentChildren } from "preact";
import { BrandsScreen } from "./brand/brands.tsx";
import { lazyPage } from "./frame/lazy-page.tsx";
import type { BrandPageProps, PageProps } from "./frame/page.tsx";
import { HomeScreen } from "./overview/home.tsx";
import { words } from "./words.ts";

type Group = keyof typeof words.nav.groups;
export type Route<Props> = {
  path: string;
  label?: string;
  /** The group in the navigation. Pages without a group come first. */
  group?: Group;
  /** For brand pages: whether the page works before production is set up. */
  anyEnvironment?: boolean;
  screen(props: Props): ComponentChildren;
};

const { nav } = words;

// biome-ignore format: a table
export const accountRoutes: readonly Route<PageProps>[] = [
  { path: "/", screen: HomeScreen },
  { path: "/brands", group: "account", label: nav.brands, screen: BrandsScreen },
  { path: "/brands/new", screen: lazyPage(async () => (await import("./brand/new-brand.tsx")).NewBrandScreen) },
  { path: "/team", group: "account", label: nav.team, screen: lazyPage(async () => (await import("./team/team.tsx")).TeamScreen) },
  { path: "/audit", group: "account", label: nav.audit, screen: lazyPage(async () => (await import("./team/audit.tsx")).AuditScreen) },
  { path: "/me", group: "account", label: nav.mine, screen: lazyPage(async () => (await import("./sign-in/account-security.tsx")).AccountSecurityScreen) },
  { path: "/sandbox/outbox", group: "sandbox", label: nav.outbox, screen: lazyPage(async () => (await import("./sandbox/outbox.tsx")).OutboxScreen) },
  { path: "/sandbox/clock", group: "sandbox", label: nav.clock, screen: lazyPage(async () => (await import("./sandbox/clock.tsx")).ClockScreen) },
];

const settings = lazyPage(async () => (await import("./settings/settings.tsx")).SettingsScreen);

// biome-ignore format: a table
export const brandRoutes: readonly Route<BrandPageProps>[] = [
  { path: "overview", label: nav.overview, screen: lazyPage(async () => (await import("./overview/overview.tsx")).OverviewScreen) },
  { path: "start", label: nav.start, screen: lazyPage(async () => (await import("./start/start.tsx")).StartScreen) },
  { path: "settings/general", group: "setUp", label: nav.settings, screen: settings },
  { path: "settings/:section", screen: settings },
  { path: "requests", group: "setUp", label: nav.requests, screen: lazyPage(async () => (await import("./credential-requests/requests.tsx")).RequestsScreen) },
  { path: "styling", group: "setUp", label: nav.styling, screen: lazyPage(async () => (await import("./settings/styling.tsx")).StylingScreen) },
  { path: "keys", group: "setUp", label: nav.keys, screen: lazyPage(async () => (await import("./brand/keys.tsx")).KeysScreen) },
  { path: "webhooks", group: "setUp", label: nav.webhooks, screen: lazyPage(async () => (await import("./webhooks/webhooks.tsx")).WebhooksScreen) },
  { path: "webhooks/deliveries", screen: lazyPage(async () => (await import("./webhooks/deliveries.tsx")).DeliveriesScreen) },
  { path: "webhooks/deliveries/:delivery", screen: lazyPage(async () => (await import("./webhooks/delivery.tsx")).DeliveryScreen) },
  { path: "network-rules", group: "setUp", label: nav.rules, screen: lazyPage(async () => (await import("./rules/network-rules.tsx")).NetworkRulesScreen) },
  { path: "log", group: "reporting", label: nav.log, screen: lazyPage(async () => (await import("./reporting/log.tsx")).LogScreen) },
  { path: "journeys", group: "reporting", label: nav.journeys, screen: lazyPage(async () => (await import("./reporting/journeys.tsx")).JourneysScreen) },
  { path: "journeys/:journey", screen: lazyPage(async () => (await import("./reporting/journey.tsx")).JourneyScreen) },
  { path: "analytics", group: "reporting", label: nav.analytics, screen: lazyPage(async () => (await import("./reporting/analytics.tsx")).AnalyticsScreen) },
  { path: "usage", group: "reporting", label: nav.usage, screen: lazyPage(async () => (await import("./reporting/usage.tsx")).UsageScreen) },
  { path: "approvals", group: "goLive", label: nav.approvals, screen: lazyPage(async () => (await import("./brand/approvals.tsx")).ApprovalsScreen) },
  { path: "compare", group: "goLive", label: nav.compare, screen: lazyPage(async () => (await import("./brand/compare.tsx")).CompareScreen) },
];
