/** Client-side navigation (decision 12). A page change loads only the data that the page shows. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

/** The first page after sign-in, and the target of the product's name. It leads to the only brand, or to the list. */
export const startPath = "/";
export const brandsPath = "/brands";

/** The keys that open the palette. */
export const findKeys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";

const listeners = new Set<() => void>();
type Guard = (leave: () => void) => void;
/**
 * Asked before the member leaves the page. It calls the given function if the member agrees. Pages with unsaved edits
 * set it.
 */
let guard: Guard | null = null;

/** Sets the guard that asks before the member leaves the page, within the dashboard or to another site. */
export function guardLeaving(next: Guard | null): void {
  guard = next;
}

let shown = currentAddress();

/**
 * The brand and environment of the page, or of the last page that had one: `/brands/…/sandbox`. It is stored in each
 * history entry, so that it survives a reload.
 */
export function lastBrandPath(): string | null {
  const [own] = /^\/brands\/[0-9a-f-]{36}\/(sandbox|production)(?=\/|$)/.exec(window.location.pathname) ?? [];
  const kept: unknown = window.history.state;
  return own ?? (typeof kept === "string" ? kept : null);
}

/** The path and the query of the current page. */
function currentAddress(): string {
  return window.location.pathname + window.location.search;
}

window.addEventListener("popstate", () => {
  if (guard === null) return notify();
  window.history.pushState(null, "", shown);
  guard(() => {
    guardLeaving(null);
    window.history.back();
  });
});
window.addEventListener("beforeunload", (event) => {
  if (guard !== null) event.preventDefault();
});

function notify(): void {
  shown = currentAddress();
  for (const listener of listeners) listener();
}

export function go(path: string): void {
  if (path === currentAddress()) return;
  const leave = () => {
    window.history.pushState(lastBrandPath(), "", path);
    notify();
    window.scrollTo(0, 0);
  };
  if (guard === null) leave();
  else guard(leave);
}

/** Replaces the current history entry, so Back does not return to it. */
export function goInstead(path: string): void {
  window.history.replaceState(lastBrandPath(), "", path);
  notify();
}

export function usePath(): string {
  return useLocation(() => window.location.pathname);
}

/** The query of the URL. It stores what a page shows, for reloads and copied links. */
export function useQuery(): URLSearchParams {
  return new URLSearchParams(useLocation(() => window.location.search));
}

/** Replaces the query of the current page. Omits empty values. */
export function putQuery(values: Readonly<Record<string, string | undefined>>): void {
  goInstead(withQuery(window.location.pathname, values));
}

/** The same with a new history entry, so Back restores the current query. The page does not scroll. */
export function pushQuery(values: Readonly<Record<string, string | undefined>>): void {
  window.history.pushState(lastBrandPath(), "", withQuery(window.location.pathname, values));
  notify();
}

/** A path with a query of all values that are not empty. */
export function withQuery(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value = ""]) => (value === "" ? [] : [[name, value]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

function useLocation(read: () => string): string {
  const [value, setValue] = useState(read);
  useEffect(() => {
    const listener = () => setValue(read());
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return value;
}

type LinkProps = {
  to: string;
  class?: string;
  /** `true` for a link to the current page. `"set"` for the selected link of a group that leads to another page. */
  current?: boolean | "set";
  children: ComponentChildren;
};

/** A link within the dashboard. With a modifier key, the browser handles the click. */
export function Link({ to, class: className, current, children }: LinkProps) {
  return (
    <a
      href={to}
      class={className}
      aria-current={current === true ? "page" : current === "set" ? "true" : undefined}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}

/** The parameters of a path, such as `brand` for `/brands/:brand`. Null if the path does not match. */
export function match(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.replace(/\/+$/, "").split("/");
  const given = path.replace(/\/+$/, "").split("/");
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith(":")) params[part.slice(1)] = value;
    else if (part !== value) return null;
  }
  return params;
}
