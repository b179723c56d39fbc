/** Addresses are paths of the dashboard; going to one asks the server for nothing but what the page shows. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

const listeners = new Set<() => void>();
/** Asked before a page is left; a page with unsaved edits sets it. */
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

/** Takes the place of the address: back does not lead to it again. */
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

/** Asks before edits are left behind. */
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

/** A link within the dashboard; with a modifier key it is any link. */
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

/** The parameters of a path, or null where it is another one: `/brands/:brand` has `brand`. */
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
