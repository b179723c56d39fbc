/** What the dashboard and the console do if someone else than the person whom they show is signed in by now. */
import { useState } from "preact/hooks";
import { Button } from "../controls/button.tsx";
import { Notice } from "../controls/controls.tsx";
import { words } from "../words.ts";
import { guardLeaving, startPath } from "./navigation.tsx";

/** Marks the history entry, which survives the reload. */
const mark = "someoneElse";
let isMarked = takeMark();

function takeMark(): boolean {
  const { state } = window.history;
  const isHere = typeof state === "object" && state !== null && mark in state;
  // The member's own reload does not repeat the message.
  if (isHere) window.history.replaceState(null, "");
  return isHere;
}

/** Reloads at the start page, which shows who is signed in. A reload clears what the page kept, such as API keys. */
export function showSomeoneElse(): void {
  guardLeaving(null);
  window.history.replaceState({ [mark]: true }, "", startPath);
  window.location.reload();
}

/** Says after such a reload why the page shows someone else. */
export function SomeoneElseNotice() {
  const [isOpen, setOpen] = useState(isMarked);
  if (!isOpen) return null;
  const close = () => {
    isMarked = false;
    setOpen(false);
  };
  return (
    <Notice kind="good">
      <p>{words.trouble.other}</p>
      <Button label={words.close} look="small" onClick={close} />
    </Notice>
  );
}
