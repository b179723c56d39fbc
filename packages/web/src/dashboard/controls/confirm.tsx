import type { ComponentChildren } from "preact";
import { words } from "../words.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./controls.tsx";

type Props = {
  title: string;
  text: string;
  action: string;
  /** `main` for an action that can be changed back. */
  look?: "danger" | "main";
  /** What the action does, below the text. */
  children?: ComponentChildren;
  onConfirm(): void;
  onClose(): void;
};

/** Asks before something that is hard to undo. Cancel comes first, as in all dialogs, so it has the focus. */
export function Confirm({ title, text, action, look = "danger", children, onConfirm, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {children}
      <div class="row-actions">
        <Button label={words.cancel} onClick={onClose} />
        <Button
          label={action}
          look={look}
          onClick={() => {
            onClose();
            onConfirm();
          }}
        />
      </div>
    </Dialog>
  );
}
