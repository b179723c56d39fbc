import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Form } from "../../ui/form.tsx";
import { Button } from "../controls/button.tsx";
import { Notice, Time, TroubleNotice } from "../controls/controls.tsx";
import { Table } from "../controls/table.tsx";
import { Load } from "../frame/page.tsx";
import { Unsaved } from "../frame/unsaved.tsx";
import { words } from "../words.ts";
import type { Editing } from "./use-settings.ts";
import { settingName, settingText } from "./words-settings.ts";

const say = words.settings;
type Props = {
  editing: Editing;
  mayEdit: boolean;
  notServed: boolean;
  /** The settings that the children edit. Their fields show their problems. */
  edits: readonly string[];
  children: ComponentChildren;
};

/** The common parts of every settings form: the last change, the problems, and the save buttons. */
export function SettingsForm({ editing, mayEdit, notServed, edits, children }: Props) {
  return (
    <Load of={editing.state}>
      {(view) => (
        <Form onSubmit={editing.save}>
          <Unsaved isUnsaved={editing.isEdited} />
          {notServed ? <Notice>{words.production.notServed}</Notice> : null}
          {editing.conflict === null ? null : <ConflictNotice editing={editing} />}
          <TroubleNotice trouble={editing.trouble} beside={edits} />
          <fieldset class="bare" disabled={!mayEdit}>
            {children}
          </fieldset>
          {mayEdit ? (
            <div class={editing.isEdited || editing.isSaved ? "save-bar" : ""}>
              {editing.isEdited ? (
                <>
                  <Button
                    label={editing.isBusy ? words.saving : words.save}
                    type="submit"
                    look="main"
                    isBusy={editing.isBusy}
                  />
                  <Button label={words.discard} onClick={editing.discard} />
                </>
              ) : null}
              <Saved isSaved={editing.isSaved} />
            </div>
          ) : null}
          <p class="quiet last-change">
            {say.version(view.version)} · <Time at={view.changedAt} />
            {view.changedBy === undefined ? "" : ` · ${view.changedBy}`}
          </p>
        </Form>
      )}
    </Load>
  );
}

/** Takes the focus of the button that saved, because that button is gone. */
function Saved({ isSaved }: { isSaved: boolean }) {
  const text = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (isSaved && document.activeElement === document.body) text.current?.focus();
  }, [isSaved]);
  return (
    <span ref={text} role="status" tabIndex={-1}>
      {isSaved ? words.saved : ""}
    </span>
  );
}

/** Shows the changes that another member saved meanwhile. Nothing is overwritten before the member chooses. */
function ConflictNotice({ editing }: { editing: Editing }) {
  const id = useId();
  const { conflict } = editing;
  if (conflict === null) return null;
  const { theirs, changed } = conflict;
  return (
    <section class="note bad" role="alert" aria-labelledby={id}>
      <h2 id={id}>{say.conflictTitle(theirs.changedBy)}</h2>
      <p>{say.conflictLead}</p>
      <Table columns={[say.setting, say.before, say.now, say.yours]}>
        {changed.map(({ path, from, to }) => (
          <tr key={path}>
            <th scope="row">{settingName(path)}</th>
            <td>{settingText(path, from)}</td>
            <td>{settingText(path, to)}</td>
            <td>
              {JSON.stringify(editing.valueOf(path)) === JSON.stringify(from)
                ? say.unchanged
                : settingText(path, editing.valueOf(path))}
            </td>
          </tr>
        ))}
      </Table>
      <div class="row-actions">
        <Button label={say.keepMine} look="main" onClick={() => editing.resolve("keepMine")} />
        <Button label={say.takeTheirs} onClick={() => editing.resolve("takeTheirs")} />
      </div>
    </section>
  );
}
