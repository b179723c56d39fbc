import { useId } from "preact/hooks";
import { Icon, type IconNode } from "../../ui/icon.tsx";

type Item = { label: string; subject: string; onClick(): void };
type Props = { icon: IconNode; label: string; items: readonly Item[] };

/** A button with a menu of further actions. The browser closes the menu on Escape and on a click elsewhere. */
export function Menu({ icon, label, items }: Props) {
  const id = useId();
  return (
    <>
      <button type="button" class="button small menu-button" aria-label={label} title={label} popovertarget={id}>
        <Icon node={icon} />
      </button>
      <div id={id} popover="auto" class="menu">
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            class="menu-item"
            popovertarget={id}
            popovertargetaction="hide"
            onClick={item.onClick}
          >
            {item.label}
            <span class="hidden"> {item.subject}</span>
          </button>
        ))}
      </div>
    </>
  );
}
