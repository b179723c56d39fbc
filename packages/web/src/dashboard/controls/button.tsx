import type { JSX } from "preact";
import { Icon, type IconNode } from "../../ui/icon.tsx";

type Props = Omit<JSX.IntrinsicElements["button"], "class" | "label" | "about"> & {
  label: string;
  /** What the button acts on, such as the name of its row. Only screen readers get it. */
  subject?: string;
  icon?: IconNode;
  look?: "main" | "small" | "danger" | "small danger" | "small menu-button" | "fold-button" | "live" | "live on" | "";
  isBusy?: boolean;
};

/** A button with a text. It submits its form only with `type="submit"`. */
export function Button({ label, subject, icon, look = "", isBusy = false, type = "button", ...attributes }: Props) {
  return (
    <button {...attributes} type={type} class={`button ${look} ${isBusy ? "busy" : ""}`}>
      {icon === undefined ? null : <Icon node={icon} />}
      {label}
      {subject === undefined ? null : <span class="hidden"> {subject}</span>}
    </button>
  );
}
