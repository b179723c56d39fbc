import type { AccountValue } from "@countersign/contract/account";
import { rowsOf, valueText } from "@countersign/contract/record-words";
import { useLanguage } from "../language.tsx";
import { Masked } from "../values.tsx";
import { useAccountWords } from "./account-frame.tsx";

type Props = { credential: { key?: string; title: string; values: AccountValue[] } };

/** The values of a credential by name. The service masks hidden digits; screen readers hear that they are hidden. */
export function Values({ credential }: Props) {
  const { language } = useAccountWords();
  return (
    <dl class="values">
      {rowsOf(credential, language).map((row) => (
        <div key={`${row.key}:${row.text}`}>
          <dt>{row.title}</dt>
          <dd>
            <Text value={row} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** One value in its usual notation. */
export function Text({ value: { key, text } }: { value: AccountValue }) {
  const { language } = useAccountWords();
  return text.includes("•") ? <Hidden text={text} /> : valueText(key, text, language);
}

function Hidden({ text }: { text: string }) {
  const { words } = useLanguage();
  const shown = text.replace(/\D/g, "");
  return (
    <Masked text={text} spoken={shown === "" ? words.hiddenLabel : `${words.hiddenLabel}, ${words.ending(shown)}`} />
  );
}
