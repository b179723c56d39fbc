/**
 * Every page of the dashboard. To add one: write its screen below `screens/`, name it here, and add its calls to
 * `api.ts`. What they answer is declared in the contract (`dashboard*.ts`), where each names the least role that may
 * make it, and mounted in the service by `mountMember` (`http/dashboard/guard.ts`), with `brandOf` for the brand in
 * question.
 *
 * A page of the account is shown under its path; a page of a brand under `/brands/:brand/:environment/` and its path,
 * and gets both. Those with a `label` stand in the navigation, in this order.
 */
import type { ComponentChildren } from "preact";
import type { BrandPageProps, PageProps } from "./page.tsx";
import { ApprovalsScreen } from "./screens/approvals.tsx";
import { AuditScreen } from "./screens/audit.tsx";
import { BrandsScreen } from "./screens/brands.tsx";
import { ClockScreen } from "./screens/clock.tsx";
import { CompareScreen } from "./screens/compare.tsx";
import { DeliveriesScreen } from "./screens/deliveries.tsx";
import { DeliveryScreen } from "./screens/delivery.tsx";
import { FiguresScreen } from "./screens/figures.tsx";
import { KeysScreen } from "./screens/keys.tsx";
import { LogScreen } from "./screens/log.tsx";
import { MineScreen } from "./screens/mine.tsx";
import { NetworkRulesScreen } from "./screens/network-rules.tsx";
import { NewBrandScreen } from "./screens/new-brand.tsx";
import { OutboxScreen } from "./screens/outbox.tsx";
import { RequestsScreen } from "./screens/requests.tsx";
import { SettingsScreen } from "./screens/settings.tsx";
import { StartScreen } from "./screens/start.tsx";
import { StylingScreen } from "./screens/styling.tsx";
import { TeamScreen } from "./screens/team.tsx";
import { UsageScreen } from "./screens/usage.tsx";
import { WebhooksScreen } from "./screens/webhooks.tsx";
import { words } from "./words.ts";
import { ruleWords } from "./words-rules.ts";
import { watchWords } from "./words-watch.ts";
import { webhookWords } from "./words-webhooks.ts";

type Route<Props> = {
  path: string;
  label?: string;
  /** For pages of a brand: whether it makes sense before production is set up. */
  anyEnvironment?: boolean;
  screen(props: Props): ComponentChildren;
};

/** Where a member begins, and where the product's name leads. */
export const startPath = "/brands";

export const accountRoutes: readonly Route<PageProps>[] = [
  { path: "/brands", label: words.nav.brands, screen: BrandsScreen },
  { path: "/brands/new", screen: NewBrandScreen },
  { path: "/team", label: words.nav.team, screen: TeamScreen },
  { path: "/audit", label: words.nav.audit, screen: AuditScreen },
  { path: "/sandbox/outbox", label: watchWords.nav.outbox, screen: OutboxScreen },
  { path: "/sandbox/clock", label: watchWords.nav.clock, screen: ClockScreen },
  { path: "/me", label: words.nav.mine, screen: MineScreen },
];

export const brandRoutes: readonly Route<BrandPageProps>[] = [
  { path: "start", label: words.nav.start, screen: StartScreen },
  { path: "settings/general", label: words.nav.settings, screen: SettingsScreen },
  { path: "settings/:section", screen: SettingsScreen },
  { path: "requests", label: words.nav.requests, screen: RequestsScreen },
  { path: "styling", label: words.nav.styling, screen: StylingScreen },
  { path: "keys", label: words.nav.keys, screen: KeysScreen },
  { path: "webhooks", label: webhookWords.nav, screen: WebhooksScreen },
  { path: "webhooks/deliveries", screen: DeliveriesScreen },
  { path: "webhooks/deliveries/:delivery", screen: DeliveryScreen },
  { path: "network-rules", label: ruleWords.nav, screen: NetworkRulesScreen },
  { path: "approvals", label: words.nav.approvals, screen: ApprovalsScreen },
  { path: "compare", label: words.nav.compare, screen: CompareScreen },
  { path: "log", label: watchWords.nav.log, screen: LogScreen },
  { path: "figures", label: watchWords.nav.figures, screen: FiguresScreen },
  { path: "usage", label: watchWords.nav.usage, screen: UsageScreen },
];
