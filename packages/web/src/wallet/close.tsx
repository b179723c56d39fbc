import { useHost } from "./host.ts";
import { useLanguage } from "./language.tsx";

/** Closes the frame at its end. Absent outside a frame, where the person leaves the page itself. */
export function Close() {
  const { words } = useLanguage();
  const { close } = useHost();
  if (close === undefined) return null;
  return (
    <button type="button" class="button main" onClick={close}>
      {words.close}
    </button>
  );
}
