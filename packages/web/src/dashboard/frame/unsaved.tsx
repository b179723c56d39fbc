import { useEffect, useState } from "preact/hooks";
import { Confirm } from "../controls/confirm.tsx";
import { words } from "../words.ts";
import { guardLeaving } from "./navigation.tsx";

/** Asks before the member leaves a page with unsaved edits. */
export function Unsaved({ isUnsaved }: { isUnsaved: boolean }) {
  const [leave, setLeave] = useState<{ go(): void } | null>(null);
  useEffect(() => {
    guardLeaving(isUnsaved ? (go) => setLeave({ go }) : null);
    return () => guardLeaving(null);
  }, [isUnsaved]);
  if (leave === null) return null;
  const { title, text, action } = words.leaveUnsaved;
  return <Confirm {...{ title, text, action }} onConfirm={leave.go} onClose={() => setLeave(null)} />;
}
