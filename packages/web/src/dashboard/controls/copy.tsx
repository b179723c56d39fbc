import { Check, Copy } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { words } from "../words.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./controls.tsx";
import { TableBox } from "./table.tsx";

const say = words.shownOnce;

/** `server`: a shell command that runs until it is stopped. */
export type Language = "text" | "sh" | "ts" | "html" | "server";

/** Copies a text. `subject` identifies the text for screen readers. */
export function CopyButton({ text, subject }: { text: string; subject: string }) {
  const { isCopied, copy } = useCopy(text);
  return (
    <Button
      icon={isCopied ? Check : Copy}
      label={isCopied ? say.copied : say.copy}
      subject={subject}
      look="small"
      onClick={copy}
    />
  );
}

/** Maximum number of lines that are shown at first. `start.css` has the same number. */
const linesMax = 14;
/** A text is cut only if it hides at least this many lines. */
const hiddenMin = 4;

type BlockProps = {
  title: string;
  language: Language;
  text: string;
  /** Replaces the copy button while the text is incomplete. */
  instead?: ComponentChildren;
};

/**
 * A text to paste elsewhere, with a copy button. A long one shows its first lines, and a button that shows the rest.
 */
export function CopyBlock({ title, language, text, instead }: BlockProps) {
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  const lines = text.split("\n").length;
  const isLong = lines >= linesMax + hiddenMin;
  return (
    <figure class="copy-block" aria-labelledby={id}>
      <figcaption id={id}>{title}</figcaption>
      {instead ?? <CopyButton text={text} subject={title} />}
      <TableBox class={isLong && !isWhole ? "pasted cut" : "pasted"}>
        <pre>
          <code class={`language-${language}`}>{text}</code>
        </pre>
      </TableBox>
      {isLong ? (
        <Button
          label={isWhole ? say.showFewer : say.showAll(lines)}
          subject={title}
          look="small"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        />
      ) : null}
    </figure>
  );
}

/** A short value, such as an id, with a button that copies it. */
export function CopyValue({ text, subject }: { text: string; subject: string }) {
  return (
    <span class="copy-value">
      <code>{text}</code>
      <CopyButton text={text} subject={subject} />
    </span>
  );
}

/** Shows a secret that cannot be displayed again. The member must save it before closing. */
export function ShownOnce({ title, secret, onClose }: { title: string; secret: string; onClose(): void }) {
  const { isCopied, copy } = useCopy(secret);
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
        <Button label={say.done} onClick={onClose} />
        <Button label={say.copy} look="main" autofocus onClick={copy} />
      </div>
    </Dialog>
  );
}

/** How long a button reports that it copied its text, in milliseconds. */
const copiedMs = 2_000;

/** Copies a text. `isCopied` is true for two seconds afterwards, or stays false if the browser refused. */
export function useCopy(text: string): { isCopied: boolean; copy(): void } {
  const [copied, setCopied] = useState(0);
  useEffect(() => {
    if (copied === 0) return;
    const timer = setTimeout(() => setCopied(0), copiedMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied((times) => times + 1),
      () => setCopied(0),
    );
  };
  return { isCopied: copied > 0, copy };
}
