/** The product's mark, next to its name. The service serves the picture (`http/mark.ts`). */
export function ProductMark() {
  return <img src="/mark.svg" alt="" width={28} height={28} />;
}
