import { Table } from "../controls/table.tsx";
import { type RuleChange, ruleChanges } from "./merge.ts";
import { type Rule, rulesIn } from "./rules.ts";
import { ruleWords } from "./words-rules.ts";

const say = ruleWords.conflict;
type Props = { base: readonly Rule[]; mine: unknown; theirs: readonly Rule[] };

/** The rules that another member changed in the meantime: their change, and the change here. */
export function RulesConflict({ base, mine, theirs }: Props) {
  const own = ruleChanges(base, rulesIn(mine));
  return (
    <Table class="blocks" columns={[say.rule, say.theirs, say.mine]}>
      {ruleChanges(base, theirs).map((change) => {
        const { uuid, name } = change.rule;
        const ownChange = own.find(({ rule }) => rule.uuid === uuid);
        return (
          <tr key={uuid}>
            <th scope="row">{name}</th>
            <td>
              <span class="block-label">{say.theirs}: </span>
              {textOf(change)}
            </td>
            <td>
              <span class="block-label">{say.mine}: </span>
              {ownChange === undefined ? say.none : textOf(ownChange)}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function textOf({ how, members }: RuleChange): string {
  return how === "changed" ? say.changed(members.map((member) => say.members[member])) : say[how];
}
