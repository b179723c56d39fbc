import type { Environment } from "@countersign/contract/brand";
import type { Me } from "@countersign/contract/dashboard";
import type { BrandLine } from "@countersign/contract/dashboard-brands";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ProductMark } from "../../ui/mark.tsx";
import { api } from "../api.ts";
import { ModeTag } from "../brand/brands.tsx";
import { Button } from "../controls/button.tsx";
import { Notice } from "../controls/controls.tsx";
import { accountRoutes, brandRoutes, type Route } from "../routes.tsx";
import { ClockNote } from "../sandbox/clock-note.tsx";
import { words } from "../words.ts";
import { Link, startPath } from "./navigation.tsx";
import { environmentNames } from "./page.tsx";

let brandNow: BrandLine | null = null;
let onBrand: (brand: BrandLine | null) => void = () => {};

/** Sets the brand whose pages the navigation shows. */
export function showBrand(brand: BrandLine | null): void {
  brandNow = brand;
  onBrand(brand);
}

type Props = { me: Me; path: string; onSignedOut(): void; children: ComponentChildren };

/** The frame around every page: the account, the current brand with its environments, and the sign-out button. */
export function Shell({ me, path, onSignedOut, children }: Props) {
  const [brand, setBrand] = useState(brandNow);
  const [isOpen, setOpen] = useState(false);
  const [isStillIn, setStillIn] = useState(false);
  useEffect(() => {
    onBrand = setBrand;
  }, []);
  useEffect(() => setOpen(false), [path]);
  const signOut = async () => {
    setStillIn(false);
    const outcome = await api.signOutMember();
    if (outcome.kind === "ok" || outcome.trouble.kind === "signedOut") onSignedOut();
    else setStillIn(true);
  };
  return (
    <div class="dash">
      <a class="skip" href="#main">
        {words.skip}
      </a>
      <header class="top-bar">
        <Link to={startPath} class="product">
          <ProductMark /> {words.product}
        </Link>
        <span class="customer">{me.customer.name}</span>
        <Button
          label={words.nav.menu}
          look="small menu-button"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        />
        <div class="who">
          <span class="quiet">{me.member.email}</span>
          <Button label={words.signIn.signOut} look="small" onClick={() => void signOut()} />
        </div>
      </header>
      <nav id="navigation" class={isOpen ? "side open" : "side"} aria-label={words.nav.menu}>
        {brand === null ? null : <BrandNavigation brand={brand} path={path} />}
        <Groups routes={accountRoutes} to={(route) => route} isCurrent={(route) => path === route} />
      </nav>
      <div class="content">
        {isStillIn ? (
          <Notice kind="bad">
            <p>{words.signIn.stillSignedIn}</p>
          </Notice>
        ) : null}
        {isOfSandbox(path) && me.environments.some((one) => one.environment === "sandbox") ? (
          <ClockNote me={me} path={path} />
        ) : null}
        {children}
      </div>
    </div>
  );
}

/** Whether the page shows data of the sandbox. The clock's own page says more than the note. */
function isOfSandbox(path: string): boolean {
  return /^\/brands\/[^/]+\/sandbox\//.test(path) || path === "/sandbox/outbox";
}

function BrandNavigation({ brand, path }: { brand: BrandLine; path: string }) {
  const [, , , here = "sandbox", ...rest] = path.split("/");
  const environment = environmentNames.find((one) => one === here) ?? "sandbox";
  const page = rest.join("/");
  const to = (name: Environment, which: string) => `/brands/${brand.uuid}/${name}/${which}`;
  return (
    <div class="side-brand">
      <p class="side-name">{brand.name}</p>
      {brand.environments.map(({ environment: name, mode }) =>
        name === environment ? <ModeTag key={name} mode={mode} /> : null,
      )}
      <ul class="switch" aria-label={words.environment}>
        {environmentNames.map((name) => (
          <li key={name}>
            <Link to={to(name, page)} current={name === environment}>
              {words.environments[name]}
            </Link>
          </li>
        ))}
      </ul>
      <Groups
        routes={brandRoutes}
        to={(route) => to(environment, route)}
        isCurrent={(route) => page === route || page.startsWith(`${route.split("/")[0]}/`)}
      />
    </div>
  );
}

type GroupsProps = {
  routes: readonly Pick<Route<never>, "path" | "label" | "group">[];
  to(path: string): string;
  isCurrent(path: string): boolean;
};

/** The pages with a label, by group. */
function Groups({ routes, to, isCurrent }: GroupsProps) {
  const groups = [...new Set(routes.flatMap(({ label, group }) => (label === undefined ? [] : [group])))];
  return (
    <>
      {groups.map((group) => (
        <div key={group ?? ""} class="side-group">
          {group === undefined ? null : (
            <p class="side-title" id={`nav-${group}`}>
              {words.nav.groups[group]}
            </p>
          )}
          <ul aria-labelledby={group === undefined ? undefined : `nav-${group}`}>
            {routes.map(({ path, label, group: own }) =>
              label === undefined || own !== group ? null : (
                <li key={path}>
                  <Link to={to(path)} current={isCurrent(path)}>
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
