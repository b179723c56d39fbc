/** Client-side navigation (decision 12). A page change loads only the data that the page shows. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

/** The first page after sign-in, and the target of the product name. */
export const startPath = "/brands";

const listeners = new Set<() => void>();
/** Called before the member leaves a page. A page with unsaved edits replaces it. */
let mayLeave: () => boolean = () => true;
let shown = window.location.pathname;

window.addEventListener("popstate", () => {
  if (mayLeave()) return tell();
  window.history.pushState(null, "", shown);
});
window.addEventListener("beforeunload", (event) => {
  if (unsaved) event.preventDefault();
});
let unsaved = false;

function tell(): void {
  shown = window.location.pathname;
  for (const listener of listeners) listener();
}

export function go(path: string): void {
  if (path === window.location.pathname || !mayLeave()) return;
  window.history.pushState(null, "", path);
  tell();
  window.scrollTo(0, 0);
}

/** Replaces the current history entry, so Back does not return to it. */
export function goInstead(path: string): void {
  window.history.replaceState(null, "", path);
  tell();
}

export function usePath(): string {
  const [path, setPath] = useState(window.location.pathname);
  useEffect(() => {
    const listener = () => setPath(window.location.pathname);
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return path;
}

/** Asks for confirmation before the member leaves a page with unsaved edits. */
export function useUnsaved(isUnsaved: boolean, question: string): void {
  useEffect(() => {
    unsaved = isUnsaved;
    mayLeave = () => !isUnsaved || window.confirm(question);
    return () => {
      unsaved = false;
      mayLeave = () => true;
    };
  }, [isUnsaved, question]);
}

type LinkProps = { to: string; class?: string; current?: boolean; children: ComponentChildren };

/** A link within the dashboard. With a modifier key, the browser handles the click. */
export function Link({ to, class: className, current, children }: LinkProps) {
  return (
    <a
      href={to}
      class={className}
      aria-current={current === true ? "page" : undefined}
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
  const wanted = pattern.split("/");
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
