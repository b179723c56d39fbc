import type { LedgerLine, UsageMonth } from "@countersign/contract/dashboard-reporting";
import { Download as DownloadIcon } from "lucide";
import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Empty, Notice, Time, TroubleNotice } from "../controls/controls.tsx";
import { saveCsv } from "../controls/save-csv.ts";
import { figure, Table, WithOlder } from "../controls/table.tsx";
import { type BrandPageProps, Load, Page, StartLink, useAction, useLoad } from "../frame/page.tsx";
import { LagNote } from "./lag-note.tsx";
import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.usage;
type Params = { brand: string; environment: "sandbox" | "production" };
/** Number of months that are shown at first. */
const sideBySide = 3;
const groups = [
  { name: "verify", items: ["textsSent", "verifyAutofills", "verifications"] },
  { name: "signup", items: ["signups", "riskSignals"] },
  { name: "health", items: ["healthAutofills", "healthChecks"] },
] as const;

/** The billed usage by month, and the earnings. */
export function UsageScreen({ brand, environment }: BrandPageProps) {
  const params: Params = { brand: brand.uuid, environment };
  const usage = useLoad(() => api.readUsage({ params }), [brand.uuid, environment]);
  const ledger = useLoad(() => api.listLedger({ params, query: {} }), [brand.uuid, environment]);
  const isUnused = usage.state.kind === "ok" && !usage.state.value.data.some(isUsed);
  return (
    <Page
      name="usage"
      title={say.title}
      lead={say.lead}
      aside={isUnused ? null : <Download params={params} of="usage" />}
    >
      <LagNote />
      <Load of={usage.state}>
        {({ data }) => <Usage months={data} start={`/brands/${brand.uuid}/${environment}/start`} />}
      </Load>
      <div class="section-head usage-ledger">
        <h2>{say.ledger}</h2>
        {ledger.state.kind === "ok" && ledger.state.value.data.length > 0 ? (
          <Download params={params} of="ledger" />
        ) : null}
      </div>
      <p class="quiet">{say.ledgerLead}</p>
      <Load of={ledger.state}>
        {(first) => (
          <WithOlder first={first} ask={(older) => api.listLedger({ params, query: { older } })}>
            {(lines) => <Ledger lines={lines} />}
          </WithOlder>
        )}
      </Load>
    </Page>
  );
}

function Download({ params, of }: { params: Params; of: "usage" | "ledger" }) {
  const action = useAction();
  const [isCut, setCut] = useState(false);
  const download = () =>
    void action.run(
      () => api.exportUsage({ params, query: { of } }),
      ({ csv, isWhole }) => {
        setCut(!isWhole);
        saveCsv(`${of}-${params.environment}.csv`, csv);
      },
    );
  return (
    <>
      <Button icon={DownloadIcon} label={say.download} subject={say.downloadOf[of]} onClick={download} />
      {isCut ? <Notice>{say.cut}</Notice> : null}
      <TroubleNotice trouble={action.trouble} />
    </>
  );
}

type Item = (typeof groups)[number]["items"][number];
const isUsed = (month: UsageMonth) => groups.some(({ items }) => items.some((item) => month[item] > 0));

/** The latest months side by side. Older ones are shown on demand. */
function Usage({ months, start }: { months: readonly UsageMonth[]; start: string }) {
  const [hasOlder, setOlder] = useState(false);
  const last = months.findLastIndex(isUsed);
  if (last < 0)
    return (
      <Empty title={say.noUsage} text={say.noUsageLead}>
        <StartLink to={start} />
      </Empty>
    );
  return (
    <>
      <Months months={months.slice(0, hasOlder ? last + 1 : sideBySide)} />
      <p class="quiet after">{say.dash}</p>
      {last < sideBySide || hasOlder ? null : (
        <p class="pager">
          <Button label={say.olderMonths} onClick={() => setOlder(true)} />
        </p>
      )}
    </>
  );
}

/** A row per item that is billed, and a column per month. */
function Months({ months }: { months: readonly UsageMonth[] }) {
  const used = groups
    .map(({ name, items }) => ({ name, items: items.filter((item) => months.some((month) => month[item] > 0)) }))
    .filter(({ items }) => items.length > 0);
  if (used.length === 0) return <p class="chart-empty quiet">{say.notLately}</p>;
  return (
    <Table class="dense usage" columns={[say.item, ...months.map(({ month }) => figure(monthOf(month)))]}>
      {used.map(({ name, items }) => (
        <Fragment key={name}>
          <tr class="group-row">
            <th scope="rowgroup" colSpan={months.length + 1}>
              {say.groups[name]}
            </th>
          </tr>
          {items.map((item) => (
            <ItemRow key={item} item={item} months={months} />
          ))}
        </Fragment>
      ))}
    </Table>
  );
}

function ItemRow({ item, months }: { item: Item; months: readonly UsageMonth[] }) {
  return (
    <tr>
      <th scope="row">
        {say.items[item]} <span class="quiet">{say.means[item]}</span>
      </th>
      {months.map((month) => (
        <td key={month.month} class={month[item] === 0 ? "figure quiet" : "figure"}>
          {month[item] === 0 ? "–" : month[item].toLocaleString("en-US")}
        </td>
      ))}
    </tr>
  );
}

function monthOf(month: string): string {
  return new Intl.DateTimeFormat("en-US", { month: "short", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
}

const kinds: Readonly<Record<string, string>> = say.kinds;

function Ledger({ lines }: { lines: readonly LedgerLine[] }) {
  if (lines.length === 0) return <Empty title={say.none} text={say.noneLead} />;
  return (
    <Table class="dense blocks" columns={[say.when, say.kind, say.subject, say.cause]}>
      {lines.map((line) => (
        <tr key={line.id}>
          <td>
            <Time at={line.at} />
          </td>
          <td>{kinds[line.kind] ?? line.kind}</td>
          <td>
            <span class="block-label">{say.subject}: </span>
            <code>{line.subjectUuid}</code>
          </td>
          <td>
            <span class="block-label">{say.cause}: </span>
            <code>{line.causeUuid}</code>
          </td>
        </tr>
      ))}
    </Table>
  );
}
