import type { AccountValue } from "@countersign/contract/account";
import { useLanguage } from "../language.tsx";
import { phoneText } from "../phone-field.tsx";

/** Values by name. The service masks hidden digits; screen readers hear that they are hidden. */
export function Values({ values }: { values: AccountValue[] }) {
  const { words } = useLanguage();
  return (
    <dl class="values">
      {values.map(({ key, title, text }) => (
        <div key={`${key}:${text}`}>
          <dt>{words.labels[key] ?? title}</dt>
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
  if (text.startsWith("•")) return <Hidden text={text} />;
  if (key === "phone") return <>{phoneText(text)}</>;
  if (key === "ssn") return <>{text.replace(/^(\d{3})(\d{2})(\d{4})$/, "$1-$2-$3")}</>;
  return <>{text.replace(/^(\d{4})-(\d{2})-(\d{2})$/, "$2/$3/$1")}</>;
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
