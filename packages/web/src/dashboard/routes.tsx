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
import { BrandsScreen } from "./screens/brands.tsx";
import { MineScreen } from "./screens/mine.tsx";
import { NewBrandScreen } from "./screens/new-brand.tsx";
import { words } from "./words.ts";

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
  { path: "/me", label: words.nav.mine, screen: MineScreen },
];

export const brandRoutes: readonly Route<BrandPageProps>[] = [];
