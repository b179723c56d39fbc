import type { VendorLine } from "@countersign/contract/console-vendors";
import { Empty, Notice, Time } from "../dashboard/controls/controls.tsx";
import { CopyBlock } from "../dashboard/controls/copy.tsx";
import { Fold } from "../dashboard/controls/fold.tsx";
import { Section } from "../dashboard/controls/section.tsx";
import { figure, Table } from "../dashboard/controls/table.tsx";
import { Load, Page } from "../dashboard/frame/page.tsx";
import { api } from "./api.ts";
import type { ScreenProps } from "./screen-props.ts";
import { countOf, shareOf, Tile } from "./tile.tsx";
import { useFigures } from "./use-figures.ts";
import { vendorWords as say } from "./words-service.ts";

/** The configured adapters, and how their vendors answer: those that are not called now first. */
export function VendorsScreen({ me: { docsUrl } }: ScreenProps) {
  const state = useFigures(() => api.readVendors());
  return (
    <Page name="vendors" title={say.title} lead={say.lead}>
      <Load of={state}>
        {({ vendors, since, hasProduction }) => {
          const configured = vendors.filter(({ vendor }) => vendor !== null);
          const missing = vendors.filter(({ vendor }) => vendor === null);
          return (
            <>
              {configured.length === 0 && !hasProduction ? (
                <Empty title={say.none} text={say.noneLead}>
                  <div class="row-actions">
                    <Guide to={`${docsUrl}/guides/vendors`} label={say.allGuides} class="button main" />
                  </div>
                </Empty>
              ) : (
                <Notice>
                  {say.since} <Time at={since} />. {say.metrics}{" "}
                  <Guide to={`${docsUrl}/operate/monitor`} label={say.toMetrics} />
                </Notice>
              )}
              {configured
                .toSorted((a, b) => Number(a.breaker === "closed") - Number(b.breaker === "closed"))
                .map((one) => (
                  <Vendor key={one.purpose} line={one} docsUrl={docsUrl} />
                ))}
              {missing.length === 0 ? null : <Missing lines={missing} docsUrl={docsUrl} />}
            </>
          );
        }}
      </Load>
    </Page>
  );
}

type GuideProps = { to: string; label: string; subject?: string; class?: string };

/** A link to a part of the documents, in another tab. */
function Guide({ to, label, subject, class: look }: GuideProps) {
  return (
    <a href={to} class={look} target="_blank" rel="noreferrer">
      {label}
      {subject === undefined ? null : <span class="hidden"> {subject}</span>}
    </a>
  );
}

const ms = (value: number | null) => (value === null ? "–" : `${countOf(value)} ms`);

function Vendor({ line, docsUrl }: { line: VendorLine; docsUrl: string }) {
  const { purpose, vendor, breaker, calls, p50Ms, p95Ms, hitShare, outcomes, errors } = line;
  const command = say.conformance[purpose];
  const { name } = say.purposes[purpose];
  const answers = outcomes.map(({ outcome, count }) => say.outcomeCount(outcome, count)).join(", ");
  const isWell = breaker === "closed";
  return (
    <section class={isWell ? "case" : "case bad"} aria-labelledby={`vendor-${purpose}`}>
      <header class="case-head">
        <h2 id={`vendor-${purpose}`}>
          {name}{" "}
          {isWell && calls === 0 ? (
            <span class="tag">{say.notYet}</span>
          ) : (
            <span class={isWell ? "tag good" : "tag bad"}>{say.breaker[breaker]}</span>
          )}
        </h2>
        <p class="quiet">
          <code>{vendor}</code> · <Guide to={`${docsUrl}/${guideOf(line)}`} label={say.guide} subject={name} />
        </p>
      </header>
      {isWell ? null : (
        <Notice kind="bad">
          <p>
            <strong>{say.breakerSays[breaker]}</strong>
          </p>
          <p>
            {say.effects[purpose]}{" "}
            <Guide to={`${docsUrl}/operate/monitor#countersignvendordown`} label={say.whatToDo} subject={name} />
          </p>
        </Notice>
      )}
      {calls === 0 ? null : (
        <dl class={say.hitsSay[purpose] === "" ? "tiles" : "tiles four"}>
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
      )}
      {errors.length === 0 ? null : <Errors line={line} />}
      {command === undefined ? null : (
        <Fold title={say.test} isOpen={!isWell}>
          <p class="quiet">{say.testLead}</p>
          <CopyBlock title={say.command} language="sh" text={command} />
        </Fold>
      )}
    </section>
  );
}

/** The newest failed calls. Equal ones in a row are one line, because a vendor that is down fails in the same way. */
function Errors({ line: { purpose, errors } }: { line: VendorLine }) {
  const runs: { newest: VendorLine["errors"][number]; count: number }[] = [];
  for (const one of errors) {
    const last = runs.at(-1);
    if (last?.newest.operation === one.operation && last.newest.outcome === one.outcome) last.count += 1;
    else runs.push({ newest: one, count: 1 });
  }
  return (
    <>
      <h3>{say.errors}</h3>
      <Table
        class="dense blocks figures"
        label={`${say.errors}: ${say.purposes[purpose].name}`}
        columns={[say.outcome, say.operation, figure(say.times), say.newest]}
      >
        {runs.map(({ newest: { at, operation, outcome }, count }, index) => (
          <tr key={`${at} ${index}`}>
            <th scope="row">{say.outcomeName(outcome)}</th>
            <td>
              <code>{operation}</code>
            </td>
            <td class="figure">
              <span class="block-label">{say.times}: </span>
              {countOf(count)}
            </td>
            <td>
              <Time at={at} seconds />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

/** The part of the documents about a vendor. Texts have a part for each kind of gateway. */
function guideOf({ purpose, vendor }: Pick<VendorLine, "purpose" | "vendor">): string {
  return vendor === "twilio" ? "guides/vendors#twilio" : say.guides[purpose];
}

function Missing({ lines, docsUrl }: { lines: readonly VendorLine[]; docsUrl: string }) {
  return (
    <Section id="missing" title={say.missing} lead={say.missingLead}>
      <Table class="dense blocks" label={say.missing} columns={[say.purpose, say.setting, say.guideColumn]}>
        {lines.map((line) => (
          <tr key={line.purpose}>
            <th scope="row">{say.purposes[line.purpose].name}</th>
            <td>
              <code>{say.purposes[line.purpose].settings}</code>
            </td>
            <td>
              <Guide to={`${docsUrl}/${guideOf(line)}`} label={say.setUp} subject={say.purposes[line.purpose].name} />
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
