import type { Environment } from "@countersign/contract/brand";
import type { Me } from "@countersign/contract/dashboard";
import type { BrandLine } from "@countersign/contract/dashboard-brands";
import { type MemberRole, mayAs } from "@countersign/contract/member";
import { Eye } from "lucide";
import { type ComponentChildren, createContext } from "preact";
import { useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../ui/icon.tsx";
import type { Outcome, Trouble } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { TroubleNotice, zoneName } from "../controls/controls.tsx";
import { words } from "../words.ts";
import { brandsPath, findKeys, Link, lastBrandPath } from "./navigation.tsx";

/** Props of every screen. */
export type PageProps = { me: Me; params: Record<string, string>; reloadMe(): void };
/** Props of a screen of a brand. */
export type BrandPageProps = PageProps & { brand: BrandLine; environment: Environment; reloadBrand(): void };

/** Whether the member's role permits this. The service checks the role again on each call. */
export function may(me: Me, needed: MemberRole): boolean {
  return mayAs(me.member.role, needed);
}

/** The notice for a member who may view a page but not change it. Undefined for the others. */
export function viewOnlyFor(me: Me): string | undefined {
  return may(me, "developer") ? undefined : words.viewOnly.settings;
}

/** Whether this service runs the environment. */
export function isServed({ me, environment }: Pick<BrandPageProps, "me" | "environment">): boolean {
  return me.environments.some((one) => one.environment === environment);
}

/** Both environments, in the order in which a brand uses them. */
export const environmentNames: readonly Environment[] = ["sandbox", "production"];

/**
 * The environment and the page in a path. For account pages, `page` is null, and the environment is the last one,
 * except on pages of the sandbox itself.
 */
export function placeIn(path: string): { environment: Environment; page: string | null } {
  const isOfBrand = /^\/brands\/[^/]+\//.test(path);
  const [, , , name, ...rest] = (isOfBrand || path.startsWith("/sandbox/") ? path : (lastBrandPath() ?? "")).split("/");
  return {
    environment: environmentNames.find((one) => one === name) ?? "sandbox",
    page: isOfBrand ? rest.join("/") : null,
  };
}

/** The brand and environment of the current page. */
export const WhosePage = createContext<{ uuid: string; brand: string; environment: Environment } | null>(null);

type Props = {
  name: string;
  title: string;
  lead?: ComponentChildren;
  /** Tells which role may change the page, if the member's role may not. */
  viewOnly?: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
};

/** A page with a heading. The heading takes the focus on navigation. */
export function Page({ name, title, lead, viewOnly, aside, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const whose = useContext(WhosePage);
  useLayoutEffect(() => {
    document.title = [title, ...(whose === null ? [] : [whose.brand]), words.product].join(" · ");
  }, [title, whose]);
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement?.closest("nav") !== null)
      heading.current?.focus({ preventScroll: true });
  }, [name]);
  return (
    <main id="main" data-step={name} tabIndex={-1}>
      <div class="page-head">
        <div>
          {whose === null ? null : (
            <p class="eyebrow">
              {whose.brand} · <span class="environment">{words.environments[whose.environment]}</span>
            </p>
          )}
          <h1 tabIndex={-1} ref={heading}>
            {title}
          </h1>
          {lead === undefined ? null : <p class="lead">{lead}</p>}
          {viewOnly === undefined ? null : (
            <p class="lead view-only">
              <Icon node={Eye} /> {viewOnly}
            </p>
          )}
        </div>
        {aside}
      </div>
      {children}
      <p class="quiet zone-note">{words.zoneNote(zoneName)}</p>
    </main>
  );
}

/** A link to the first steps, for a page that is empty before the first call. */
export function StartLink({ to }: { to: string }) {
  return (
    <Link to={to} class="button main">
      {words.nav.start}
    </Link>
  );
}

/** For unknown URLs and other accounts' pages. Both look the same, so the page reveals nothing. */
export function MissingPage() {
  const say = words.missingOut;
  const whose = useContext(WhosePage);
  const last = lastBrandPath();
  // Do not link to a brand that does not exist.
  const isOfBrand = last !== null && window.location.pathname.startsWith(last);
  const brandPath = whose !== null ? `/brands/${whose.uuid}/${whose.environment}` : isOfBrand ? null : last;
  return (
    <Page name="missing" title={words.missingTitle} lead={words.trouble.missing}>
      <div class="row-actions">
        {brandPath === null ? null : (
          <Link to={`${brandPath}/overview`} class="button main">
            {whose === null ? say.back : say.start(whose.brand)}
          </Link>
        )}
        <Link to={brandsPath} class={brandPath === null ? "button main" : "button"}>
          {say.brands}
        </Link>
      </div>
      <p class="quiet after find-hint">{say.find(findKeys)}</p>
    </Page>
  );
}

/** Data that loads. `retry` loads it again after an error. */
export type Loaded<Value> = { kind: "loading" } | (Outcome<Value> & { retry?(): void });

/** Loads data on mount and on every change of its dependencies. An older response never replaces a newer one. */
export function useLoad<Value>(
  ask: () => Promise<Outcome<Value>>,
  on: readonly unknown[],
): { state: Loaded<Value>; reload(): Promise<void>; put(value: Value): void } {
  const [state, setState] = useState<Loaded<Value>>({ kind: "loading" });
  const latest = useRef(0);
  const reload = useCallback(async () => {
    latest.current += 1;
    const request = latest.current;
    const outcome = await ask();
    if (request === latest.current) setState({ ...outcome, retry });
  }, on);
  const retry = useCallback(() => {
    setState({ kind: "loading" });
    void reload();
  }, on);
  useEffect(() => {
    setState({ kind: "loading" });
    void reload();
    return () => {
      latest.current += 1;
    };
  }, on);
  return { state, reload, put: (value) => setState({ kind: "ok", value }) };
}

/** Whether a loaded list is empty. Its page then shows the button for the first entry in the middle. */
export function isEmpty(state: Loaded<{ data: readonly unknown[] }>): boolean {
  return state.kind === "ok" && state.value.data.length === 0;
}

type LoadProps<Value> = {
  of: Loaded<Value>;
  /** Shown while it loads, if its content has another shape than a list. */
  bones?: ComponentChildren;
  children(value: Value): ComponentChildren;
};

/** Renders loaded data, or the loading or error state. */
export function Load<Value>({ of: state, bones, children }: LoadProps<Value>) {
  if (state.kind === "loading") return <Loading>{bones}</Loading>;
  if (state.kind === "trouble") return <LoadTrouble trouble={state.trouble} onRetry={state.retry} />;
  return <>{children(state.value)}</>;
}

/** Kinds of errors that another attempt does not change. */
const lasting: ReadonlySet<Trouble["kind"]> = new Set(["signedOut", "other", "forbidden", "missing", "invalid"]);

/** Why a page or a part of it did not load, with a button that loads it again where that can help. */
export function LoadTrouble({ trouble, onRetry }: { trouble: Trouble; onRetry?: (() => void) | undefined }) {
  return (
    <TroubleNotice trouble={trouble}>
      {onRetry === undefined || lasting.has(trouble.kind) ? null : (
        <Button label={words.tryAgain} look="small" onClick={onRetry} />
      )}
    </TroubleNotice>
  );
}

/** Shown until a page's content is loaded, but only if that takes a moment. `children`: its shape, if it is no list. */
export function Loading({ children }: { children?: ComponentChildren }) {
  return (
    <div class="loading" role="status">
      <span class="hidden">{words.loading}</span>
      {children ?? (
        <>
          <div class="bone title" />
          <div class="bone" />
          <div class="bone" />
          <div class="bone" />
        </>
      )}
    </div>
  );
}

/** Runs one action at a time and stores its error. */
export function useAction(): {
  isBusy: boolean;
  trouble: Trouble | null;
  clear(): void;
  fail(trouble: Trouble): void;
  run<Value>(ask: () => Promise<Outcome<Value>>, onDone: (value: Value) => void): Promise<void>;
} {
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  return {
    isBusy,
    trouble,
    clear: () => setTrouble(null),
    fail: setTrouble,
    async run(ask, onDone) {
      if (isBusy) return;
      setBusy(true);
      const outcome = await ask();
      setBusy(false);
      setTrouble(outcome.kind === "ok" ? null : outcome.trouble);
      if (outcome.kind === "ok") onDone(outcome.value);
    },
  };
}
