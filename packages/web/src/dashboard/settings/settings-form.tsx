import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Form } from "../../ui/form.tsx";
import { Button } from "../controls/button.tsx";
import { Confirm } from "../controls/confirm.tsx";
import { Notice, Time, TroubleNotice, zoneName } from "../controls/controls.tsx";
import { guardLeaving } from "../frame/navigation.tsx";
import { Load } from "../frame/page.tsx";
import { words } from "../words.ts";
import { ConflictNotice } from "./conflict.tsx";
import type { Editing } from "./use-settings.ts";

const say = words.settings;
type Props = {
  editing: Editing;
  mayEdit: boolean;
  notServed: boolean;
  /** The paths of the settings that the children edit. Their fields show their own problems. */
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
          {notServed ? <Notice>{words.production.notServed(mayEdit)}</Notice> : null}
          {editing.conflict === null ? null : <ConflictNotice conflict={editing.conflict} editing={editing} />}
          <TroubleNotice trouble={editing.trouble} beside={edits} />
          <fieldset class="bare" disabled={!mayEdit}>
            {children}
          </fieldset>
          {mayEdit && editing.conflict === null ? (
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
            {say.savedAt} <Time at={view.changedAt} /> {zoneName.replaceAll("_", " ")}
            {view.changedBy === undefined ? "" : ` ${say.by(view.changedBy)}`} · {say.version(view.version)}
          </p>
        </Form>
      )}
    </Load>
  );
}

/** Takes the focus after a save, because the save button is removed. */
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

/** Asks before the member leaves a page with unsaved edits. */
function Unsaved({ isUnsaved }: { isUnsaved: boolean }) {
  const [leave, setLeave] = useState<{ go(): void } | null>(null);
  useEffect(() => {
    guardLeaving(isUnsaved ? (go) => setLeave({ go }) : null);
    return () => guardLeaving(null);
  }, [isUnsaved]);
  if (leave === null) return null;
  const { title, text, action } = words.leaveUnsaved;
  return <Confirm {...{ title, text, action }} onConfirm={leave.go} onClose={() => setLeave(null)} />;
}
