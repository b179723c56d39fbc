import type { ConsoleColleague, ConsolePasskey } from "@countersign/contract/console-operators";
import { operatorRoles } from "@countersign/contract/operator-role";
import { KeyRound } from "lucide";
import { useState } from "preact/hooks";
import type { Outcome } from "../dashboard/api.ts";
import { Button } from "../dashboard/controls/button.tsx";
import { Confirm } from "../dashboard/controls/confirm.tsx";
import { Day, Empty, Time, TroubleNotice } from "../dashboard/controls/controls.tsx";
import { CopyBlock } from "../dashboard/controls/copy.tsx";
import { Section } from "../dashboard/controls/section.tsx";
import { Table } from "../dashboard/controls/table.tsx";
import { Load, Page, useAction, useLoad } from "../dashboard/frame/page.tsx";
import { askPasskey } from "../dashboard/sign-in/passkey.ts";
import { Icon } from "../ui/icon.tsx";
import { api } from "./api.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import type { ScreenProps } from "./screen-props.ts";
import { CreatePasskey } from "./sign-in.tsx";
import { say as all } from "./words.ts";
import { operatorWords as say } from "./words-operators.ts";

type Begun = Parameters<typeof askPasskey>[0];
type Proof = { uuid: string; credential: NonNullable<Awaited<ReturnType<typeof askPasskey>>> };

/** Asks for a passkey of the signed-in person, and then deletes the other passkey. */
async function confirmed<Value>(
  passkey: string,
  remove: (proof: Proof) => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> {
  const begun = await api.beginPasskeyDeletion({ params: { passkey }, body: {} });
  if (begun.kind === "trouble") return begun;
  const options: Begun = begun.value.options;
  const credential = await askPasskey(options);
  if (credential === null)
    return { kind: "trouble", trouble: { kind: "forbidden", message: say.refused, problems: [] } };
  return await remove({ uuid: begun.value.uuid, credential });
}

/** The people who may use the console, and their passkeys. */
export function OperatorsScreen({ me }: ScreenProps) {
  const { state, reload } = useLoad(() => api.listColleagues(), []);
  return (
    <Page name="operators" title={say.title} lead={say.lead}>
      <Load of={state}>
        {({ data }) => <Colleagues colleagues={data} ownUuid={me.operator.uuid} onDone={() => void reload()} />}
      </Load>
      <p class="quiet">
        {operatorRoles.map((role) => (
          <span key={role}>
            <strong>{all.roles[role].name}:</strong> {all.roles[role].says}{" "}
          </span>
        ))}
      </p>
      <Section id="invite" title={say.invite} lead={say.inviteLead}>
        <CopyBlock title={say.inviteTitle} language="sh" text={say.inviteCommand} />
        <CopyBlock title={say.removeCommandTitle} language="sh" text={say.removeCommand} />
      </Section>
    </Page>
  );
}

type Target = { colleague: ConsoleColleague; passkey: ConsolePasskey };
type ListProps = { colleagues: readonly ConsoleColleague[]; ownUuid: string; onDone(): void };

function Colleagues({ colleagues, ownUuid, onDone }: ListProps) {
  const [asked, setAsked] = useState<Target | null>(null);
  return (
    <>
      {/* Before the table, whose distance to the next text depends on its neighbor. */}
      {asked === null ? null : (
        <ReasonDialog
          title={say.removeTitle(asked.colleague.name)}
          text={say.removeText}
          action={say.removeAction}
          isDanger
          ask={(reason) =>
            confirmed(asked.passkey.uuid, (proof) =>
              api.deleteColleaguePasskey({ params: { passkey: asked.passkey.uuid }, body: { proof, reason } }),
            )
          }
          onDone={onDone}
          onClose={() => setAsked(null)}
        />
      )}
      <Table class="dense blocks" label={say.title} columns={[say.name, say.role, say.passkeys, say.invited]}>
        {colleagues.map((colleague) => (
          <tr key={colleague.uuid}>
            <th scope="row" class="with-avatar">
              <Avatar name={colleague.name} />
              {colleague.name} {colleague.uuid === ownUuid ? <span class="tag accent">{say.you}</span> : null}
              <p class="quiet">{colleague.email}</p>
            </th>
            <td>{all.roles[colleague.role].name}</td>
            <td>
              {colleague.passkeys.length === 0 ? (
                <span class="quiet">{say.noPasskeys}</span>
              ) : (
                <ul class="passkeys">
                  {colleague.passkeys.map((passkey) => (
                    <li key={passkey.uuid}>
                      <PasskeyDates passkey={passkey} />
                      {colleague.uuid === ownUuid ? null : (
                        <Button
                          label={say.remove}
                          subject={colleague.name}
                          look="small danger"
                          onClick={() => setAsked({ colleague, passkey })}
                        />
                      )}
                    </li>
                  ))}
                </ul>
              )}
            </td>
            <td>
              {colleague.invitedUntil === null ? null : (
                <>
                  {say.invitedUntil} <Time at={colleague.invitedUntil} />
                </>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function PasskeyDates({ passkey: { createdAt, lastUsedAt } }: { passkey: ConsolePasskey }) {
  return (
    <span>
      {say.created} <Day at={createdAt} />,{" "}
      {lastUsedAt === null ? (
        say.neverUsed
      ) : (
        <>
          {say.lastUsed} <Time at={lastUsedAt} />
        </>
      )}
    </span>
  );
}

/** The initials of a name. */
function Avatar({ name }: { name: string }) {
  const initials = name.split(/\s+/).map((word) => word.charAt(0));
  return (
    <span class="avatar" aria-hidden="true">
      {[initials[0], initials.length > 1 ? initials.at(-1) : ""].join("").toUpperCase()}
    </span>
  );
}

/** The signed-in person's own passkeys. */
export function OwnScreen({ me, reloadMe }: ScreenProps) {
  const { state, reload } = useLoad(() => api.listOwnConsolePasskeys(), []);
  const [asked, setAsked] = useState<ConsolePasskey | null>(null);
  const action = useAction();
  const remove = (passkey: string) =>
    void action.run(
      () => confirmed(passkey, (proof) => api.deleteOwnConsolePasskey({ params: { passkey }, body: { proof } })),
      () => void reload(),
    );
  const { name, email, role } = me.operator;
  const onAdded = async () => {
    await reload();
    await reloadMe();
  };
  return (
    <Page name="me" title={say.own} lead={say.ownLead}>
      <section class="case who-am-i" aria-label={say.signedInAs}>
        <Avatar name={name} />
        <div>
          <h2>{name}</h2>
          <p class="quiet">{email}</p>
        </div>
        <p>
          <span class="tag accent">{all.roles[role].name}</span> {all.roles[role].says}
        </p>
      </section>
      <TroubleNotice trouble={action.trouble} />
      <Load of={state}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={say.none} text={me.mayAddPasskey ? say.noneInvited : say.noneLead}>
              {me.mayAddPasskey ? <CreatePasskey onAdded={onAdded} /> : null}
            </Empty>
          ) : (
            <ul class="lines own-passkeys">
              {data.map((passkey) => (
                <li key={passkey.uuid}>
                  <span class="with-icon">
                    <Icon node={KeyRound} />
                    <PasskeyDates passkey={passkey} />
                  </span>
                  <Button label={say.removeAction} look="small danger" onClick={() => setAsked(passkey)} />
                </li>
              ))}
            </ul>
          )
        }
      </Load>
      <Section id="another" title={say.anotherPasskey} lead={say.anotherLead}>
        <CopyBlock title={say.ownInviteTitle} language="sh" text={say.commandFor({ name, email, role })} />
      </Section>
      {asked === null ? null : (
        <Confirm
          title={say.ownTitle}
          text={say.ownText}
          action={say.removeAction}
          onConfirm={() => remove(asked.uuid)}
          onClose={() => setAsked(null)}
        />
      )}
    </Page>
  );
}
