import { Button } from "../controls/button.tsx";
import { CopyBlock, type Language } from "../controls/copy.tsx";
import { lacksKey } from "./start-snippets.ts";
import { startWords } from "./words-start.ts";

type Props = { title: string; language: Language; text: string };

/** A text to paste. While its key is missing, a button leads to the key field. */
export function Paste(props: Props) {
  return (
    <CopyBlock
      {...props}
      instead={
        lacksKey(props.text) ? (
          <Button label={startWords.key.first} subject={props.title} look="small" onClick={openKeyStep} />
        ) : undefined
      }
    />
  );
}

function openKeyStep(): void {
  const field = document.getElementById("api-key");
  const step = field?.closest("details");
  if (step) step.open = true;
  field?.focus();
}
