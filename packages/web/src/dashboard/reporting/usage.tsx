import type { LedgerLine, UsageMonth } from "@countersign/contract/dashboard-reporting";
import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Notice, Time, TroubleNotice } from "../controls/controls.tsx";
import { saveCsv } from "../controls/save-csv.ts";
import { Table, TableBox, WithOlder } from "../controls/table.tsx";
import { type BrandPageProps, Load, Page, useAction, useLoad } from "../frame/page.tsx";
import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.usage;
type Params = { brand: string; environment: "sandbox" | "production" };
const columns = [
  "textsSent",
  "verifyAutofills",
  "verifications",
  "signups",
  "riskSignals",
  "healthAutofills",
  "healthChecks",
] as const;

/** The billed usage by month, and the earnings. */
export function UsageScreen({ brand, environment }: BrandPageProps) {
  const params: Params = { brand: brand.uuid, environment };
  const usage = useLoad(() => api.readUsage({ params }), [brand.uuid, environment]);
  const ledger = useLoad(() => api.listLedger({ params, query: {} }), [brand.uuid, environment]);
  return (
    <Page name="usage" title={say.title} lead={say.lead} aside={<Download params={params} of="usage" />}>
      <Load of={usage.state}>{({ data }) => <Months months={data.filter(isUsed)} />}</Load>
      <Terms />
      <div class="section-head usage-ledger">
        <h2>{say.ledger}</h2>
        <Download params={params} of="ledger" />
      </div>
      <p class="quiet">{say.ledgerLead}</p>
      <Load of={ledger.state}>
        {(first) => (
          <WithOlder first={first} ask={(before) => api.listLedger({ params, query: { before } })}>
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
      <Button label={say.download} about={say.downloadOf[of]} onClick={download} />
      {isCut ? <Notice>{say.cut}</Notice> : null}
      <TroubleNotice trouble={action.trouble} />
    </>
  );
}

/** The current month is shown in any case. */
function isUsed(month: UsageMonth, place: number): boolean {
  return place === 0 || columns.some((column) => month[column] > 0);
}

/** What each column counts. */
function Terms() {
  return (
    <details class="usage-terms">
      <summary>{say.terms}</summary>
      <dl class="pairs">
        {columns.map((column) => (
          <div key={column}>
            <dt>{say.columns[column]}</dt>
            <dd>{say.means[column]}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Months({ months }: { months: readonly UsageMonth[] }) {
  return (
    <TableBox>
      <table>
        <thead>
          <tr>
            <th scope="col" rowSpan={2}>
              {say.month}
            </th>
            <th scope="colgroup" colSpan={3}>
              {say.groups.verify}
            </th>
            <th scope="colgroup" colSpan={2}>
              {say.groups.signup}
            </th>
            <th scope="colgroup" colSpan={2}>
              {say.groups.health}
            </th>
          </tr>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" class="figure wraps">
                {say.columns[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.map((month) => (
            <tr key={month.month}>
              <th scope="row" class="fixed">
                {monthOf(month.month)}
              </th>
              {columns.map((column) => (
                <td key={column} class={month[column] === 0 ? "figure quiet" : "figure"}>
                  {month[column].toLocaleString("en-US")}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

function monthOf(month: string): string {
  return new Intl.DateTimeFormat("en-US", { month: "short", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
}

const kinds: Readonly<Record<string, string>> = say.kinds;

function Ledger({ lines }: { lines: readonly LedgerLine[] }) {
  if (lines.length === 0) return <p class="chart-empty quiet">{say.none}</p>;
  return (
    <Table class="log" columns={[say.when, say.kind, say.subject, say.cause]}>
      {lines.map((line) => (
        <tr key={line.id}>
          <td>
            <Time at={line.at} />
          </td>
          <td>{kinds[line.kind] ?? line.kind}</td>
          <td>
            <code>{line.subjectUuid}</code>
          </td>
          <td>
            <code>{line.causeUuid}</code>
          </td>
        </tr>
      ))}
    </Table>
  );
}
