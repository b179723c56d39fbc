import type { Environment } from "@countersign/contract/brand";
import type { Me } from "@countersign/contract/dashboard";
import type { BrandLine } from "@countersign/contract/dashboard-brands";
import {
  BadgeCheck,
  ChartColumn,
  ChevronsUpDown,
  Clock,
  FileClock,
  GitCompare,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  LockKeyhole,
  LogOut,
  Menu,
  MessageSquareText,
  Network,
  Palette,
  ReceiptText,
  Rocket,
  ScrollText,
  Search,
  Settings,
  Store,
  Users,
  Waypoints,
  Webhook,
} from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { Icon, type IconNode } from "../../ui/icon.tsx";
import { ProductMark } from "../../ui/mark.tsx";
import { api } from "../api.ts";
import { ModeTag } from "../brand/brands.tsx";
import { Notice } from "../controls/controls.tsx";
import { accountRoutes, brandRoutes, type Route } from "../routes.tsx";
import { words } from "../words.ts";
import { IconButton, MenuSheet } from "./menu-sheet.tsx";
import { useNavBrand } from "./nav-brand.ts";
import { findKeys, Link, startPath } from "./navigation.tsx";
import { environmentNames, placeIn } from "./page.tsx";
import type { PaletteProps } from "./palette.tsx";
import { SomeoneElseNotice } from "./someone-else.tsx";

type Props = { me: Me; path: string; onSignedOut(): void; children: ComponentChildren };

/** The frame around every page: the account, the current brand with its environments, and the sign-out button. */
export function Shell({ me, path, onSignedOut, children }: Props) {
  const brand = useNavBrand(me, path);
  const [isOpen, setOpen] = useState(false);
  const [isStillIn, setStillIn] = useState(false);
  const { palette, openPalette } = usePalette({ brand, path });
  useEffect(() => setOpen(false), [path]);
  const signOut = async () => {
    setOpen(false);
    setStillIn(false);
    const outcome = await api.signOutMember();
    if (outcome.kind === "ok" || outcome.trouble.kind === "signedOut") onSignedOut();
    else setStillIn(true);
  };
  const switchBrand = () => {
    setOpen(false);
    openPalette("brands");
  };
  const hasClock = isOfSandbox(path) && me.environments.some((one) => one.environment === "sandbox");
  const Pill = useClockPill(hasClock);
  // Production looks different on every page, so that nobody mistakes it for the sandbox.
  const isLive = brand !== null && placeIn(path).environment === "production";
  const navigation = (place: string) => <Navigation {...{ place, brand, path }} onSwitch={switchBrand} />;
  return (
    <div class={isLive ? "dash live" : "dash"}>
      <a class="skip" href="#main">
        {words.skip}
      </a>
      <header class="top-bar">
        <Link to={startPath} class="product">
          <ProductMark /> {words.product}
        </Link>
        <span class="customer">{me.customer.name}</span>
        <IconButton icon={Search} label={words.nav.find} keys={findKeys} onClick={() => openPalette("all")} />
        {hasClock && Pill !== null ? <Pill me={me} path={path} /> : null}
        <div class="who">
          <span class="quiet">{me.member.email}</span>
          <IconButton icon={LogOut} label={words.signIn.signOut} onClick={() => void signOut()} />
        </div>
        <IconButton
          icon={Menu}
          label={words.nav.menu}
          class="menu-button"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        />
      </header>
      <nav class="side" aria-label={words.nav.menu}>
        {navigation("side")}
      </nav>
      {isOpen ? (
        <MenuSheet who={me.member.email} onClose={() => setOpen(false)} onSignOut={() => void signOut()}>
          {navigation("sheet")}
        </MenuSheet>
      ) : null}
      <div class="content">
        <SomeoneElseNotice />
        {isStillIn ? (
          <Notice kind="bad">
            <p>{words.signIn.stillSignedIn}</p>
          </Notice>
        ) : null}
        {children}
      </div>
      {palette}
    </div>
  );
}

/** The palette. A button or a key opens it and loads its script. */
function usePalette(props: Pick<PaletteProps, "brand" | "path">) {
  const [kind, setKind] = useState<PaletteProps["kind"] | null>(null);
  const [Palette, setPalette] = useState<{ screen(props: PaletteProps): ComponentChildren } | null>(null);
  const [typed, setTyped] = useState("");
  const openPalette = (wanted: PaletteProps["kind"]) => {
    setTyped("");
    setKind(wanted);
    import("./palette.tsx").then(
      ({ Palette: screen }) => setPalette({ screen }),
      () => setKind(null),
    );
  };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      // An open dialog handles the keyboard.
      if (document.querySelector("dialog[open]") === null) openPalette("all");
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  // Letters that are typed while the script loads are for the palette's field.
  const isOpening = kind !== null && Palette === null;
  useLayoutEffect(() => {
    if (!isOpening) return;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key !== "Backspace" && event.key.length !== 1) return;
      event.preventDefault();
      setTyped((text) => (event.key === "Backspace" ? text.slice(0, -1) : text + event.key));
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [isOpening]);
  const palette =
    kind === null || Palette === null ? null : (
      <Palette.screen {...props} kind={kind} typed={typed} onClose={() => setKind(null)} />
    );
  return { palette, openPalette };
}

type Pill = typeof import("../sandbox/clock-pill.tsx").ClockPill;

/** The notice that the sandbox's clock has moved. Its script loads at the first sandbox page. */
function useClockPill(isWanted: boolean): Pill | null {
  const [loaded, setLoaded] = useState<{ pill: Pill } | null>(null);
  useEffect(() => {
    if (!isWanted || loaded !== null) return;
    import("../sandbox/clock-pill.tsx").then(
      ({ ClockPill: pill }) => setLoaded({ pill }),
      () => {},
    );
  }, [isWanted]);
  return loaded?.pill ?? null;
}

/** Whether the page shows sandbox data. The clock's own page needs no notice. */
function isOfSandbox(path: string): boolean {
  return /^\/brands\/[^/]+\/sandbox\//.test(path) || path === "/sandbox/outbox";
}

type NavigationProps = { place: string; brand: BrandLine | null; path: string; onSwitch(): void };

/** Every page, by group. `place` makes ids unique, because small screens render the navigation twice. */
function Navigation({ place, brand, path, onSwitch }: NavigationProps) {
  const isProduction = brand !== null && placeIn(path).environment === "production";
  const routes = accountRoutes.filter(({ group }) => !(isProduction && group === "sandbox"));
  return (
    <>
      <button type="button" class="side-name" onClick={onSwitch}>
        <span class="hidden">{words.nav.switchBrand}: </span>
        <span>{brand?.name ?? words.nav.chooseBrand}</span>
        <Icon node={ChevronsUpDown} />
      </button>
      {brand === null ? null : <BrandNavigation brand={brand} path={path} place={place} />}
      <Groups place={place} routes={routes} to={(route) => route} isCurrent={(route) => path === route} />
    </>
  );
}

type BrandNavigationProps = { brand: BrandLine; path: string; place: string };

function BrandNavigation({ brand, path, place }: BrandNavigationProps) {
  const { environment, page } = placeIn(path);
  const to = (name: Environment, which: string) => `/brands/${brand.uuid}/${name}/${which}`;
  const isCurrent = (route: string) => page === route || page?.startsWith(`${route.split("/")[0]}/`) === true;
  return (
    <div class="side-brand">
      {brand.environments.map(({ environment: name, mode }) =>
        name === environment ? <ModeTag key={name} mode={mode} /> : null,
      )}
      <ul class="switch" aria-label={words.environment}>
        {environmentNames.map((name) => (
          <li key={name}>
            <Link to={to(name, page ?? "overview")} current={name === environment && (page === null ? "set" : true)}>
              {words.environments[name]}
            </Link>
          </li>
        ))}
      </ul>
      <Groups place={place} routes={brandRoutes} to={(route) => to(environment, route)} isCurrent={isCurrent} />
    </div>
  );
}

type GroupsProps = {
  place: string;
  routes: readonly Pick<Route<never>, "path" | "label" | "group">[];
  to(path: string): string;
  isCurrent(path: string): boolean;
};

/** The pages with a label, by group. */
function Groups({ place, routes, to, isCurrent }: GroupsProps) {
  const groups = [...new Set(routes.flatMap(({ label, group }) => (label === undefined ? [] : [group])))];
  return (
    <>
      {groups.map((group) => (
        <div key={group ?? ""} class="side-group">
          {group === undefined ? null : (
            <p class="side-title" id={`${place}-${group}`}>
              {words.nav.groups[group]}
            </p>
          )}
          <ul aria-labelledby={group === undefined ? undefined : `${place}-${group}`}>
            {routes.map(({ path, label, group: own }) =>
              label === undefined || own !== group ? null : (
                <li key={path}>
                  <Link to={to(path)} current={isCurrent(path)}>
                    <Icon node={navIcons[path] ?? Menu} />
                    {label}
                  </Link>
                </li>
              ),
            )}
          </ul>
        </div>
      ))}
    </>
  );
}

/** The icon of each page in the navigation, by the page's path. */
const navIcons: Readonly<Record<string, IconNode>> = {
  overview: LayoutDashboard,
  start: Rocket,
  "settings/general": Settings,
  requests: ListChecks,
  styling: Palette,
  keys: KeyRound,
  webhooks: Webhook,
  "network-rules": Network,
  log: ScrollText,
  journeys: Waypoints,
  analytics: ChartColumn,
  usage: ReceiptText,
  approvals: BadgeCheck,
  compare: GitCompare,
  "/brands": Store,
  "/team": Users,
  "/audit": FileClock,
  "/me": LockKeyhole,
  "/sandbox/outbox": MessageSquareText,
  "/sandbox/clock": Clock,
};
