import type { Environment } from "@countersign/contract/brand";
import type { PersonRecord } from "@countersign/contract/console-people";
import { useState } from "preact/hooks";
import { problemWith } from "../dashboard/api.ts";
import { Button } from "../dashboard/controls/button.tsx";
import { Empty, Notice, Select, TextArea, Time, TroubleNotice } from "../dashboard/controls/controls.tsx";
import { CopyBlock, CopyValue } from "../dashboard/controls/copy.tsx";
import { Section } from "../dashboard/controls/section.tsx";
import { figure, Table } from "../dashboard/controls/table.tsx";
import { Page, useAction } from "../dashboard/frame/page.tsx";
import { Field } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { api } from "./api.ts";
import { plainReason, ReasonDialog } from "./reason-dialog.tsx";
import type { ScreenProps } from "./screen-props.ts";
import { actionName, say as all } from "./words.ts";

const say = all.people;
/** Whom the operator asked about. It is kept in the page only, never in a URL. */
type Asked = { environment: Environment; phone: string };
type Answer = { asked: Asked; person: PersonRecord | null };
type Deleted = { isReset: boolean; receipt: string };

/** Answers a person who asks what is stored, and deletes them if they ask for it. */
export function PersonScreen({ me }: ScreenProps) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [deleted, setDeleted] = useState<Deleted | null>(null);
  const again = () => {
    setAnswer(null);
    setDeleted(null);
  };
  const another = answer === null && deleted === null ? null : <Button label={say.another} onClick={again} />;
  return (
    <Page name="person" title={say.title} lead={say.lead} aside={another}>
      {deleted !== null ? (
        <Receipt {...deleted} />
      ) : answer === null ? (
        <Ask environments={me.environments} onAnswer={setAnswer} />
      ) : answer.person === null ? (
        <Empty title={say.none} text={say.noneLead} />
      ) : (
        <Record asked={answer.asked} person={answer.person} onDeleted={setDeleted} />
      )}
    </Page>
  );
}

function Ask({ environments, onAnswer }: { environments: readonly Environment[]; onAnswer(answer: Answer): void }) {
  const [environment, setEnvironment] = useState<Environment>(environments.at(-1) ?? "sandbox");
  const [phone, setPhone] = useState("");
  const [reason, setReason] = useState("");
  const [isShort, setShort] = useState(false);
  const action = useAction();
  const submit = () => {
    const given = plainReason(reason);
    if (given === null) return setShort(true);
    const asked = { environment, phone: phone.trim() };
    void action.run(
      () => api.lookAtPerson({ body: { ...asked, reason: given } }),
      ({ person }) => onAnswer({ asked, person }),
    );
  };
  return (
    <Form class="narrow" onSubmit={submit}>
      <TroubleNotice trouble={action.trouble} beside={["phone"]} />
      <Select
        id="environment"
        label={all.environment}
        value={environment}
        choices={environments.map((value) => ({ value, label: all.environments[value] }))}
        onChange={(value) => setEnvironment(environments.find((one) => one === value) ?? environment)}
      />
      <Field
        id="phone"
        label={say.phone}
        hint={say.phoneHint}
        error={problemWith(action.trouble, "phone")}
        input={{
          type: "tel",
          autoComplete: "off",
          maxLength: 40,
          value: phone,
          onInput: (event) => setPhone(event.currentTarget.value),
        }}
      />
      <TextArea
        id="look-reason"
        label={all.reason.label}
        hint={say.reasonHint}
        error={isShort ? all.reason.short : undefined}
        rows={2}
        maxLength={300}
        value={reason}
        onInput={(value) => {
          setReason(value);
          setShort(false);
        }}
      />
      <Button label={say.look} type="submit" look="main" isBusy={action.isBusy} />
    </Form>
  );
}

const tableNames: Readonly<Record<string, string>> = say.tables;
type RecordProps = { asked: Asked; person: PersonRecord; onDeleted(deleted: Deleted): void };

function Record({ asked, person, onDeleted }: RecordProps) {
  const [isAsking, setAsking] = useState(false);
  const { uuid, earlierHolders, firstSeenAt, lastProvenAt, isFixed, stored } = person;
  return (
    <>
      {earlierHolders === 0 ? null : <Notice>{say.holders(earlierHolders)}</Notice>}
      {isFixed ? <Notice>{say.fixed}</Notice> : null}
      <Section id="found" title={say.found}>
        <dl class="pairs">
          <div>
            <dt>{say.uuid}</dt>
            <dd>
              <CopyValue text={uuid} subject={say.uuid} />
            </dd>
          </div>
          <div>
            <dt>{say.firstSeen}</dt>
            <dd>
              <Time at={firstSeenAt} />
            </dd>
          </div>
          <div>
            <dt>{say.lastProven}</dt>
            <dd>
              <Time at={lastProvenAt} />
            </dd>
          </div>
        </dl>
        <Table
          class="dense blocks"
          label={say.found}
          columns={[say.what, say.brand, say.state, figure(say.count), say.latest]}
        >
          {stored.map(({ table, brand, state, count, lastAt }) => (
            <tr key={`${table} ${brand?.uuid} ${state}`}>
              <th scope="row">{tableNames[table] ?? table}</th>
              <td>{brand === null ? <span class="quiet">{say.noBrand}</span> : brand.name}</td>
              <td>{state === null ? "–" : <code>{state}</code>}</td>
              <td class="figure">
                <span class="block-label">{say.count}: </span>
                {count}
              </td>
              <td>
                <Time at={lastAt} />
              </td>
            </tr>
          ))}
        </Table>
      </Section>
      <Receipts receipts={person.receipts} />
      <Looks looks={person.looks} />
      <div class="row-actions">
        <Button label={say.remove} look="danger" onClick={() => setAsking(true)} />
      </div>
      {isAsking ? (
        <ReasonDialog
          title={say.removeTitle}
          text={say.removeText}
          action={say.removeAction}
          isDanger
          ask={(reason) => api.deletePersonForSupport({ body: { ...asked, person: uuid, reason } })}
          onDone={onDeleted}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

function Receipts({ receipts }: Pick<PersonRecord, "receipts">) {
  return (
    <Section id="receipts" title={say.receipts} lead={say.receiptsLead}>
      {receipts.length === 0 ? (
        <p class="quiet">{say.noReceipts}</p>
      ) : (
        <Table class="dense blocks" label={say.receipts} columns={[say.when, say.decision, say.brand]}>
          {receipts.map(({ uuid, at, action, brandName }) => (
            <tr key={uuid}>
              <td>
                <Time at={at} />
              </td>
              <td>
                <code>{action}</code>
              </td>
              <td>{brandName ?? <span class="quiet">{say.noBrand}</span>}</td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

function Looks({ looks }: Pick<PersonRecord, "looks">) {
  return (
    <Section id="looks" title={say.looks}>
      <Table class="dense blocks" label={say.looks} columns={[say.when, say.who, all.audit.what, say.why]}>
        {looks.map(({ at, who, action, reason }) => (
          <tr key={`${at} ${who} ${action}`}>
            <td>
              <Time at={at} seconds />
            </td>
            <td>{who}</td>
            <td>{actionName(action)}</td>
            <td>{reason ?? "–"}</td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

function Receipt({ isReset, receipt }: Deleted) {
  return (
    <>
      <Notice kind="good">
        <strong>{isReset ? say.reset : say.deleted}</strong>
        <p>{say.deletedLead}</p>
      </Notice>
      <CopyBlock title={say.receipt} language="text" text={receipt} />
    </>
  );
}
