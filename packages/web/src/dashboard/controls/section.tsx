import type { ComponentChildren } from "preact";

type Props = { id: string; title: string; lead?: string; children: ComponentChildren };

/** A part of a page, named by its heading. */
export function Section({ id, title, lead, children }: Props) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {lead === undefined ? null : <p class="quiet">{lead}</p>}
      {children}
    </section>
  );
}
