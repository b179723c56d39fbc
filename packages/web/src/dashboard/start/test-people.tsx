import type { TestPerson } from "@countersign/contract/dashboard-start";
import { Marked } from "../controls/marked.tsx";
import { Section } from "../controls/section.tsx";
import { figure, Table } from "../controls/table.tsx";
import { startWords } from "./words-start.ts";

const say = startWords.people;
const families = ["inputs", "risk", "failures", "credentials", "v2.0"] as const;

/** The sandbox's test people, and the outcome of each. */
export function TestPeople({ people }: { people: readonly TestPerson[] }) {
  return (
    <Section id="start-people" title={say.title}>
      <p>{say.lead}</p>
      {families.map((family) => (
        <details key={family} class="guide">
          <summary>
            <strong>{say.families[family]}</strong>
          </summary>
          <PeopleTable people={people.filter((one) => one.family === family)} name={say.families[family]} />
        </details>
      ))}
    </Section>
  );
}

/** Some test people. */
export function PeopleTable({ people, name }: { people: readonly TestPerson[]; name: string }) {
  const { phone, needs, score, outcome } = say.columns;
  return (
    <Table label={name} class="dense blocks people" columns={[phone, needs, figure(score), outcome]}>
      {people.map((person) => (
        <tr key={person.phone}>
          <th scope="row">
            <code>{person.phone}</code>
          </th>
          <td>
            <span class="block-label">{needs}: </span>
            <Marked text={person.needs} />
          </td>
          <td class="figure">
            <span class="block-label">{score}: </span>
            {person.score}
          </td>
          <td>
            <span class="block-label">{outcome}: </span>
            <Marked text={person.outcome} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
