import { CircleCheck } from "lucide";
import type { ComponentChildren } from "preact";
import { Icon } from "../ui/icon.tsx";

type Props = { title: string; text: string; role?: "status"; children?: ComponentChildren };

/** Says that nothing has to be done here. */
export function Calm({ title, text, role, children }: Props) {
  return (
    <section class="calm-note" role={role}>
      <Icon node={CircleCheck} />
      <div>
        <h2>{title}</h2>
        <p class="quiet">{text}</p>
        {children}
      </div>
    </section>
  );
}
