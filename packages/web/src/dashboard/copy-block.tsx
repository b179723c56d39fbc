import { useId, useState } from "preact/hooks";
import { words } from "./words.ts";

/** Text to paste elsewhere, with a copy button. */
export function CopyBlock({ title, text }: { title: string; text: string }) {
  const [isCopied, setCopied] = useState(false);
  const id = useId();
  const copy = async () => {
    await navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <figure class="copy-block" aria-labelledby={id}>
      <figcaption id={id}>{title}</figcaption>
      <button type="button" class="button small" onClick={() => void copy()}>
        {isCopied ? words.shownOnce.copied : words.shownOnce.copy}
        <span class="hidden"> {title}</span>
      </button>
      <pre>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
