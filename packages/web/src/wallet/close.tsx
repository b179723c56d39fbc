import { useHost } from "./host.ts";
import { useLanguage } from "./language.tsx";

/**
 * Closes the frame at its end. Absent outside a frame, where the person leaves the page itself. `mustReload`: the person
 * can't continue on the brand's page as it is.
 */
export function Close({ mustReload = false }: { mustReload?: boolean }) {
  const { words } = useLanguage();
  const { close } = useHost();
  if (close === undefined) return null;
  return (
    <button type="button" class="button main" onClick={close}>
      {mustReload ? words.close : words.proceed}
    </button>
  );
}
