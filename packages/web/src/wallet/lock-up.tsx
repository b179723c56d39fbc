import { firstLetter } from "@countersign/contract/monogram";

/** The brand's logo, or its first letter if it has none, and the product's mark at its corner. */
export function LockUp({ name, logo, alt }: { name: string; logo?: string; alt: string }) {
  return (
    <span class="lock-up">
      {logo === undefined ? (
        <span class="monogram" aria-hidden="true">
          {firstLetter(name)}
        </span>
      ) : (
        <img src={logo} alt={alt} width={40} height={40} />
      )}
      <img class="by" src="/mark.svg" alt="" width={18} height={18} />
    </span>
  );
}
