import type { MemberLine } from "@countersign/contract/dashboard";
import { type MemberRole, mayAs, memberRoles } from "@countersign/contract/member";
import { Check, Minus, UserPlus } from "lucide";
import { useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { api, problemWith } from "../api.ts";
import { WaitingNote } from "../brand/waiting-name.tsx";
import { Button } from "../controls/button.tsx";
import { Confirm } from "../controls/confirm.tsx";
import { Day, Dialog, Select, TroubleNotice } from "../controls/controls.tsx";
import { Section } from "../controls/section.tsx";
import { Table, TableBox } from "../controls/table.tsx";
import { Load, may, Page, type PageProps, useAction, useLoad } from "../frame/page.tsx";
import { words } from "../words.ts";
import { PasskeyPolicy } from "./passkey-policy.tsx";
import { roleWords } from "./words-team.ts";

const say = words.team;
const roleChoices = memberRoles.map((value) => ({ value, label: words.roles[value].name }));
const roleOf = (text: string): MemberRole => memberRoles.find((one) => one === text) ?? "viewer";

export function TeamScreen({ me, reloadMe }: PageProps) {
  const { state, reload } = useLoad(() => api.listTeam(), []);
  const [isInviting, setInviting] = useState(false);
  const action = useAction();
  const isOwner = may(me, "owner");
  const after = () => {
    void reload();
    reloadMe();
  };
  const invite = isOwner ? (
    <Button icon={UserPlus} label={say.invite} look="main" onClick={() => setInviting(true)} />
  ) : null;
  return (
    <Page
      name="team"
      title={say.title}
      lead={say.lead}
      viewOnly={isOwner ? undefined : words.viewOnly.owner}
      aside={invite}
    >
      <TroubleNotice trouble={action.trouble} />
      {me.customer.waitingName === undefined ? null : <WaitingNote name={me.customer.waitingName} />}
      <Load of={state}>
        {({ data }) => (
          <Table
            class="blocks team"
            columns={[
              say.member,
              say.role,
              ...(isOwner ? [say.passkey] : []),
              say.since,
              ...(isOwner ? [{ title: words.actions, isTitleHidden: true } as const] : []),
            ]}
          >
            {inOrder(data, me.member.uuid).map((member) => (
              <MemberRow
                key={member.uuid}
                member={member}
                isSelf={member.uuid === me.member.uuid}
                onChange={isOwner ? (ask) => void action.run(ask, after) : null}
              />
            ))}
          </Table>
        )}
      </Load>
      <PasskeyPolicy me={me} isOwner={isOwner} onDone={reloadMe} />
      <Roles />
      {isInviting ? (
        <Invite
          onEnd={() => {
            setInviting(false);
            // Reload after a failure, too: the invitation is saved even if its email could not be sent.
            void reload();
          }}
        />
      ) : null}
    </Page>
  );
}

/** The current member first, then the others by name. */
function inOrder(members: readonly MemberLine[], self: string): MemberLine[] {
  const nameOf = ({ name, email }: MemberLine) => (name === "" ? email : name);
  return [...members].sort(
    (a, b) => Number(b.uuid === self) - Number(a.uuid === self) || nameOf(a).localeCompare(nameOf(b)),
  );
}

type Change = () => ReturnType<typeof api.patchMember>;
type RowProps = { member: MemberLine; isSelf: boolean; onChange: ((ask: Change) => void) | null };

function MemberRow({ member, isSelf, onChange }: RowProps) {
  const { uuid, name, email, role, createdAt, joinedAt, hasPasskey } = member;
  const shown = name === "" ? email : name;
  const params = { uuid };
  const [isAsking, setAsking] = useState(false);
  return (
    <tr>
      <th scope="row">
        {shown} {isSelf ? <span class="tag">{say.you}</span> : null}
        {name === "" ? null : <p class="quiet">{email}</p>}
      </th>
      <td>
        {onChange === null ? (
          words.roles[role].name
        ) : (
          <select
            class="input"
            aria-label={say.roleOf(shown)}
            onChange={(event) => {
              const next = roleOf(event.currentTarget.value);
              onChange(() => api.patchMember({ params, body: { role: next } }));
            }}
          >
            {roleChoices.map(({ value, label }) => (
              <option key={value} value={value} selected={value === role}>
                {label}
              </option>
            ))}
          </select>
        )}
      </td>
      {hasPasskey === undefined ? null : (
        <td>
          {joinedAt === null ? null : hasPasskey ? (
            <span class="tag good">{say.hasPasskey}</span>
          ) : (
            <span class="tag warn">{say.hasNoPasskey}</span>
          )}
        </td>
      )}
      <td>
        {joinedAt === null ? (
          <>
            <span class="tag">{say.invited}</span> <Day at={createdAt} />
          </>
        ) : (
          <>
            <span class="block-label">{say.since}: </span>
            <Day at={joinedAt} />
          </>
        )}
      </td>
      {onChange === null ? null : (
        <td>
          <div class="row-actions">
            {joinedAt === null ? (
              <Button
                label={say.again}
                subject={shown}
                look="small"
                onClick={() => onChange(() => api.inviteMemberAgain({ params, body: {} }))}
              />
            ) : null}
            <Button
              label={isSelf ? say.leave : say.remove}
              subject={shown}
              look="small danger"
              onClick={() => setAsking(true)}
            />
          </div>
          {isAsking ? (
            <Confirm
              title={isSelf ? say.leaveTitle : say.removeTitle(shown)}
              text={isSelf ? say.leaveAsk : say.removeAsk}
              action={isSelf ? say.leaveConfirm : say.removeConfirm}
              onConfirm={() => onChange(() => api.deleteMember({ params }))}
              onClose={() => setAsking(false)}
            />
          ) : null}
        </td>
      )}
    </tr>
  );
}

/** What each role may do. The service checks the role on each call. */
function Roles() {
  return (
    <Section id="roles" title={say.roles}>
      <TableBox class="roles">
        <table aria-labelledby="roles">
          <thead>
            <tr>
              <th scope="col">{roleWords.can}</th>
              {memberRoles.map((role) => (
                <th key={role} scope="col">
                  {words.roles[role].name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {roleWords.capabilities.map(({ needs, says }) => (
              <tr key={says}>
                <th scope="row">{says}</th>
                {memberRoles.map((role) => {
                  const isAllowed = mayAs(role, roleOf(needs));
                  return (
                    <td key={role} class={isAllowed ? "can" : "cannot"}>
                      <Icon node={isAllowed ? Check : Minus} />
                      <span class="hidden">{isAllowed ? roleWords.canYes : roleWords.canNo}</span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
    </Section>
  );
}

function Invite({ onEnd }: { onEnd(): void }) {
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState<MemberRole>("developer");
  const action = useAction();
  const body = { email: email.trim(), name: name.trim(), role };
  return (
    <Dialog title={say.invite} onClose={onEnd}>
      <p class="quiet">{say.inviteLead}</p>
      <TroubleNotice trouble={action.trouble} beside={["email", "name"]} />
      <Field
        id="invite-email"
        label={say.email}
        error={problemWith(action.trouble, "email")}
        input={{ type: "email", value: email, maxLength: 254, onInput: (event) => setEmail(event.currentTarget.value) }}
      />
      <Field
        id="invite-name"
        label={say.name}
        aside={say.optional}
        error={problemWith(action.trouble, "name")}
        input={{ value: name, maxLength: 100, onInput: (event) => setName(event.currentTarget.value) }}
      />
      <Select
        id="invite-role"
        label={say.role}
        hint={words.roles[role].says}
        value={role}
        choices={roleChoices}
        onChange={(value) => setRole(roleOf(value))}
      />
      <div class="row-actions">
        <Button label={words.cancel} onClick={onEnd} />
        <Button label={say.send} look="main" onClick={() => void action.run(() => api.inviteMember({ body }), onEnd)} />
      </div>
    </Dialog>
  );
}
