import { Activity, BadgeCheck, FileClock, Fingerprint, LogIn, UserSearch } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Trouble } from "../dashboard/api.ts";
import { Button } from "../dashboard/controls/button.tsx";
import { Notice, TroubleNotice } from "../dashboard/controls/controls.tsx";
import { CopyBlock } from "../dashboard/controls/copy.tsx";
import { goInstead } from "../dashboard/frame/navigation.tsx";
import { useAction } from "../dashboard/frame/page.tsx";
import { SomeoneElseNotice } from "../dashboard/frame/someone-else.tsx";
import { Card } from "../dashboard/sign-in/card.tsx";
import { begunKey, hasOpenId, openIdReturned, takeBegun } from "../dashboard/sign-in/openid.ts";
import { askPasskey, createPasskey, passkeysWork } from "../dashboard/sign-in/passkey.ts";
import { Icon } from "../ui/icon.tsx";
import { api } from "./api.ts";
import { say as all } from "./words.ts";

const say = all.signIn;
type Props = { onSignedIn(): Promise<void> };

/** The sign-in screens. The page removes a link's token from the URL at once, and uses it only after a click. */
export function SignInScreen({ onSignedIn }: Props) {
  const [link, setLink] = useState(() => /^#([0-9A-Za-z]{43})$/.exec(window.location.hash)?.[1] ?? null);
  const [returned, setReturned] = useState(openIdReturned);
  useEffect(() => {
    if (window.location.hash !== "" || openIdReturned() !== null) window.history.replaceState(null, "", "/sign-in");
  }, []);
  const enter = async () => {
    if (window.location.pathname === "/sign-in") goInstead("/");
    await onSignedIn();
  };
  if (returned !== null) return <ByOpenId query={returned} onSignedIn={enter} onOther={() => setReturned(null)} />;
  if (link !== null) return <ByLink link={link} onSignedIn={enter} onOther={() => setLink(null)} />;
  return <Begin onSignedIn={enter} />;
}

/** The frame of the console's sign-in screens: whose console it is, and what its people do. */
function ConsoleCard(props: { name: string; title: string; lead?: ComponentChildren; children: ComponentChildren }) {
  const service = serviceName();
  return (
    <Card
      {...props}
      tag={all.name}
      aside={
        <div class="what-for">
          <p class="picture-title">{service === "" ? say.whose : say.whoseAt(service)}</p>
          <ul>
            {say.tasks.map(({ name, says }, place) => (
              <li key={name}>
                <Icon node={taskIcons[place] ?? Activity} />
                <p>
                  <strong>{name}</strong>
                  <span>{says}</span>
                </p>
              </li>
            ))}
          </ul>
        </div>
      }
    />
  );
}

/** The host of the service's API. Empty if the service does not know it. */
const serviceName = () => document.querySelector<HTMLMetaElement>('meta[name="service"]')?.content ?? "";
const taskIcons = [Activity, BadgeCheck, UserSearch, FileClock];

type Refusal = keyof typeof say.refusals;

function Begin({ onSignedIn }: Props) {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isAsking, setAsking] = useState(false);
  const action = useAction();
  const byPasskey = async () => {
    setRefusal(null);
    action.clear();
    setAsking(true);
    const failed = await signInByPasskey(onSignedIn);
    setAsking(false);
    if (typeof failed === "string") setRefusal(failed);
    else if (failed !== null) action.fail(failed);
  };
  const byOpenId = async () => {
    const begun = await api.beginOperatorByOpenId({ body: {} });
    if (begun.kind === "trouble") return action.fail(begun.trouble);
    window.sessionStorage.setItem(begunKey, begun.value.uuid);
    window.location.assign(begun.value.url);
  };
  return (
    <ConsoleCard name="signIn" title={say.title} lead={say.lead(serviceName())}>
      <TroubleNotice trouble={action.trouble} />
      {refusal === null ? null : (
        <Notice kind="bad">
          <p>
            <strong>{say.refusals[refusal]}</strong>
          </p>
          <p>{hasOpenId() ? say.wayOut[refusal].openId : say.wayOut[refusal].passkey}</p>
        </Notice>
      )}
      {passkeysWork ? (
        <Button icon={Fingerprint} label={say.passkey} look="main" isBusy={isAsking} onClick={() => void byPasskey()} />
      ) : (
        <Notice>{say.noPasskeys}</Notice>
      )}
      {hasOpenId() ? (
        <>
          <p class="or">{say.or}</p>
          <Button icon={LogIn} label={say.openId} onClick={() => void byOpenId()} />
        </>
      ) : null}
      <Invite isOpen={refusal !== null} />
    </ConsoleCard>
  );
}

/** What somebody without a passkey does: only a command on the machine invites people. */
function Invite({ isOpen = false }: { isOpen?: boolean }) {
  return (
    <details class="invite" open={isOpen}>
      <summary>{say.firstTime}</summary>
      <p class="quiet">{say.inviteLead}</p>
      <CopyBlock title={say.inviteTitle} language="sh" text={say.inviteCommand} />
    </details>
  );
}

/** Asks for a passkey and signs in with it. Returns why that failed, or null. */
async function signInByPasskey(onSignedIn: Props["onSignedIn"]): Promise<Trouble | Refusal | null> {
  const begun = await api.beginOperatorByPasskey({ body: {} });
  if (begun.kind === "trouble") return begun.trouble;
  const credential = await askPasskey(begun.value.options);
  if (credential === null) return "cancelled";
  const outcome = await api.signOperatorInByPasskey({ params: { uuid: begun.value.uuid }, body: { credential } });
  if (outcome.kind === "trouble") return outcome.trouble;
  if (outcome.value.outcome !== "signedIn") return "unknown";
  await onSignedIn();
  return null;
}

type OtherProps = Props & { onOther(): void };

function ByLink({ link, onSignedIn, onOther }: OtherProps & { link: string }) {
  const [isOver, setOver] = useState(false);
  const action = useAction();
  if (isOver)
    return (
      <ConsoleCard name="link" title={say.linkOver} lead={say.linkOverLead}>
        <Button label={say.linkOverButton} look="main" onClick={onOther} />
        <Invite isOpen />
      </ConsoleCard>
    );
  const accept = () =>
    void action.run(
      () => api.signOperatorInByLink({ body: { link } }),
      ({ outcome }) => (outcome === "signedIn" ? void onSignedIn() : setOver(true)),
    );
  return (
    <ConsoleCard name="link" title={say.linkTitle} lead={say.linkLead}>
      <TroubleNotice trouble={action.trouble} />
      <Button label={say.linkButton} look="main" isBusy={action.isBusy} onClick={accept} />
    </ConsoleCard>
  );
}

/** Completes a sign-in with the OpenID provider, or shows why it was refused. */
function ByOpenId({ query, onSignedIn, onOther }: OtherProps & { query: string }) {
  const [why, setWhy] = useState<keyof typeof say.why | null>(null);
  const action = useAction();
  useEffect(() => {
    const uuid = takeBegun();
    if (uuid === null) return setWhy("over");
    void action.run(
      () => api.signOperatorInByOpenId({ params: { uuid }, body: { query } }),
      ({ outcome }) => (outcome === "signedIn" ? void onSignedIn() : setWhy(outcome)),
    );
  }, []);
  if (why === null && action.trouble === null)
    return <ConsoleCard name="openid" title={say.openIdTitle} children={null} />;
  return (
    <ConsoleCard name="openidRefused" title={say.refused} lead={why === null ? undefined : say.why[why]}>
      <TroubleNotice trouble={action.trouble} />
      <Button label={say.otherWay} look="main" onClick={onOther} />
      {why === "notMember" ? <Invite isOpen /> : null}
    </ConsoleCard>
  );
}

/** Shown to an invited person until they have a passkey. */
export function AddPasskey({ onAdded }: { onAdded(): Promise<void> }) {
  return (
    <ConsoleCard name="addPasskey" title={say.addTitle} lead={say.addLead}>
      <SomeoneElseNotice />
      <CreatePasskey onAdded={onAdded} />
    </ConsoleCard>
  );
}

/** Creates a passkey, and says why if the device or the service refused. */
export function CreatePasskey({ onAdded }: { onAdded(): Promise<void> }) {
  const [isRefused, setRefused] = useState(false);
  const action = useAction();
  const add = async () => {
    setRefused(false);
    const begun = await api.beginOperatorPasskey({ body: {} });
    if (begun.kind === "trouble") return action.fail(begun.trouble);
    const credential = await createPasskey(begun.value.options);
    if (credential === null) return setRefused(true);
    const params = { uuid: begun.value.uuid };
    void action.run(() => api.finishOperatorPasskey({ params, body: { credential } }), onAdded);
  };
  return (
    <>
      <TroubleNotice trouble={action.trouble} />
      {isRefused ? <Notice kind="bad">{say.addRefused}</Notice> : null}
      {passkeysWork ? (
        <Button label={say.addButton} look="main" isBusy={action.isBusy} onClick={() => void add()} />
      ) : (
        <Notice>{say.noPasskeys}</Notice>
      )}
    </>
  );
}
