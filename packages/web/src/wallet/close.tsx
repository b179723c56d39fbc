import { useHost } from "./host.ts";
import { useLanguage } from "./language.tsx";

/**
 * The button that closes the frame. Absent outside a frame, where the person leaves the page. `mustReload`: the brand's
 * page cannot continue without a reload.
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
