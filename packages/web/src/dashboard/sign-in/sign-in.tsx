import { Mail } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { CodeField, codeDigits, codeLength } from "../../ui/code-field.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { api, type Trouble } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Notice, TroubleNotice } from "../controls/controls.tsx";
import { CopyBlock } from "../controls/copy.tsx";
import { goInstead, startPath } from "../frame/navigation.tsx";
import { useAction } from "../frame/page.tsx";
import { words } from "../words.ts";
import { ByOpenId } from "./by-openid.tsx";
import { Card } from "./card.tsx";
import { goToOpenId, hasOpenId, openIdReturned } from "./openid.ts";
import { askPasskey, passkeysWork } from "./passkey.ts";

const say = words.signIn;
type Props = { onSignedIn(): Promise<void> };
type Sent = { uuid: string; email: string; keptMail?: { outboxUrl: string | null } };

/**
 * The sign-in screens. A link's token is in the URL fragment. The page removes it at once, and uses it only after a
 * click.
 */
export function SignInScreen({ onSignedIn }: Props) {
  const [link, setLink] = useState(() => /^#([0-9A-Za-z]{43})$/.exec(window.location.hash)?.[1] ?? null);
  const [returned, setReturned] = useState(openIdReturned);
  const [sent, setSent] = useState<Sent | null>(null);
  useEffect(() => {
    if (window.location.hash !== "" || openIdReturned() !== null) window.history.replaceState(null, "", "/sign-in");
  }, []);
  const enter = async () => {
    if (window.location.pathname === "/sign-in") goInstead(startPath);
    await onSignedIn();
  };
  if (returned !== null) return <ByOpenId query={returned} onSignedIn={enter} onOther={() => setReturned(null)} />;
  if (link !== null) return <ByLink link={link} onSignedIn={enter} onCode={() => setLink(null)} />;
  if (sent === null) return <Begin onSent={setSent} onSignedIn={enter} />;
  return <TypeCode {...sent} onSignedIn={enter} onOther={() => setSent(null)} />;
}

function Begin({ onSent, onSignedIn }: Props & { onSent(sent: Sent): void }) {
  const [email, setEmail] = useState("");
  const [error, setError] = useState<string | undefined>(undefined);
  const action = useAction();
  const send = () => {
    if (!/^[^\s@]+@[^\s@]+$/.test(email.trim())) return setError(say.emailWrong);
    void action.run(
      () => api.beginMemberSignIn({ body: { email: email.trim() } }),
      ({ uuid, keptMail }) => onSent({ uuid, email: email.trim(), keptMail }),
    );
  };
  const byPasskey = async () => {
    const failed = await signInByPasskey(onSignedIn);
    if (failed === "refused") setError(say.passkeyFailed);
    else if (failed !== null) action.fail(failed);
  };
  const byOpenId = async () => {
    const trouble = await goToOpenId();
    if (trouble !== null) action.fail(trouble);
  };
  return (
    <Card name="signIn" title={say.title} lead={say.lead}>
      <TroubleNotice trouble={action.trouble} />
      <Form onSubmit={send}>
        <Field
          id="email"
          label={say.email}
          error={error}
          input={{
            type: "email",
            name: "email",
            autoComplete: "username webauthn",
            maxLength: 254,
            value: email,
            onInput: (event) => {
              setEmail(event.currentTarget.value);
              setError(undefined);
            },
          }}
        />
        <Button label={say.sendCode} type="submit" look="main" isBusy={action.isBusy} />
      </Form>
      {passkeysWork || hasOpenId() ? <p class="or">{say.or}</p> : null}
      {hasOpenId() ? <Button label={say.openId} onClick={() => void byOpenId()} /> : null}
      {passkeysWork ? <Button label={say.passkey} onClick={() => void byPasskey()} /> : null}
    </Card>
  );
}

/** Asks for a passkey and signs in with it. Returns why that failed, or null. */
async function signInByPasskey(onSignedIn: Props["onSignedIn"]): Promise<Trouble | "refused" | null> {
  const begun = await api.beginPasskeySignIn({ body: {} });
  if (begun.kind === "trouble") return begun.trouble;
  const credential = await askPasskey(begun.value.options);
  if (credential === null) return "refused";
  const outcome = await api.signInByPasskey({ params: { uuid: begun.value.uuid }, body: { credential } });
  if (outcome.kind === "trouble") return outcome.trouble;
  if (outcome.value.outcome !== "signedIn") return "refused";
  await onSignedIn();
  return null;
}

/** Shown after a right code if the account requires a passkey. */
function NeedsPasskey({ onSignedIn, onOther }: Props & { onOther(): void }) {
  const [error, setError] = useState<string | undefined>(undefined);
  const action = useAction();
  const enter = async () => {
    const failed = await signInByPasskey(onSignedIn);
    if (failed === "refused") setError(say.passkeyFailed);
    else if (failed !== null) action.fail(failed);
  };
  return (
    <Card name="passkey" title={say.passkeyTitle} lead={say.passkeyNeeded}>
      <TroubleNotice trouble={action.trouble} />
      {error === undefined ? null : <Notice kind="bad">{error}</Notice>}
      {passkeysWork ? (
        <Button label={say.passkey} look="main" onClick={() => void enter()} />
      ) : (
        <p>{words.account.passkeyUnsupported}</p>
      )}
      <button type="button" class="link" onClick={onOther}>
        {say.otherEmail}
      </button>
    </Card>
  );
}

type Typing = Props & Sent & { onOther(): void };

function TypeCode({ uuid, email, keptMail, onSignedIn, onOther }: Typing) {
  const [code, setCode] = useState("");
  const [error, setError] = useState<string | undefined>(undefined);
  const [needsPasskey, setNeedsPasskey] = useState(false);
  const action = useAction();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const submit = (typed: string) => {
    if (typed.length < codeLength) return;
    void action.run(
      () => api.signInByCode({ params: { uuid }, body: { code: typed } }),
      ({ outcome, attemptsRemaining = 0 }) => {
        if (outcome === "signedIn") return void onSignedIn();
        setCode("");
        if (outcome === "passkeyNeeded") return setNeedsPasskey(true);
        setError(
          outcome === "over" ? say.over : attemptsRemaining === 0 ? say.codeUsedUp : say.codeWrong(attemptsRemaining),
        );
      },
    );
  };
  if (needsPasskey) return <NeedsPasskey {...{ onSignedIn, onOther }} />;
  return (
    <Card name="code" title={say.codeTitle} lead={keptMail === undefined ? say.codeLead(email) : say.codeKept(email)}>
      <TroubleNotice trouble={action.trouble} />
      <Form onSubmit={() => (code.length < codeLength ? setError(say.codeShort) : submit(code))}>
        <CodeField
          label={say.code}
          error={error}
          digits={code}
          readOnly={action.isBusy}
          inputRef={input}
          onType={(text) => {
            const typed = codeDigits(text);
            setCode(typed);
            setError(undefined);
            submit(typed);
          }}
        />
        <Button label={say.submit} type="submit" look="main" isBusy={action.isBusy} />
        <button type="button" class="link" onClick={onOther}>
          {say.otherEmail}
        </button>
      </Form>
      {keptMail === undefined ? null : (
        <WhereCodeIs email={email} outboxUrl={keptMail.outboxUrl} onOpen={() => input.current?.focus()} />
      )}
    </Card>
  );
}

type KeptProps = { email: string; outboxUrl: string | null; onOpen(): void };

/**
 * Tells where the code is. Without a mail server, it never reaches a mailbox. `onOpen`: the outbox opens in another tab,
 * and the member comes back to type the code.
 */
function WhereCodeIs({ email, outboxUrl, onOpen }: KeptProps) {
  const to = encodeURIComponent(email);
  const quoted = email.replaceAll("'", "'\\''");
  return (
    <Notice>
      <p>
        <strong>{say.noMail}</strong>
      </p>
      {outboxUrl === null ? null : (
        <p>
          {say.inOutbox}{" "}
          <a
            href={`${outboxUrl}?to=${to}`}
            target="_blank"
            rel="noopener"
            class="button small outbox-link"
            onClick={onOpen}
          >
            <Icon node={Mail} /> {say.openOutbox}
          </a>
        </p>
      )}
      <CopyBlock title={say.byLink} language="sh" text={`countersign dashboard link --email '${quoted}'`} />
    </Notice>
  );
}

function ByLink({ link, onSignedIn, onCode }: Props & { link: string; onCode(): void }) {
  const [answer, setAnswer] = useState<Awaited<ReturnType<typeof api.readSignInLink>> | null>(null);
  const [isOver, setOver] = useState<"over" | "taken" | null>(null);
  const action = useAction();
  useEffect(() => {
    void api.readSignInLink({ body: { link } }).then(setAnswer);
  }, [link]);
  if (answer === null) return null;
  if (answer.kind === "trouble")
    return <Card name="link" title={say.linkTitle} children={<TroubleNotice trouble={answer.trouble} />} />;
  const { kind, email = "", customer = "", role = "viewer" } = answer.value;
  if (kind === "over" || isOver === "over")
    return (
      <Card name="link" title={say.linkOver} lead={say.linkOverLead}>
        <Button label={say.linkOverButton} look="main" onClick={onCode} />
      </Card>
    );
  const invited = kind === "invitation";
  const roleName = words.roles[role].name.toLowerCase();
  return (
    <Card
      name="link"
      title={invited ? say.inviteTitle(customer) : say.linkTitle}
      lead={invited ? say.inviteLead(email, roleName) : say.linkLead(email, customer)}
    >
      <TroubleNotice trouble={action.trouble} />
      {isOver === "taken" ? <Notice kind="bad">{say.taken}</Notice> : null}
      <Button
        label={invited ? say.inviteButton : say.linkButton}
        look="main"
        isBusy={action.isBusy}
        onClick={() =>
          void action.run(
            () => api.signInByLink({ body: { link } }),
            ({ outcome }) =>
              outcome === "signedIn" ? void onSignedIn() : setOver(outcome === "taken" ? "taken" : "over"),
          )
        }
      />
    </Card>
  );
}
