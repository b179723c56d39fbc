/** An icon for success or failure. It is decorative, because the text next to it has the same meaning. */
export function Mark({ kind, animated = false }: { kind: "done" | "bad" | "none"; animated?: boolean }) {
  const path = { done: "M17 33l10 10 20-22", bad: "M32 18v18M32 45v1", none: "M20 32h24" }[kind];
  return (
    <svg class={`mark ${kind} ${animated ? "" : "still"}`} viewBox="0 0 64 64" fill="none" aria-hidden="true">
      <circle cx="32" cy="32" r="31" fill="currentColor" opacity="0.13" />
      <path d={path} stroke="currentColor" stroke-width="4.5" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}

/** The product's mark, next to its name. The service serves the picture (`http/mark.ts`). */
export function ProductMark() {
  return <img src="/mark.svg" alt="" width={28} height={28} />;
}
