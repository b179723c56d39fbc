import type { Environment } from "@countersign/contract/brand";
import type { SettingsView } from "@countersign/contract/dashboard-brands";
import type { WaitingName } from "@countersign/contract/dashboard-shapes";
import { useState } from "preact/hooks";
import { api, problemWith, type Trouble } from "../api.ts";
import { useLoad } from "../frame/page.tsx";
import { mergedRules, rulesPath } from "../rules/merge.ts";
import { rulesIn } from "../rules/rules.ts";
import { type Difference, differences, patchOf, valueAt } from "./settings-paths.ts";

type Which = { brand: string; environment: Environment };
/** Values by path. */
type Edits = ReadonlyMap<string, unknown>;

/**
 * Another member saved settings after this page had read `mine`. `theirs` is their version, `changed` their changes.
 */
export type Conflict = { mine: SettingsView; theirs: SettingsView; changed: Difference[] };

/**
 * Edits a brand's settings. The edits are saved as a patch of the version that was read. The service rejects the patch
 * if there is a newer version, and the member then resolves the conflict. Edits made during a save stay unsaved.
 */
export function useSettings(params: Which) {
  const { state, put, reload } = useLoad(() => api.readSettings({ params }), [params.brand, params.environment]);
  const [edits, setEdits] = useState<Edits>(new Map());
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [isSaved, setSaved] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const view = state.kind === "ok" ? state.value : null;

  const save = async () => {
    if (view === null || isBusy || edits.size === 0) return;
    setBusy(true);
    const outcome = await api.patchSettings({ params, body: { version: view.version, patch: patchOf(edits) } });
    if (outcome.kind === "ok") {
      put(outcome.value);
      const unsent = (now: Edits) => [...now].filter(([path, value]) => edits.get(path) !== value);
      setEdits((now) => editsOf(unsent(now), outcome.value));
      setSaved(true);
      setTrouble(null);
    } else if (outcome.trouble.kind === "changed") {
      const now = await api.readSettings({ params });
      if (now.kind === "ok")
        setConflict({ mine: view, theirs: now.value, changed: differences(view.settings, now.value.settings) });
      else setTrouble(now.trouble);
    } else setTrouble(outcome.trouble);
    if (outcome.kind !== "ok") setEdits((now) => editsOf(now, view));
    setBusy(false);
  };
  return {
    state,
    reload,
    trouble,
    conflict,
    /** Whether the last save contained every edit. */
    isSaved: isSaved && edits.size === 0,
    isBusy,
    isEdited: edits.size > 0,
    /** The unsaved edits: the saved values and the new ones. */
    edited: [...edits].map(([path, to]): Difference => ({ path, from: valueAt(view?.settings, path), to })),
    save,
    /** The edited value, or the saved value without an edit. */
    valueOf: (path: string): unknown => {
      const edited = editedAt(edits, path);
      return edited === undefined ? valueAt(view?.settings, path) : edited;
    },
    set(path: string, value: unknown) {
      const next = new Map([...edits].filter(([other]) => !other.startsWith(`${path}.`))).set(path, value);
      // During a save, also keep an edit back to the version that was read, because the save replaces that version.
      setEdits(view === null || isBusy ? next : editsOf(next, view));
      setSaved(false);
    },
    /** Switches to a version that another call than `save` created. Edits stay. */
    adopt(theirs: SettingsView) {
      put(theirs);
      setTrouble(null);
    },
    fail: setTrouble,
    /** Cancels a request for a name by setting the current name. Edits stay. */
    async cancelRequest({ path, current }: WaitingName) {
      if (view === null) return;
      const outcome = await api.patchSettings({ params, body: { version: view.version, patch: { [path]: current } } });
      if (outcome.kind === "ok") put(outcome.value);
      else setTrouble(outcome.trouble);
    },
    discard() {
      setEdits(new Map());
      setTrouble(null);
      setConflict(null);
      setSaved(false);
    },
    /** Resolves the conflict: continues from the other member's version, with or without the edits here. */
    resolve(how: "keepMine" | "takeTheirs") {
      if (conflict === null) return;
      put(conflict.theirs);
      setEdits(how === "takeTheirs" ? new Map() : editsOnTop(edits, conflict));
      setConflict(null);
    },
    problemAt: (path: string) => problemWith(trouble, path),
  };
}

/** The edits on top of the other member's version. Their changes to rules that were not edited here stay. */
function editsOnTop(edits: Edits, { mine, theirs }: Conflict): Edits {
  const next = [...edits].map(([path, value]): [string, unknown] =>
    path === rulesPath
      ? [path, mergedRules(mine.settings.networkRules, rulesIn(value), theirs.settings.networkRules)]
      : [path, value],
  );
  return editsOf(next, theirs);
}

/** The edits that change the version. */
function editsOf(edits: Iterable<[string, unknown]>, { settings }: SettingsView): Edits {
  const isChange = ([path, value]: [string, unknown]) =>
    JSON.stringify(valueAt(settings, path) ?? null) !== JSON.stringify(value);
  return new Map([...edits].filter(isChange));
}

/** The edited value at the path or at its parent. Undefined without an edit; an edited null is returned as null. */
function editedAt(edits: Edits, path: string): unknown {
  for (const [edited, value] of edits) {
    if (edited === path) return value;
    if (path.startsWith(`${edited}.`)) return valueAt(value, path.slice(edited.length + 1));
  }
  return undefined;
}

export type Editing = ReturnType<typeof useSettings>;
