import type { AccountView, Share, SharedField } from "@countersign/contract/account";
import { valueName } from "@countersign/contract/names";
import { useRef, useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { CallButton } from "../call-button.tsx";
import { inlineTrouble, useLanguage } from "../language.tsx";
import { Problem } from "../status.tsx";
import { accountApi } from "./account-api.ts";
import { AccountFrame, useAccountWords } from "./account-frame.tsx";

type Props = {
  brand: string;
  share: Share;
  field: SharedField;
  onBack(): void;
  onView(view: AccountView, said: string): void;
  onOver(code: string): void;
};

/** Corrects a value. Only the parts that the person entered can be changed. */
export function EditScreen({ brand, share, field, onBack, onView, onOver }: Props) {
  const { words } = useLanguage();
  const { say, language } = useAccountWords();
  const own = field.values.filter(({ key }) => field.correctable.includes(key));
  const [typed, setTyped] = useState<Record<string, string>>(
    Object.fromEntries(own.map(({ key, text }) => [key, text])),
  );
  const [problems, setProblems] = useState<string[]>([]);
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const single = field.correctable[0] === field.key ? field.key : null;
  const submit = async () => {
    const value = single === null ? typed : (typed[single] ?? "");
    setBusy(true);
    const outcome = await accountApi.correctValue({ params: { uuid: share.uuid }, body: { key: field.key, value } });
    setBusy(false);
    if (outcome.kind === "ok") return onView(outcome.value, say.corrected);
    const { code, problems: found } = outcome.trouble;
    if (code === "OVER") return onOver(code);
    const keys = own.map(({ key }) => key);
    const wrong = keys.filter((key) => found.some(({ path }) => path.endsWith(single === null ? `.${key}` : "value")));
    setProblems(wrong);
    setTrouble(wrong.length > 0 || code === "ERR001" ? say.badValue : inlineTrouble(words, code));
    form.current?.querySelector("input")?.focus();
  };
  return (
    <AccountFrame step="edit" title={say.correctTitle} onBack={onBack}>
      <p class="lead">{say.correctText(brand)}</p>
      <Form ref={form} onSubmit={submit}>
        {own.map(({ key, title }) => (
          <Field
            key={key}
            id={`edit-${key}`}
            label={valueName(key, title, language)}
            error={problems.includes(key) ? say.badValue : undefined}
            input={{
              type: "text",
              autoComplete: "off",
              maxLength: 200,
              value: typed[key] ?? "",
              onInput: (event) => setTyped({ ...typed, [key]: event.currentTarget.value }),
            }}
          />
        ))}
        {problems.length > 0 ? null : <Problem text={trouble} />}
        <div class="actions pair">
          <CallButton type="submit" class="button main" busy={isBusy ? words.working : undefined}>
            {say.save}
          </CallButton>
          <button type="button" class="button" onClick={onBack}>
            {words.cancel}
          </button>
        </div>
      </Form>
    </AccountFrame>
  );
}
