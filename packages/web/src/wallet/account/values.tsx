import type { AccountValue } from "@countersign/contract/account";
import { valueName, valueText } from "@countersign/contract/record-words";
import { useLanguage } from "../language.tsx";
import { useAccountWords } from "./account-frame.tsx";

/** Values by name. The service masks hidden digits; screen readers hear that they are hidden. */
export function Values({ values }: { values: AccountValue[] }) {
  const { language } = useAccountWords();
  return (
    <dl class="values">
      {values.map(({ key, title, text }) => (
        <div key={`${key}:${text}`}>
          <dt>{valueName(key, title, language)}</dt>
          <dd>
            <Text value={{ key, title, text }} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** One value in its usual notation. */
export function Text({ value: { key, text } }: { value: AccountValue }) {
  const { language } = useAccountWords();
  return text.startsWith("•") ? <Hidden text={text} /> : valueText(key, text, language);
}

function Hidden({ text }: { text: string }) {
  const { words } = useLanguage();
  const shown = text.replace(/•/g, "");
  return (
    <>
      <span class="digits" aria-hidden="true">
        {text}
      </span>
      <span class="hidden">{shown === "" ? words.hiddenLabel : `${words.hiddenLabel}, ${words.ending(shown)}`}</span>
    </>
  );
}
