import type { DueLine, MasterKeyLine, SweepLine } from "@countersign/contract/console-retention";
import { Empty, Notice, Time } from "../dashboard/controls/controls.tsx";
import { CopyBlock } from "../dashboard/controls/copy.tsx";
import { Section } from "../dashboard/controls/section.tsx";
import { figure, Table } from "../dashboard/controls/table.tsx";
import { Load, Page, useLoad } from "../dashboard/frame/page.tsx";
import { api } from "./api.ts";
import type { ScreenProps } from "./screen-props.ts";
import { countOf, shareOf, Tile } from "./tile.tsx";
import { say as all } from "./words.ts";
import { retentionWords as say } from "./words-service.ts";

/** What was erased, what is due next, and the keys that encrypt personal data. */
export function RetentionScreen({ me: { environments } }: ScreenProps) {
  const { state } = useLoad(() => api.readRetention(), []);
  const nameOf = (environment: string, text: string) =>
    environments.length < 2
      ? text
      : `${text}, ${environment === "sandbox" ? all.environments.sandbox : all.environments.production}`;
  return (
    <Page name="retention" title={say.title} lead={say.lead}>
      <Load of={state}>
        {({ sweeps, due, masterKeys, away }) => (
          <>
            <Failing sweeps={sweeps} />
            <Summary sweeps={sweeps} due={due} masterKeys={masterKeys} />
            {environments.map((environment) => (
              <Erased
                key={environment}
                title={nameOf(environment, say.erased)}
                sweeps={sweeps.filter((one) => one.environment === environment)}
              />
            ))}
            {environments.map((environment) => (
              <Due
                key={environment}
                title={nameOf(environment, say.due)}
                due={due.filter((one) => one.environment === environment)}
              />
            ))}
            <Keys masterKeys={masterKeys} away={away} />
          </>
        )}
      </Load>
    </Page>
  );
}

function Failing({ sweeps }: { sweeps: readonly SweepLine[] }) {
  const failing = sweeps.filter(({ isFailing }) => isFailing).map(({ sweep }) => say.sweep(sweep));
  if (failing.length === 0) return null;
  return (
    <Notice kind="bad">
      <p>
        <strong>{say.failing(failing)}</strong>
      </p>
      <p>{say.failingLead}</p>
    </Notice>
  );
}

type SummaryProps = { sweeps: readonly SweepLine[]; due: readonly DueLine[]; masterKeys: readonly MasterKeyLine[] };

function Summary({ sweeps, due, masterKeys }: SummaryProps) {
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  const late = sum(due.map((one) => one.due));
  const next = due.flatMap(({ nextAt }) => nextAt ?? []);
  const isMoving = masterKeys.some(isRetiring);
  return (
    <dl class="tiles four">
      <Tile title={say.erasedToday} value={countOf(sum(sweeps.map(({ erasedToday }) => erasedToday)))}>
        {say.erasedMonth(sum(sweeps.map(({ erased }) => erased)))}
      </Tile>
      <Tile title={say.dueNow} value={say.many(late)}>
        {late === 0 ? say.onTime : say.withinSeconds}
      </Tile>
      <Tile title={say.dueSoon} value={say.many(sum(due.map(({ soon }) => soon)))}>
        {next.length === 0 ? (
          say.nothingNext
        ) : (
          <>
            {say.first} <Time at={Math.min(...next)} />
          </>
        )}
      </Tile>
      <Tile title={say.keys} value={isMoving ? say.rotatingShort : say.inUse} isBad={isMoving}>
        {say.wrapsAll(sum(masterKeys.map(({ wraps }) => wraps)))}
      </Tile>
    </dl>
  );
}

function Erased({ title, sweeps }: { title: string; sweeps: readonly SweepLine[] }) {
  return (
    <Section id={`erased-${title}`} title={title} lead={say.erasedLead}>
      {sweeps.length === 0 ? (
        <Empty title={say.nothing} text={say.nothingLead} />
      ) : (
        <Table
          class="dense blocks figures"
          label={title}
          columns={[say.what, figure(say.today), figure(say.month), say.last, figure(say.failures)]}
        >
          {sweeps.map(({ sweep, erasedToday, erased, erasedAt, failures, failedAt, isFailing }) => (
            <tr key={sweep}>
              <th scope="row">
                {say.sweep(sweep)} {isFailing ? <span class="tag bad">{say.fails}</span> : null}
              </th>
              <td class="figure">
                <span class="block-label">{say.today}: </span>
                {countOf(erasedToday)}
              </td>
              <td class="figure">
                <span class="block-label">{say.month}: </span>
                {countOf(erased)}
              </td>
              <td>
                <span class="block-label">{say.last}: </span>
                <Time at={erasedAt} none={say.never} />
              </td>
              <td class="figure">
                <span class="block-label">{say.failures}: </span>
                {failures === 0 ? "0" : <span class="tag warn">{countOf(failures)}</span>}
                {failures === 0 ? null : (
                  <p class="quiet">
                    <Time at={failedAt} />
                  </p>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

function Due({ title, due }: { title: string; due: readonly DueLine[] }) {
  const [set, unset] = [due.filter(({ nextAt, due: late }) => nextAt !== null || late > 0), due.filter(isUnset)];
  return (
    <Section id={`due-${title}`} title={title} lead={say.dueLead}>
      {set.length === 0 ? null : (
        <Table
          class="dense blocks figures"
          label={title}
          columns={[say.what, figure(say.now), figure(say.soon), say.next]}
        >
          {set.map((one) => (
            <tr key={one.table}>
              <th scope="row">{say.table(one.table)}</th>
              <td class="figure">
                <span class="block-label">{say.now}: </span>
                {say.many(one.due)}
              </td>
              <td class="figure">
                <span class="block-label">{say.soon}: </span>
                {say.many(one.soon)}
              </td>
              <td>
                <span class="block-label">{say.next}: </span>
                <Time at={one.nextAt} none={say.never} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {unset.length === 0 ? null : <p class="quiet after">{say.noneDue(unset.map((one) => say.table(one.table)))}</p>}
    </Section>
  );
}

/** Nothing in the table has a time. */
const isUnset = ({ nextAt, due }: DueLine) => nextAt === null && due === 0;

const databaseName = (cell: number) => (cell === 0 ? say.firstDatabase : say.cell(cell));
/** A retired master key that still wraps keys: its rotation has not finished. */
const isRetiring = ({ retiredAt, emptiedAt }: MasterKeyLine) => retiredAt !== null && emptiedAt === null;

function Keys({ masterKeys, away }: { masterKeys: readonly MasterKeyLine[]; away: readonly number[] }) {
  const all = masterKeys.reduce((sum, { wraps }) => sum + wraps, 0);
  const left = masterKeys.filter(isRetiring).reduce((sum, { wraps }) => sum + wraps, 0);
  const done = all === 0 ? 0 : (all - left) / all;
  return (
    <Section id="keys" title={say.keys} lead={say.keysLead}>
      {away.length === 0 ? null : <Notice kind="bad">{say.away(away.map(databaseName))}</Notice>}
      {masterKeys.some(isRetiring) ? (
        <Notice kind="bad">
          <p>
            <strong>{say.rotating(shareOf(done))}</strong>
          </p>
          <progress max={1} value={done} aria-label={say.rotating(shareOf(done))} />
          <p>{say.rotatingLead}</p>
          <CopyBlock title={say.rotating(shareOf(done))} language="sh" text={say.rotateCommand} />
        </Notice>
      ) : null}
      <Table
        class="dense blocks"
        label={say.keys}
        columns={[say.key, say.database, say.state, say.since, figure(say.wraps)]}
      >
        {masterKeys.map((key) => (
          <tr key={`${key.cell} ${key.id}`}>
            <th scope="row">
              <code>{key.id}</code>
            </th>
            <td>{databaseName(key.cell)}</td>
            <td>
              <span class={key.retiredAt === null ? "tag good" : isRetiring(key) ? "tag warn" : "tag"}>
                {key.retiredAt === null ? say.inUse : isRetiring(key) ? say.retiring : say.retired}
              </span>
            </td>
            <td>
              <Time at={key.emptiedAt ?? key.retiredAt ?? key.usedAt} />
            </td>
            <td class="figure">
              <span class="block-label">{say.wraps}: </span>
              {countOf(key.wraps)}
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
