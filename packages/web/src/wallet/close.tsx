import { useHost } from "./host.ts";
import { useLanguage } from "./language.tsx";

/**
 * Closes the frame at its end. Absent outside a frame, where the person leaves the page itself. `brand`: the person can
 * continue on the brand's page, which the frame is in.
 */
export function Close({ brand }: { brand: string | undefined }) {
  const { words } = useLanguage();
  const { close } = useHost();
  if (close === undefined) return null;
  return (
    <button type="button" class="button main" onClick={close}>
      {brand === undefined ? words.close : words.continueAt(brand)}
    </button>
  );
}
