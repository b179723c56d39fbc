import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { ProductMark } from "../../ui/mark.tsx";
import { words } from "../words.ts";

type Props = {
  name: string;
  title: string;
  lead?: ComponentChildren;
  /** A word beside the product's name. */
  tag?: string;
  /** Replaces the picture beside the form. */
  aside?: ComponentChildren;
  children: ComponentChildren;
};

/** The frame of the sign-in screens. */
export function Card({ name, title, lead, tag, aside, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · ${words.product}`;
  }, [title]);
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, [name]);
  return (
    <div class="sign-in">
      <div class="sign-in-card">
        <div class="sign-in-form">
          <header class="product">
            <ProductMark /> {words.product} {tag === undefined ? null : <span class="tag accent">{tag}</span>}
          </header>
          <main data-step={name}>
            <h1 tabIndex={-1} ref={heading}>
              {title}
            </h1>
            {lead === undefined ? null : <p class="lead">{lead}</p>}
            {children}
          </main>
        </div>
        <aside class="sign-in-picture">
          {aside ?? (
            <>
              <Picture />
              <p class="picture-title">{words.signIn.pictureTitle}</p>
              <p class="quiet">{words.signIn.pictureLead}</p>
            </>
          )}
        </aside>
      </div>
    </div>
  );
}

/** The lines of the drawn form: the width of what was found, and whether the person shares it. */
const drawn = [
  { y: 86, width: 74, isShared: true },
  { y: 116, width: 92, isShared: true },
  { y: 146, width: 58, isShared: true },
  { y: 176, width: 82, isShared: false },
] as const;

/** A drawing of the person's form, in which the person chooses what to share. */
function Picture() {
  return (
    <svg viewBox="0 0 240 260" fill="none" aria-hidden="true">
      <rect
        x="44"
        y="14"
        width="152"
        height="232"
        rx="20"
        fill="var(--background)"
        stroke="var(--line)"
        stroke-width="2"
      />
      <rect x="62" y="36" width="28" height="28" rx="8" fill="var(--primary)" />
      <path
        d="m70 50 4.5 4.5L83 46"
        stroke="var(--on-fill)"
        stroke-width="3"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
      <rect x="98" y="40" width="60" height="8" rx="4" fill="var(--text)" opacity=".75" />
      <rect x="98" y="54" width="40" height="6" rx="3" fill="var(--muted)" opacity=".5" />
      {drawn.map(({ y, width, isShared }) => (
        <g key={y}>
          <rect x="62" y={y} width={width} height="7" rx="3.5" fill="var(--muted)" opacity={isShared ? ".6" : ".3"} />
          <rect x="160" y={y - 4} width="24" height="14" rx="7" fill={isShared ? "var(--primary)" : "var(--line)"} />
          <circle cx={isShared ? 177 : 167} cy={y + 3} r="5" fill="var(--background)" />
        </g>
      ))}
      <rect x="62" y="208" width="122" height="22" rx="8" fill="var(--primary)" />
      <rect x="104" y="216" width="38" height="6" rx="3" fill="var(--on-fill)" />
    </svg>
  );
}
