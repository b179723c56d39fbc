import { useEffect, useId, useRef } from "preact/hooks";
import { Button } from "../controls/button.tsx";
import { Table } from "../controls/table.tsx";
import { rulesPath } from "../rules/merge.ts";
import { RulesConflict } from "../rules/rules-conflict.tsx";
import { words } from "../words.ts";
import { settingName, settingText } from "./setting-texts.ts";
import type { Conflict, Editing } from "./use-settings.ts";

const say = words.settings;
type Props = { conflict: Conflict; editing: Editing };

/**
 * Shows the changes that another member saved in the meantime, instead of the save bar. Nothing is overwritten before
 * the member chooses.
 */
export function ConflictNotice({ conflict, editing }: Props) {
  const id = useId();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const { mine, theirs, changed } = conflict;
  const settings = changed.filter(({ path }) => path !== rulesPath);
  return (
    <section class="note warn conflict" aria-labelledby={id}>
      <h2 id={id} ref={title} tabIndex={-1}>
        {say.conflictTitle(theirs.changedBy)}
      </h2>
      <p>{say.conflictLead}</p>
      {settings.length === 0 ? null : (
        <Table class="blocks" columns={[say.setting, say.before, say.now, say.yours]}>
          {settings.map(({ path, from, to }) => (
            <tr key={path}>
              <th scope="row">{settingName(path)}</th>
              <td>
                <span class="block-label">{say.before}: </span>
                {settingText(path, from)}
              </td>
              <td>
                <span class="block-label">{say.now}: </span>
                {settingText(path, to)}
              </td>
              <td>
                <span class="block-label">{say.yours}: </span>
                {JSON.stringify(editing.valueOf(path)) === JSON.stringify(from)
                  ? say.unchanged
                  : settingText(path, editing.valueOf(path))}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {settings.length === changed.length ? null : (
        <RulesConflict
          base={mine.settings.networkRules}
          mine={editing.valueOf(rulesPath)}
          theirs={theirs.settings.networkRules}
        />
      )}
      <p>{say.conflictNext}</p>
      <div class="row-actions">
        <Button label={say.keepMine} look="main" onClick={() => editing.resolve("keepMine")} />
        <Button label={say.takeTheirs} onClick={() => editing.resolve("takeTheirs")} />
      </div>
    </section>
  );
}
