import type { ComponentChildren } from "preact";
import { words } from "../words.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./controls.tsx";

type Props = {
  title: string;
  text: string;
  action: string;
  /** What the action does, below the text. */
  children?: ComponentChildren;
  onConfirm(): void;
  onClose(): void;
};

/** Asks before something that cannot be undone. Cancel comes first, because the first button has the focus. */
export function Confirm({ title, text, action, children, onConfirm, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {children}
      <div class="row-actions">
        <Button label={words.cancel} onClick={onClose} />
        <Button
          label={action}
          look="danger"
          onClick={() => {
            onClose();
            onConfirm();
          }}
        />
      </div>
    </Dialog>
  );
}
