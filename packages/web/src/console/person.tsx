import type { PersonRecord } from "@countersign/contract/console-people";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../dashboard/controls/button.tsx";
import { Empty, Notice, Time } from "../dashboard/controls/controls.tsx";
import { CopyBlock, CopyValue } from "../dashboard/controls/copy.tsx";
import { Pairs } from "../dashboard/controls/pairs.tsx";
import { Section } from "../dashboard/controls/section.tsx";
import { figure, Table } from "../dashboard/controls/table.tsx";
import { Page } from "../dashboard/frame/page.tsx";
import { api } from "./api.ts";
import { type Asked, LookForm } from "./look-form.tsx";
import { ReasonDialog } from "./reason-dialog.tsx";
import type { ScreenProps } from "./screen-props.ts";
import { actionName, say as all } from "./words.ts";

const say = all.people;
/** How long a record stays on the screen. */
const shownMs = 10 * 60_000;

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
  // Nobody should find a record on a screen that was left open.
  useEffect(() => {
    if (answer === null && deleted === null) return;
    const timer = setTimeout(again, shownMs);
    return () => clearTimeout(timer);
  }, [answer, deleted]);
  const another = answer === null && deleted === null ? null : <Button label={say.another} onClick={again} />;
  return (
    <Page name="person" title={say.title} lead={say.lead} aside={another}>
      {deleted !== null ? (
        <Receipt {...deleted} />
      ) : answer === null ? (
        <LookForm
          environments={me.environments}
          words={say}
          ask={(body) => api.lookAtPerson({ body })}
          onAnswer={({ person }, asked) => setAnswer({ asked, person })}
        />
      ) : answer.person === null ? (
        <Empty title={say.none} text={say.noneLead} />
      ) : (
        <Record asked={answer.asked} person={answer.person} onDeleted={setDeleted} />
      )}
    </Page>
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
        <Pairs
          of={[
            [say.uuid, <CopyValue key={uuid} text={uuid} subject={say.uuid} />],
            [say.firstSeen, <Time key={uuid} at={firstSeenAt} />],
            [say.lastProven, <Time key={uuid} at={lastProvenAt} />],
          ]}
        />
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
