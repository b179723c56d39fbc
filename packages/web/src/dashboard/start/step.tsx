import { Check } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../../ui/icon.tsx";
import { startWords } from "./words-start.ts";

export type StepState = "done" | "next" | "later" | "optional";
const looks: Readonly<Record<StepState, string>> = { done: "tag good", next: "tag", later: "tag", optional: "tag" };

type Props = {
  id: string;
  place: number;
  title: string;
  state: StepState;
  /** The result, which is shown while the completed step is folded. */
  done: string | undefined;
  /** Shown below the step, even while it is folded. */
  status?: ComponentChildren;
  children: ComponentChildren;
};

/** A step. The next one is open; the others are folded. */
export function Step({ id, place, title, state, done, status, children }: Props) {
  const [toggled, setToggled] = useState<boolean | null>(null);
  useEffect(() => setToggled(null), [state]);
  const isOpen = toggled ?? state === "next";
  return (
    <li class={`step ${state === "optional" ? "later" : state}`}>
      <span class="step-mark" aria-hidden="true">
        {state === "done" ? <Icon node={Check} /> : place}
      </span>
      <details
        open={isOpen}
        onToggle={({ currentTarget: { open } }) => {
          if (open !== isOpen) setToggled(open);
        }}
      >
        <summary>
          <h2 id={id}>{title}</h2> <span class={looks[state]}>{startWords.states[state]}</span>
        </summary>
        {children}
      </details>
      {state !== "done" || isOpen || done === undefined ? null : <p class="quiet step-done">{done}</p>}
      {status}
    </li>
  );
}
