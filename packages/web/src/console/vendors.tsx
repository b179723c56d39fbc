import type { VendorLine } from "@countersign/contract/console-vendors";
import { Empty, Time } from "../dashboard/controls/controls.tsx";
import { CopyBlock } from "../dashboard/controls/copy.tsx";
import { Fold } from "../dashboard/controls/fold.tsx";
import { Section } from "../dashboard/controls/section.tsx";
import { Table } from "../dashboard/controls/table.tsx";
import { Load, Page } from "../dashboard/frame/page.tsx";
import { api } from "./api.ts";
import { countOf, shareOf, Tile } from "./tile.tsx";
import { useFigures } from "./use-figures.ts";
import { vendorWords as say } from "./words-service.ts";

/** The configured adapters, and how their vendors answer. */
export function VendorsScreen() {
  const state = useFigures(() => api.readVendors());
  return (
    <Page name="vendors" title={say.title} lead={say.lead}>
      <Load of={state}>
        {({ vendors, since, hasProduction }) => {
          const configured = vendors.filter(({ vendor }) => vendor !== null);
          const missing = vendors.filter(({ vendor }) => vendor === null);
          return (
            <>
              {configured.length === 0 && !hasProduction ? <Empty title={say.none} text={say.noneLead} /> : null}
              {configured.map((one) => (
                <Vendor key={one.purpose} line={one} />
              ))}
              {missing.length === 0 ? null : <Missing lines={missing} />}
              <p class="quiet">
                {say.since} <Time at={since} />. {say.metrics}
              </p>
            </>
          );
        }}
      </Load>
    </Page>
  );
}

const ms = (value: number | null) => (value === null ? "–" : `${countOf(value)} ms`);

function Vendor({ line }: { line: VendorLine }) {
  const { purpose, vendor, breaker, calls, p50Ms, p95Ms, hitShare, outcomes, errors } = line;
  const command = say.conformance[purpose];
  const answers = outcomes.map(({ outcome, count }) => `${outcome}: ${countOf(count)}`).join(", ");
  return (
    <section class="case" aria-labelledby={`vendor-${purpose}`}>
      <header class="case-head">
        <h2 id={`vendor-${purpose}`}>
          {say.purposes[purpose].name}{" "}
          <span class={breaker === "closed" ? "tag good" : "tag bad"}>{say.breaker[breaker]}</span>
        </h2>
        <p class="quiet">
          <code>{vendor}</code> {say.breakerSays[breaker]}
        </p>
      </header>
      <dl class="tiles">
        <Tile title={say.calls} value={countOf(calls)}>
          {answers}
        </Tile>
        <Tile title={say.p50} value={ms(p50Ms)} />
        <Tile title={say.p95} value={ms(p95Ms)} />
        {say.hitsSay[purpose] === "" ? null : (
          <Tile title={say.hits} value={hitShare === null ? "–" : shareOf(hitShare)}>
            {say.hitsSay[purpose]}
          </Tile>
        )}
      </dl>
      {errors.length === 0 ? null : (
        <>
          <h3>{say.errors}</h3>
          <Table
            class="dense blocks figures"
            label={`${say.errors}: ${say.purposes[purpose].name}`}
            columns={[say.when, say.operation, say.outcome]}
          >
            {errors.map(({ at, operation, outcome }, index) => (
              <tr key={`${at} ${index}`}>
                <td>
                  <Time at={at} seconds />
                </td>
                <td>
                  <code>{operation}</code>
                </td>
                <td>{outcome}</td>
              </tr>
            ))}
          </Table>
        </>
      )}
      {command === undefined ? null : (
        <Fold title={say.test}>
          <p class="quiet">{say.testLead}</p>
          <CopyBlock title={say.command} language="sh" text={command} />
        </Fold>
      )}
    </section>
  );
}

function Missing({ lines }: { lines: readonly VendorLine[] }) {
  return (
    <Section id="missing" title={say.missing} lead={say.missingLead}>
      <Table class="dense blocks" label={say.missing} columns={[say.purpose, say.setting]}>
        {lines.map(({ purpose }) => (
          <tr key={purpose}>
            <th scope="row">{say.purposes[purpose].name}</th>
            <td>
              <code>{say.purposes[purpose].settings}</code>
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
