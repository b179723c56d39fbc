import type { LogLine } from "@countersign/contract/dashboard-reporting";
import { ChevronDown, ChevronUp, X } from "lucide";
import { useEffect, useRef } from "preact/hooks";
import { Icon, type IconNode } from "../../ui/icon.tsx";
import { api } from "../api.ts";
import { Load, useLoad } from "../frame/page.tsx";
import { words } from "../words.ts";
import { LogDetails } from "./log-details.tsx";
import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.log;

/** The id of a line's button. It gets the focus when the panel closes. */
export const rowId = (line: string) => `call-${line}`;

type Props = {
  params: { brand: string; environment: "sandbox" | "production" };
  apiUrl: string | undefined;
  /** The id of the call. */
  open: string;
  /** The listed calls. Null while they load. */
  lines: readonly LogLine[] | null;
  onShow(line: LogLine): void;
  onClose(): void;
  onUuid(uuid: string): void;
};

/** The details of a call, next to the list. On a phone, they are a separate page. */
export function LogPanel({ params, apiUrl, open, lines, onShow, onClose, onUuid }: Props) {
  const { state } = useLoad(() => api.readLogLine({ params: { ...params, line: open } }), [open]);
  const heading = useRef<HTMLHeadingElement>(null);
  const at = lines?.findIndex(({ id }) => id === open) ?? -1;
  const newer = at < 1 ? undefined : lines?.[at - 1];
  const older = at < 0 ? undefined : lines?.[at + 1];
  const keys = { ArrowUp: newer, ArrowDown: older };
  const latest = useRef({ keys, onShow, onClose, open });
  latest.current = { keys, onShow, onClose, open };
  useEffect(() => {
    heading.current?.focus();
    const press = (event: KeyboardEvent) => {
      const now = latest.current;
      if (isTaken(event)) return;
      if (event.key === "Escape") return now.onClose();
      if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
      event.preventDefault();
      const line = now.keys[event.key];
      if (line !== undefined) now.onShow(line);
    };
    document.addEventListener("keydown", press);
    return () => {
      document.removeEventListener("keydown", press);
      // On a phone, the list is hidden until the panel is removed.
      queueMicrotask(() => document.getElementById(rowId(latest.current.open))?.focus());
    };
  }, []);
  const step = (line: LogLine | undefined) => (line === undefined ? undefined : () => onShow(line));
  return (
    <section class="call-panel" aria-labelledby="call-title">
      <div class="call-head">
        <h2 id="call-title" tabIndex={-1} ref={heading}>
          {say.detailTitle}
        </h2>
        <HeadButton icon={ChevronUp} label={say.newer} onClick={step(newer)} />
        <HeadButton icon={ChevronDown} label={say.older} onClick={step(older)} />
        <HeadButton icon={X} label={words.close} onClick={onClose} />
      </div>
      <Load of={state}>{(detail) => <LogDetails {...{ detail, apiUrl, onUuid, params }} />}</Load>
    </section>
  );
}

/** Whether the focused element handles the key: a field, a scrolling box, or a dialog. */
function isTaken({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || document.querySelector("dialog[open]") !== null) return true;
  return target instanceof Element && target.closest("input, select, textarea, .table-box[tabindex]") !== null;
}

function HeadButton({ icon, label, onClick }: { icon: IconNode; label: string; onClick: (() => void) | undefined }) {
  return (
    <button
      type="button"
      class="button small"
      aria-label={label}
      title={label}
      disabled={onClick === undefined}
      onClick={onClick}
    >
      <Icon node={icon} />
    </button>
  );
}
