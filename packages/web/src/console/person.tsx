import type { PersonRecord } from "@countersign/contract/console-people";
import { Download } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../dashboard/controls/button.tsx";
import { Day, Empty, Notice, Time } from "../dashboard/controls/controls.tsx";
import { CopyBlock, CopyValue } from "../dashboard/controls/copy.tsx";
import { Fold } from "../dashboard/controls/fold.tsx";
import { saveFile } from "../dashboard/controls/save-csv.ts";
import { Section } from "../dashboard/controls/section.tsx";
import { figure, Table } from "../dashboard/controls/table.tsx";
import { Link } from "../dashboard/frame/navigation.tsx";
import { Page } from "../dashboard/frame/page.tsx";
import { words } from "../dashboard/words.ts";
import { api } from "./api.ts";
import { Calm } from "./calm.tsx";
import { type Asked, LookForm } from "./look-form.tsx";
import { ReasonDialog } from "./reason-dialog.tsx";
import type { ScreenProps } from "./screen-props.ts";
import { countOf, Tile } from "./tile.tsx";
import { actionName, say as all } from "./words.ts";
import { peopleWords as say, stateName, tableName } from "./words-people.ts";

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
        <div class="form-beside">
          <LookForm
            environments={me.environments}
            words={say}
            ask={(body) => api.lookAtPerson({ body })}
            onAnswer={({ person }, asked) => setAnswer({ asked, person })}
          />
          <section class="before-look" aria-labelledby="steps">
            <h2 id="steps">{say.steps}</h2>
            <ol>
              {say.stepTexts.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ol>
          </section>
        </div>
      ) : answer.person === null ? (
        <Empty title={say.none} text={say.noneLead}>
          <div class="row-actions">
            <Link to="/audit?group=deletions" class="button">
              {say.toDeletions}
            </Link>
          </div>
        </Empty>
      ) : (
        <Record asked={answer.asked} person={answer.person} onDeleted={setDeleted} />
      )}
    </Page>
  );
}

type RecordProps = { asked: Asked; person: PersonRecord; onDeleted(deleted: Deleted): void };

function Record({ asked, person, onDeleted }: RecordProps) {
  const [isAsking, setAsking] = useState(false);
  const { uuid, earlierHolders, firstSeenAt, lastProvenAt, isFixed, stored, receipts } = person;
  const brands = new Set(stored.flatMap(({ brand }) => brand?.uuid ?? []));
  return (
    <>
      {earlierHolders === 0 ? null : <Notice>{say.holders(earlierHolders)}</Notice>}
      <dl class="tiles four">
        <Tile title={say.brands} value={countOf(brands.size)}>
          {say.brandsSay}
        </Tile>
        <Tile title={say.records} value={countOf(stored.reduce((sum, { count }) => sum + count, 0))}>
          {say.recordsSay}
        </Tile>
        <Tile title={say.firstSeen} value={<Day at={firstSeenAt} />} />
        <Tile title={say.lastProven} value={lastProvenAt === null ? words.never : <Day at={lastProvenAt} />}>
          {lastProvenAt === null ? null : <Time at={lastProvenAt} />}
        </Tile>
      </dl>
      <Stored stored={stored} />
      <Receipts receipts={receipts} />
      <Looks looks={person.looks} />
      <Section id="id" title={say.uuid}>
        <CopyValue text={uuid} subject={say.uuid} />
      </Section>
      <div class="danger-zone">
        <p>
          <strong>{isFixed ? say.resetHead : say.remove}</strong>
          <span class="quiet">{isFixed ? say.fixed : say.removeLead}</span>
        </p>
        <Button label={isFixed ? say.resetAction : say.remove} look="danger" onClick={() => setAsking(true)} />
      </div>
      {isAsking ? (
        <ReasonDialog
          title={isFixed ? say.resetTitle : say.removeTitle}
          text={isFixed ? say.resetText : say.removeText}
          action={isFixed ? say.resetAction : say.removeAction}
          isDanger
          ask={(reason) => api.deletePersonForSupport({ body: { ...asked, person: uuid, reason } })}
          onDone={onDeleted}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

/** What exists, below the name of the brand that it belongs to. */
function Stored({ stored }: Pick<PersonRecord, "stored">) {
  const ofBrands = [...Map.groupBy(stored, ({ brand }) => brand?.uuid ?? "")];
  ofBrands.sort(([a, [first]], [b, [second]]) =>
    a === "" || b === "" ? a.length - b.length : (first?.brand?.name ?? "").localeCompare(second?.brand?.name ?? ""),
  );
  return (
    <Section id="found" title={say.found} lead={say.foundLead}>
      <Table
        class="dense blocks figures"
        label={say.found}
        columns={[say.what, say.state, figure(say.count), say.latest]}
      >
        {ofBrands.map(([uuid, lines]) => [
          <tr key={uuid} class="day-row">
            <th colSpan={4} scope="rowgroup">
              {nameOf(lines[0]?.brand ?? null)}
            </th>
          </tr>,
          ...lines.map((line) => <StoredLine key={`${line.table} ${uuid} ${line.state}`} line={line} />),
        ])}
      </Table>
    </Section>
  );
}

/** A brand with its customer, because several customers can have a brand of the same name. */
function nameOf(brand: PersonRecord["stored"][number]["brand"]): string {
  if (brand === null) return say.noBrand;
  return brand.name === brand.customerName ? brand.name : `${brand.name} · ${brand.customerName}`;
}

function StoredLine({ line: { table, state, count, lastAt } }: { line: PersonRecord["stored"][number] }) {
  return (
    <tr>
      <th scope="row">{tableName(table)}</th>
      <td>{state === null ? null : stateName(table, state)}</td>
      <td class="figure">
        <span class="block-label">{say.count}: </span>
        {countOf(count)}
      </td>
      <td>
        <Time at={lastAt} />
      </td>
    </tr>
  );
}

/** The newest receipts are shown at once, the others below a fold. */
const receiptsShown = 10;

function Receipts({ receipts }: Pick<PersonRecord, "receipts">) {
  const others = receipts.slice(receiptsShown);
  return (
    <Section id="receipts" title={say.receipts} lead={say.receiptsLead}>
      {receipts.length === 0 ? (
        <p class="quiet">{say.noReceipts}</p>
      ) : (
        <ReceiptTable label={say.receipts} receipts={receipts.slice(0, receiptsShown)} />
      )}
      {others.length === 0 ? null : (
        <Fold title={say.olderReceipts(others.length)}>
          <ReceiptTable label={say.olderReceipts(others.length)} receipts={others} />
        </Fold>
      )}
    </Section>
  );
}

function ReceiptTable({ label, receipts }: Pick<PersonRecord, "receipts"> & { label: string }) {
  return (
    <Table class="dense blocks" label={label} columns={[say.decision, say.brand, say.when]}>
      {receipts.map(({ uuid, at, action, brandName }) => (
        <tr key={uuid}>
          <th scope="row">{stateName("consent", action)}</th>
          <td>{brandName ?? <span class="quiet">{say.noBrand}</span>}</td>
          <td>
            <Time at={at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Looks({ looks }: Pick<PersonRecord, "looks">) {
  return (
    <Section id="looks" title={say.looks}>
      <Table class="dense blocks figures" label={say.looks} columns={[say.who, all.audit.what, say.why, say.when]}>
        {looks.map(({ at, who, action, reason }) => (
          <tr key={`${at} ${who} ${action}`}>
            <th scope="row">{who}</th>
            <td>{actionName(action)}</td>
            <td>{reason}</td>
            <td>
              <Time at={at} seconds />
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

/** The signed receipt. The operator sends it to the person, so it can be copied and saved. */
function Receipt({ isReset, receipt }: Deleted) {
  return (
    <>
      <Calm role="status" title={isReset ? say.reset : say.deleted} text={say.deletedLead} />
      <CopyBlock title={say.receipt} language="text" text={receipt} />
      <div class="row-actions">
        <Button icon={Download} label={say.saveReceipt} onClick={() => saveFile("receipt-of-deletion.txt", receipt)} />
        <Link to="/audit?group=deletions">{say.toDeletions}</Link>
      </div>
    </>
  );
}
