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

/**
 * Another member saved settings after this page had read `mine`. `theirs` is their version, `changed` their changes.
 */
export type Conflict = { mine: SettingsView; theirs: SettingsView; changed: Difference[] };

/**
 * Edits a brand's settings. The edits are saved as a patch of the version that was read. The service rejects the patch
 * if there is a newer version, and the member then resolves the conflict.
 */
export function useSettings(params: Which) {
  const { state, put, reload } = useLoad(() => api.readSettings({ params }), [params.brand, params.environment]);
  const [edits, setEdits] = useState<ReadonlyMap<string, unknown>>(new Map());
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
      setEdits(new Map());
      setSaved(true);
      setTrouble(null);
    } else if (outcome.trouble.kind === "changed") {
      const now = await api.readSettings({ params });
      if (now.kind === "ok")
        setConflict({ mine: view, theirs: now.value, changed: differences(view.settings, now.value.settings) });
      else setTrouble(now.trouble);
    } else setTrouble(outcome.trouble);
    setBusy(false);
  };
  return {
    state,
    reload,
    trouble,
    conflict,
    isSaved,
    isBusy,
    isEdited: edits.size > 0,
    save,
    /** The edited value, or the saved value without an edit. */
    valueOf: (path: string): unknown => {
      const edited = editedAt(edits, path);
      return edited === undefined ? valueAt(view?.settings, path) : edited;
    },
    set(path: string, value: unknown) {
      const next = new Map([...edits].filter(([other]) => !other.startsWith(`${path}.`)));
      const isBack = JSON.stringify(valueAt(view?.settings, path) ?? null) === JSON.stringify(value);
      if (isBack) next.delete(path);
      else next.set(path, value);
      setEdits(next);
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
function editsOnTop(edits: ReadonlyMap<string, unknown>, { mine, theirs }: Conflict): Map<string, unknown> {
  const next = [...edits].map(([path, value]): [string, unknown] =>
    path === rulesPath
      ? [path, mergedRules(mine.settings.networkRules, rulesIn(value), theirs.settings.networkRules)]
      : [path, value],
  );
  const isNew = ([path, value]: [string, unknown]) =>
    JSON.stringify(valueAt(theirs.settings, path) ?? null) !== JSON.stringify(value);
  return new Map(next.filter(isNew));
}

/** The edited value at the path or at its parent. Undefined without an edit; an edited null is returned as null. */
function editedAt(edits: ReadonlyMap<string, unknown>, path: string): unknown {
  for (const [edited, value] of edits) {
    if (edited === path) return value;
    if (path.startsWith(`${edited}.`)) return valueAt(value, path.slice(edited.length + 1));
  }
  return undefined;
}

export type Editing = ReturnType<typeof useSettings>;
