/** Parts of the frame that the dashboard and the operator's console share. */
import { LogOut, X } from "lucide";
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon, type IconNode } from "../../ui/icon.tsx";
import { Button } from "../controls/button.tsx";
import { words } from "../words.ts";

type IconButtonProps = JSX.IntrinsicElements["button"] & { icon: IconNode; label: string; keys?: string };

/** A button of the top bar. Small screens show only its icon. */
export function IconButton({ icon, label, keys, class: kind = "", ...attributes }: IconButtonProps) {
  return (
    <button
      {...attributes}
      type="button"
      class={`bar-button ${String(kind)}`}
      aria-keyshortcuts={keys && "Control+K Meta+K"}
    >
      <Icon node={icon} />
      <span>{label}</span>
      {keys === undefined ? null : (
        <span class="keys" aria-hidden="true">
          {keys}
        </span>
      )}
    </button>
  );
}

type SheetProps = { who: string; onClose(): void; onSignOut(): void; children: ComponentChildren };

/** The navigation on small screens. A modal dialog traps the focus and closes on Escape and on a click outside. */
export function MenuSheet({ who, onClose, onSignOut, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const sheet = dialog.current;
    const choose = ({ target }: Event) => {
      if (!(target instanceof Element) || target.closest("a") === null) return;
      sheet?.close();
      // The next page's heading takes the focus only if nothing else has it.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    };
    sheet?.addEventListener("click", choose);
    sheet?.showModal();
    return () => sheet?.removeEventListener("click", choose);
  }, []);
  return (
    <dialog ref={dialog} class="sheet" aria-label={words.nav.menu} closedby="any" onClose={onClose}>
      <div class="sheet-head">
        <span class="quiet">{who}</span>
        <IconButton icon={X} label={words.close} onClick={() => dialog.current?.close()} />
      </div>
      <nav class="sheet-body" aria-label={words.nav.menu}>
        {children}
      </nav>
      <div class="sheet-foot">
        <Button icon={LogOut} label={words.signIn.signOut} onClick={onSignOut} />
      </div>
    </dialog>
  );
}
