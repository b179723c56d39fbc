import { consentTexts } from "@countersign/contract/consent";
import type { Insurance, PageView } from "@countersign/contract/wallet";
import { useEffect, useRef, useState } from "preact/hooks";
import { Field, type FieldProps } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { deviceNow } from "../../ui/now.ts";
import { api, type Body, bySession, type Outcome } from "../api.ts";
import { readBirthDate } from "../birth-date.ts";
import { CallButton } from "../call-button.tsx";
import { useConsent } from "../consent.tsx";
import { dateMask, type Mask, maskInput } from "../digit-mask.ts";
import { Frame } from "../frame.tsx";
import { inlineTrouble, useLanguage } from "../language.tsx";
import { MaskedField } from "../masked-field.tsx";
import { Alert, ChangedNotice, Notice, Progress } from "../status.tsx";
import { requiredText } from "../typed-text.ts";
import { labelOf, ValueText } from "../values.tsx";
import type { Words } from "../words-en.ts";
import { Leave } from "./leave.tsx";
import { PlansForm } from "./plans.tsx";
import { DetailIcon } from "./review-row.tsx";

type Props = { session: string; view: PageView; onOutcome(outcome: Outcome<PageView>): void };

/** Polling interval of the lookup, in milliseconds. */
const pollMs = 800;

/** The person's insurance: the details for the lookup, the wait, and the choice of a plan. */
export function InsuranceScreen({ session, view, onOutcome }: Props) {
  const { words } = useLanguage();
  const { brand, health } = view;
  const { shown } = useConsent(consentTexts.insurance);
  const skip = () => api.chooseInsurance({ ...bySession(session), body: { consent: shown } });
  const leaveAfter = (before?: string) => (
    <Leave before={before} label={words.healthSkip} ask={skip} onOutcome={onOutcome} />
  );
  const leave = leaveAfter();
  const height = useRef<number>(undefined);
  const wait = (outcome: Outcome<PageView>) => {
    height.current = document.querySelector("main")?.offsetHeight;
    onOutcome(outcome);
  };
  if (health?.state === "loading")
    return (
      <Waiting session={session} view={view} height={height.current} onOutcome={onOutcome}>
        {leave}
      </Waiting>
    );
  if (health?.state === "plans") {
    const { plans = [] } = health;
    const isFound = plans.length > 0;
    return (
      <Frame step="health" title={isFound ? words.plansTitle : words.noPlansTitle} brand={brand} word="Health">
        <p class="lead">{(isFound ? words.plansText : words.noPlansText)(brand.name)}</p>
        <ChangedNotice view={view} />
        <PlansForm session={session} view={view} plans={plans} onOutcome={onOutcome}>
          {leave}
        </PlansForm>
      </Frame>
    );
  }
  return (
    <Frame step="health" title={words.healthTitle} brand={brand} word="Health">
      <p class="lead">{words.healthText(brand.name)}</p>
      <Details session={session} known={health?.known ?? {}} fixed={health?.fixed ?? []} onOutcome={wait}>
        {leaveAfter(health?.fixed?.length ? words.healthNotYou : undefined)}
      </Details>
    </Frame>
  );
}

/**
 * `height`: of the form that the person sent, in pixels. The wait is as high, so that nothing moves. Undefined if the
 * page was opened during the wait.
 */
type WaitingProps = Props & { height: number | undefined; children: preact.ComponentChildren };

function Waiting({ session, view, height, onOutcome, children }: WaitingProps) {
  const { words } = useLanguage();
  useEffect(() => {
    let isOver = false;
    const ask = async () => {
      const outcome = await api.viewPage(bySession(session));
      if (isOver) return;
      const isLost = outcome.kind === "trouble" && ["LOST", "BUSY"].includes(outcome.trouble.code);
      const isWaiting = outcome.kind === "ok" && outcome.value.health?.state === "loading";
      if (isLost || isWaiting) timer = window.setTimeout(() => void ask(), pollMs);
      else onOutcome(outcome);
    };
    let timer = window.setTimeout(() => void ask(), pollMs);
    return () => {
      isOver = true;
      window.clearTimeout(timer);
    };
  }, []);
  return (
    <Frame step="health" title={words.healthLoadingTitle} brand={view.brand} word="Health" height={height}>
      <p class="lead" role="status">
        {words.healthLoadingText}
      </p>
      <div class="waiting cards" aria-hidden="true">
        {[0, 1, 2].map((card) => (
          <i key={card}>
            <b />
            <b />
            <b />
          </i>
        ))}
      </div>
      <div class="actions">{children}</div>
    </Frame>
  );
}

type DetailsProps = {
  session: string;
  known: NonNullable<Insurance["known"]>;
  fixed: NonNullable<Insurance["fixed"]>;
  onOutcome(outcome: Outcome<PageView>): void;
  children: preact.ComponentChildren;
};
type Problems = { firstName?: string; lastName?: string; birthDate?: string };

function Details({ session, known, fixed, onOutcome, children }: DetailsProps) {
  const { words } = useLanguage();
  const [texts, setTexts] = useState({
    firstName: known.firstName ?? "",
    lastName: known.lastName ?? "",
    birthDate: "",
  });
  const [problems, setProblems] = useState<Problems>({});
  const [trouble, setTrouble] = useState<string>();
  const [isSending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(problems).length > 0) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [problems]);
  const type = (key: keyof Problems, text: string) => {
    setTexts({ ...texts, [key]: text });
    const { [key]: _gone, ...rest } = problems;
    if (key in problems) setProblems(rest);
  };
  const submit = async () => {
    if (isSending) return;
    const read = readDetails(texts, known);
    if ("problems" in read) {
      const say = { unread: words.birthdayUnread, impossible: words.birthdayImpossible };
      const sayOf = (key: string, problem: Problem) =>
        problem !== "missing"
          ? say[problem]
          : key === "birthDate"
            ? say.unread
            : requiredText(words, { key, kind: "text" });
      return setProblems(
        Object.fromEntries(Object.entries(read.problems).map(([key, problem]) => [key, sayOf(key, problem)])),
      );
    }
    setSending(true);
    setTrouble(undefined);
    const outcome = await api.findInsurance({ ...bySession(session), body: read.details });
    setSending(false);
    if (outcome.kind === "ok" || outcome.trouble.code === "OCE015") return onOutcome(outcome);
    const { code } = outcome.trouble;
    const why = { ERR001: words.badValue, OCE019: words.healthExceeded }[code];
    setTrouble(why ?? inlineTrouble(words, code));
  };
  const count = Object.keys(problems).length;
  type More = { hint?: string; autoComplete: string; mask?: Mask };
  const box = (key: keyof Problems, label: string, { hint, autoComplete, mask }: More): FieldProps => ({
    id: key,
    label,
    hint,
    error: problems[key],
    input: {
      type: "text",
      inputMode: mask === undefined ? "text" : "numeric",
      autoComplete,
      value: texts[key],
      onInput: (event) =>
        type(key, mask === undefined ? event.currentTarget.value : maskInput({ event, before: texts[key] }, mask)),
    },
  });
  const labels = labelsOf(words);
  const rows = rowsOf(labels, { known, fixed });
  const field = (key: keyof Problems, more: More) => {
    const { [key]: value = "" } = known;
    if (fixed.includes(key)) return null;
    return key === "birthDate" && value !== "" ? (
      <MaskedField {...box(key, labels[key], more)} fieldKey={key} masked={value} />
    ) : (
      <Field {...box(key, labels[key], more)} />
    );
  };
  return (
    <Form ref={form} onSubmit={submit}>
      {rows.length === 0 ? null : (
        <div class="list">
          {rows.map(({ key, label, text }) => (
            <dl class="row detail" key={key}>
              <dt class="name">
                <DetailIcon fieldKey={key} />
                {label}
              </dt>
              <dd class="value">
                <ValueText fieldKey={key} choice={{ text, sources: [] }} />
              </dd>
            </dl>
          ))}
        </div>
      )}
      {field("firstName", { autoComplete: "given-name" })}
      {field("lastName", { autoComplete: "family-name" })}
      {field("birthDate", { autoComplete: "bday", mask: dateMask, hint: words.birthdayHint })}
      <Progress text={isSending ? words.looking : undefined} />
      <Alert text={count === 0 ? undefined : words.fixFields(count)} />
      <Notice text={trouble} />
      <div class="actions">
        <CallButton type="submit" class="button main" busy={isSending ? words.looking : undefined}>
          {words.healthFind}
        </CallButton>
        {children}
      </div>
    </Form>
  );
}

const labelsOf = (words: Words) => ({
  fullName: labelOf(words, { key: "fullName", title: "" }),
  firstName: words.firstName,
  lastName: labelOf(words, { key: "lastName", title: "" }),
  birthDate: words.birthday,
});

/** The details that the person cannot change. Both parts of a name share a row. */
function rowsOf(labels: ReturnType<typeof labelsOf>, { known, fixed }: Pick<DetailsProps, "known" | "fixed">) {
  const isNameFixed = fixed.includes("firstName") && fixed.includes("lastName");
  const fullName = [known.firstName, known.lastName].filter(Boolean).join(" ");
  return (["fullName", "firstName", "lastName", "birthDate"] as const)
    .filter((key) => {
      if (key === "fullName") return isNameFixed;
      return fixed.includes(key) && !(isNameFixed && key !== "birthDate");
    })
    .map((key) => ({ key, label: labels[key], text: key === "fullName" ? fullName : (known[key] ?? "") }));
}

type Problem = "missing" | "unread" | "impossible";
type Read = { details: Body<"findInsurance"> } | { problems: Partial<Record<keyof Problems, Problem>> };

/** The typed details. Known details that were not changed are not sent. */
function readDetails(texts: Required<Problems>, known: DetailsProps["known"]): Read {
  const firstName = texts.firstName.trim();
  const lastName = texts.lastName.trim();
  const problems: Partial<Record<keyof Problems, Problem>> = {};
  if (firstName === "") problems.firstName = "missing";
  if (lastName === "") problems.lastName = "missing";
  const day = texts.birthDate.trim() === "" ? null : readBirthDate(texts.birthDate, deviceNow());
  if (day === null && known.birthDate === undefined) problems.birthDate = "missing";
  if (day !== null && day.kind !== "day") problems.birthDate = day.kind === "none" ? "unread" : "impossible";
  if (Object.keys(problems).length > 0) return { problems };
  const isSame = firstName === known.firstName && lastName === known.lastName;
  return {
    details: { ...(isSame ? {} : { firstName, lastName }), ...(day?.kind === "day" ? { birthDate: day.day } : {}) },
  };
}
