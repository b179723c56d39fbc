import { consentTexts } from "@countersign/contract/consent";
import { firstLetter } from "@countersign/contract/monogram";
import { plainText } from "@countersign/contract/typed-text";
import type { Insurance, PageView } from "@countersign/contract/wallet";
import { useEffect, useRef, useState } from "preact/hooks";
import { Choose, type Option } from "../../ui/choose.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { api, type Body, bySession, type Outcome } from "../api.ts";
import { CallButton } from "../call-button.tsx";
import { ConsentPiece, onView, useConsent } from "../consent.tsx";
import { inlineTrouble, useLanguage } from "../language.tsx";
import { Alert, Problem, Progress } from "../status.tsx";
import { Masked } from "../values.tsx";

type Plan = NonNullable<Insurance["plans"]>[number];
type Props = {
  session: string;
  view: PageView;
  plans: Plan[];
  onOutcome(outcome: Outcome<PageView>): void;
  children: preact.ComponentChildren;
};
type Problems = { insurer?: string; memberId?: string };

/** The found plans, and fields for another plan. */
export function PlansForm({ session, view, plans, onOutcome, children }: Props) {
  const { words } = useLanguage();
  // No plan is preselected. If none was found, the person enters one.
  const [chosen, setChosen] = useState(plans.length === 0 ? 0 : undefined);
  const [insurer, setInsurer] = useState<Option | null>(null);
  const [memberId, setMemberId] = useState("");
  const [problems, setProblems] = useState<Problems>({});
  const [isUnchosen, setUnchosen] = useState(false);
  const { pieces, shown } = useConsent(consentTexts.insurance);
  const sending = useSending({ session, onOutcome });
  const isTyping = chosen === plans.length;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(problems).length > 0) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [problems]);
  const choose = (index: number) => {
    setChosen(index);
    setUnchosen(false);
  };
  const share = () => {
    setUnchosen(chosen === undefined);
    if (chosen === undefined) return form.current?.querySelector<HTMLElement>("input[type=radio]")?.focus();
    if (!isTyping) return void sending.send({ plan: chosen, consent: onView(shown, view) });
    const found: Problems = {
      ...(insurer === null ? { insurer: words.insurerMissing } : {}),
      ...(/^[A-Za-z0-9][A-Za-z0-9 -]{0,79}$/.test(plainText(memberId)) ? {} : { memberId: words.memberIdUnread }),
    };
    setProblems(found);
    if (insurer !== null && found.memberId === undefined)
      void sending.send({ payerId: insurer.value, memberId: plainText(memberId), consent: onView(shown, view) });
  };
  const count = Object.keys(problems).length;
  return (
    <Form ref={form} onSubmit={share}>
      {plans.length === 0 ? null : (
        <fieldset class="plans">
          <legend class="hidden">{words.plansLabel}</legend>
          {plans.map((plan, index) => (
            <PlanChoice key={index} plan={plan} isChosen={index === chosen} onChoose={() => choose(index)} />
          ))}
          <label class="choice other-plan">
            <input type="radio" name="plan" checked={isTyping} onChange={() => choose(plans.length)} />
            <span class="value">{words.otherPlan}</span>
          </label>
        </fieldset>
      )}
      {isTyping ? (
        <>
          <Choose
            id="insurer"
            label={words.insurer}
            hint={words.insurerHint}
            error={problems.insurer}
            found={words.insurersFound}
            failed={words.insurersFailed}
            search={searchInsurers}
            onChoose={(option) => {
              setInsurer(option);
              if (option !== null && problems.insurer !== undefined) setProblems({ memberId: problems.memberId });
            }}
          />
          <Field
            id="memberId"
            label={words.memberId}
            hint={words.memberIdHint}
            error={problems.memberId}
            input={{
              type: "text",
              autoComplete: "off",
              autoCapitalize: "characters",
              spellcheck: false,
              value: memberId,
              onInput: (event) => setMemberId(event.currentTarget.value),
            }}
          />
        </>
      ) : null}
      <p class="fine" id="consent" data-consent>
        <ConsentPiece piece={pieces.text} brand={view.brand.name} />
      </p>
      <Progress text={sending.isSending ? words.sharing : undefined} />
      <Alert text={count === 0 ? undefined : words.fixFields(count)} />
      <div class="actions">
        <CallButton
          type="submit"
          class="button main"
          aria-describedby="consent"
          busy={sending.isSending ? words.sharing : undefined}
        >
          {words.share}
        </CallButton>
        <Problem text={isUnchosen ? words.planMissing : sending.trouble} />
        {children}
      </div>
    </Form>
  );
}

function PlanChoice({ plan, isChosen, onChoose }: { plan: Plan; isChosen: boolean; onChoose(): void }) {
  const { words } = useLanguage();
  const ending = plan.memberId.replace(/•/g, "");
  return (
    <label class="choice member-card">
      <input type="radio" name="plan" checked={isChosen} onChange={onChoose} />
      <span class="value">
        <span class="payer">{plan.payer}</span>
        {ending === "" ? null : (
          <span class="member">
            {words.memberId} <Masked text={plan.memberId} spoken={words.ending(ending)} />
          </span>
        )}
        <span class="covers">{plan.coverageTypes.map((type) => words.coverage[type]).join(" · ")}</span>
      </span>
      <span class="tile" data-letter={firstLetter(plan.payer)} aria-hidden="true" />
    </label>
  );
}

async function searchInsurers(text: string): Promise<Option[] | null> {
  const outcome = await api.searchInsurers({ query: { search: text } });
  return outcome.kind === "ok" ? outcome.value.map(({ payerId, name }) => ({ value: payerId, label: name })) : null;
}

function useSending({ session, onOutcome }: Pick<Props, "session" | "onOutcome">) {
  const { words } = useLanguage();
  const [isSending, setSending] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const send = async (choice: Body<"chooseInsurance">) => {
    if (isSending) return;
    setSending(true);
    setTrouble(undefined);
    const outcome = await api.chooseInsurance({ ...bySession(session), body: choice });
    setSending(false);
    if (outcome.kind === "ok" || outcome.trouble.code === "OCE015") return onOutcome(outcome);
    setTrouble(outcome.trouble.code === "ERR001" ? words.badValue : inlineTrouble(words, outcome.trouble.code));
  };
  return { isSending, trouble, send };
}
