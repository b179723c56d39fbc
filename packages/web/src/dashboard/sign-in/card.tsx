import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { ProductMark } from "../../ui/mark.tsx";
import { words } from "../words.ts";

type Props = { name: string; title: string; lead?: string; children: ComponentChildren };

/** The frame of the sign-in screens. */
export function Card({ name, title, lead, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · ${words.product}`;
  }, [title]);
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, [name]);
  return (
    <div class="sign-in">
      <header class="product">
        <ProductMark /> {words.product}
      </header>
      <main data-step={name}>
        <h1 tabIndex={-1} ref={heading}>
          {title}
        </h1>
        {lead === undefined ? null : <p class="lead">{lead}</p>}
        {children}
      </main>
    </div>
  );
}
