import { useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { api, problemWith } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Confirm } from "../controls/confirm.tsx";
import { Day, Notice, Time, TroubleNotice } from "../controls/controls.tsx";
import { Section } from "../controls/section.tsx";
import { Load, Page, type PageProps, useAction, useLoad } from "../frame/page.tsx";
import { words } from "../words.ts";
import { createPasskey, passkeysWork } from "./passkey.ts";

const say = words.account;

/** The member's own name, passkeys, and sessions. */
export function AccountSecurityScreen(props: PageProps) {
  const { mayAddPasskey, needsPasskey } = props.me;
  return (
    <Page name="mine" title={say.title} lead={needsPasskey ? say.needs(mayAddPasskey) : say.lead}>
      {needsPasskey ? null : <OwnName {...props} />}
      {needsPasskey && !mayAddPasskey ? <SignOut {...props} label={say.signOutFirst} /> : null}
      <Passkeys {...props} />
      {needsPasskey ? null : <Sessions />}
    </Page>
  );
}

/** Signs out a member who must sign in again before they can go on. */
function SignOut({ reloadMe, label }: Pick<PageProps, "reloadMe"> & { label: string }) {
  const action = useAction();
  return (
    <>
      <TroubleNotice trouble={action.trouble} />
      <Button
        label={label}
        look="main"
        isBusy={action.isBusy}
        onClick={() => void action.run(() => api.signOutMember(), reloadMe)}
      />
    </>
  );
}

function OwnName({ me, reloadMe }: PageProps) {
  const [name, setName] = useState(me.member.name);
  const [isSaved, setSaved] = useState(false);
  const action = useAction();
  const save = () =>
    void action.run(
      () => api.patchMe({ body: { name } }),
      () => {
        setSaved(true);
        reloadMe();
      },
    );
  return (
    <Form class="narrow" onSubmit={save}>
      <TroubleNotice trouble={action.trouble} beside={["name"]} />
      <p>
        {say.signedInAs} <strong class="email">{me.member.email}</strong>
      </p>
      <Field
        id="own-name"
        label={say.name}
        hint={say.nameHint}
        error={problemWith(action.trouble, "name")}
        input={{
          value: name,
          maxLength: 100,
          autoComplete: "name",
          onInput: (event) => {
            setName(event.currentTarget.value);
            setSaved(false);
          },
        }}
      />
      <div class="row-actions">
        <Button label={words.save} type="submit" disabled={name === me.member.name && !isSaved} />
        <span role="status">{isSaved ? words.saved : ""}</span>
      </div>
    </Form>
  );
}

function Passkeys({ me, reloadMe }: PageProps) {
  const { state, reload } = useLoad(() => api.listMyPasskeys(), []);
  const [name, setName] = useState("");
  const [failed, setFailed] = useState(false);
  const action = useAction();
  const reloadBoth = async () => {
    await reload();
    reloadMe();
  };
  const add = async () => {
    setFailed(false);
    const begun = await api.beginMyPasskey({ body: {} });
    if (begun.kind === "trouble") return action.fail(begun.trouble);
    const credential = await createPasskey(begun.value.options);
    if (credential === null) return setFailed(true);
    const body = { name: name.trim() === "" ? say.passkeyDefault : name.trim(), credential };
    await action.run(
      () => api.finishMyPasskey({ params: { uuid: begun.value.uuid }, body }),
      () => {
        setName("");
        void reloadBoth();
      },
    );
  };
  const [asked, setAsked] = useState<{ uuid: string; name: string } | null>(null);
  const remove = (uuid: string) => void action.run(() => api.deleteMyPasskey({ params: { uuid } }), reloadBoth);
  return (
    <Section id="passkeys" title={say.passkeys} lead={say.passkeysLead}>
      <TroubleNotice trouble={action.trouble} />
      {failed ? <Notice kind="bad">{say.passkeyFailed}</Notice> : null}
      <Load of={state}>
        {({ data }) =>
          data.length === 0 ? (
            <p>{say.passkeysNone}</p>
          ) : (
            <ul class="lines">
              {data.map((key) => (
                <li key={key.uuid}>
                  <div>
                    <strong>{key.name}</strong> <span class="quiet">{key.isSynced ? say.synced : say.oneDevice}</span>
                    <p class="quiet">
                      {say.created} <Day at={key.createdAt} />. {say.lastUsed}: <Time at={key.lastUsedAt} />.
                    </p>
                  </div>
                  {me.needsPasskey || !me.isFresh ? null : (
                    <Button label={say.passkeyDelete} subject={key.name} look="small" onClick={() => setAsked(key)} />
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Load>
      {asked === null ? null : (
        <Confirm
          title={say.passkeyDeleteTitle(asked.name)}
          text={say.passkeyDeleteAsk}
          action={say.passkeyDeleteConfirm}
          onConfirm={() => remove(asked.uuid)}
          onClose={() => setAsked(null)}
        />
      )}
      {me.mayAddPasskey && !me.isFresh ? (
        <>
          <p>{say.passkeyStale(me.hasPasskey)}</p>
          <SignOut reloadMe={reloadMe} label={say.signInAgain} />
        </>
      ) : null}
      {!me.mayAddPasskey || !me.isFresh ? null : passkeysWork ? (
        <Form class="narrow" onSubmit={add}>
          <Field
            id="passkey-name"
            label={say.passkeyName}
            hint={say.passkeyNameHint}
            input={{ value: name, maxLength: 60, onInput: (event) => setName(event.currentTarget.value) }}
          />
          <Button label={say.passkeyAdd} type="submit" look={me.hasPasskey ? "" : "main"} />
        </Form>
      ) : (
        <p>{say.passkeyUnsupported}</p>
      )}
    </Section>
  );
}

function Sessions() {
  const { state, reload } = useLoad(() => api.listMySessions(), []);
  const action = useAction();
  return (
    <Section id="sessions" title={say.sessions} lead={say.sessionsLead}>
      <TroubleNotice trouble={action.trouble} />
      <Load of={state}>
        {({ data }) => (
          <>
            <ul class="lines">
              {data.map((one) => (
                <li key={one.uuid}>
                  <div>
                    <strong>{one.device}</strong> {one.isThisOne ? <span class="tag">{say.thisOne}</span> : null}
                    <p class="quiet">
                      {say.by[one.method]}, <Time at={one.createdAt} />. {say.lastUsed}: <Time at={one.lastUsedAt} />.
                    </p>
                  </div>
                  {one.isThisOne ? null : (
                    <Button
                      label={say.end}
                      look="small"
                      onClick={() => void action.run(() => api.endMySession({ params: { uuid: one.uuid } }), reload)}
                    />
                  )}
                </li>
              ))}
            </ul>
            {data.length < 2 ? null : (
              <Button label={say.endOthers} onClick={() => void action.run(() => api.endMyOtherSessions(), reload)} />
            )}
          </>
        )}
      </Load>
    </Section>
  );
}
