import { useState } from "preact/hooks";
import { Dialog } from "./controls.tsx";
import { words } from "./words.ts";

const say = words.shownOnce;

/** Shows a secret that cannot be displayed again. The member must save it before closing. */
export function ShownOnce({ title, secret, onClose }: { title: string; secret: string; onClose(): void }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{say.lead}</p>
      <p class="secret">
        <code>{secret}</code>
      </p>
      <p class="status" role="status">
        {isCopied ? say.copied : ""}
      </p>
      <div class="row-actions">
        <button type="button" class="button main" onClick={() => void copy()}>
          {say.copy}
        </button>
        <button type="button" class="button" onClick={onClose}>
          {say.done}
        </button>
      </div>
    </Dialog>
  );
}
