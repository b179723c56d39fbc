import type { ConsoleAuditLine } from "@countersign/contract/console-audit";
import type { ComponentChildren } from "preact";
import { Clock, Day, Time } from "../dashboard/controls/controls.tsx";
import { Table } from "../dashboard/controls/table.tsx";
import { Link } from "../dashboard/frame/navigation.tsx";
import { actionName, say as all } from "./words.ts";

const say = all.audit;
const environmentNames: Readonly<Record<string, string>> = all.environments;
/** The start of the day in the browser's time zone. */
const dayOf = (at: number) => new Date(at).setHours(0, 0, 0, 0);

/** Entries below the date of their day: whom they are about, what was done, by whom and why. */
export function AuditLines({ lines }: { lines: readonly ConsoleAuditLine[] }) {
  return (
    <Table
      class="dense blocks audit-lines"
      label={say.title}
      columns={[say.customer, say.what, say.who, say.why, say.when]}
    >
      {[...Map.groupBy(lines, ({ at }) => dayOf(at))].map(([day, own]) => [
        <tr key={day} class="day-row">
          <th colSpan={5} scope="rowgroup">
            <Day at={day} />
          </th>
        </tr>,
        ...own.map((line) => <Line key={line.id} line={line} />),
      ])}
    </Table>
  );
}

/** The newest entries about one brand. Their days may be far apart, so each has its date. */
export function LinesOfBrand({ lines }: { lines: readonly ConsoleAuditLine[] }) {
  return (
    <Table class="dense blocks figures" label={say.ofBrand} columns={[say.what, say.who, say.why, say.when]}>
      {lines.map((line) => (
        <tr key={line.id}>
          <th scope="row">
            {actionName(line.action)}
            <Details line={line} />
          </th>
          <td>
            <Who line={line} />
          </td>
          <td>{line.reason}</td>
          <td>
            <Time at={line.at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Line({ line }: { line: ConsoleAuditLine }) {
  return (
    <tr>
      <td>
        <Whom line={line} />
      </td>
      <td>
        <strong>{actionName(line.action)}</strong>
        <Details line={line} />
      </td>
      <td>
        <span class="block-label">{say.who}: </span>
        <Who line={line} />
      </td>
      <td>
        {line.reason === null ? null : (
          <>
            <span class="block-label">{say.why}: </span>
            {line.reason}
          </>
        )}
      </td>
      <td>
        <Clock at={line.at} />
      </td>
    </tr>
  );
}

/** The customer with the brand, or the person whom an operator looked at. Others are about the service itself. */
function Whom({ line: { customer, customerName, brand, brandName, action, subject } }: { line: ConsoleAuditLine }) {
  const ofBrand: ComponentChildren =
    brand === null || brandName === null || brandName === customerName ? null : (
      <p>
        <Link to={`/brands/${brand}`}>{brandName}</Link>
      </p>
    );
  if (customer !== null)
    return (
      <>
        <strong>
          {ofBrand === null && brand !== null ? (
            <Link to={`/brands/${brand}`}>{customerName ?? customer}</Link>
          ) : (
            (customerName ?? customer)
          )}
        </strong>
        {ofBrand}
      </>
    );
  if (isAboutPerson(action) && subject !== null)
    return (
      <>
        <strong>{say.aPerson}</strong>
        <p>
          <Link to={`/audit?person=${subject}`}>
            <code>{subject.slice(0, 8)}</code>
            <span class="hidden"> {say.allOfPerson}</span>
          </Link>
        </p>
      </>
    );
  return <span class="quiet">{isAboutPerson(action) ? say.aPerson : say.service}</span>;
}

/** Whether the subject of an entry is a person whom an operator looked at or deleted. */
const isAboutPerson = (action: string) => action.startsWith("person.") || action === "stop.viewed";

function Details({ line: { environment, subject, changes, action } }: { line: ConsoleAuditLine }) {
  const count = changes === 0 ? null : say.changes(changes);
  const detail = isAboutPerson(action) ? null : subject;
  const found = [environment === null ? null : (environmentNames[environment] ?? environment), detail, count];
  const text = found.filter((one) => one !== null).join(" · ");
  return text === "" ? null : <p class="quiet">{text}</p>;
}

function Who({ line: { actor, who, via, call } }: { line: ConsoleAuditLine }) {
  const name = actor === "operator" ? (who ?? say.commandLine) : say.actors[actor];
  return (
    <>
      {name}
      {actor === "operator" || who === null ? null : (
        <p class="quiet">
          <code title={who}>{who.slice(0, 8)}</code>
        </p>
      )}
      {via === "commandLine" && call !== null ? (
        <p class="quiet">
          <code>{call}</code>
        </p>
      ) : null}
    </>
  );
}
