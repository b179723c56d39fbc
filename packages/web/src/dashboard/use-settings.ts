import type { SettingsView } from "@countersign/contract/dashboard-brands";
import type { WaitingName } from "@countersign/contract/dashboard-shapes";
import { useState } from "preact/hooks";
import { api, type Trouble } from "./api.ts";
import type { Environment } from "./environments.ts";
import { useLoad } from "./page.tsx";
import { type Difference, differences, patchOf, valueAt } from "./settings-paths.ts";

type Which = { brand: string; environment: Environment };

/** Somebody saved between our reading and our saving: what they changed, and whom we know it from. */
export type Conflict = { theirs: SettingsView; changed: Difference[] };

/**
 * A brand's settings being edited. Edits are kept beside what was read, and saved as a patch of that very version: the
 * service refuses it where another version came in between, and the member decides with both in view.
 */
export function useSettings(params: Which) {
  const { state, put, reload } = useLoad(() => api.settings({ params }), [params.brand, params.environment]);
  const [edits, setEdits] = useState<ReadonlyMap<string, unknown>>(new Map());
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [isSaved, setSaved] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const view = state.kind === "ok" ? state.value : null;

  const save = async () => {
    if (view === null || isBusy) return;
    setBusy(true);
    const outcome = await api.patchSettings({ params, body: { version: view.version, patch: patchOf(edits) } });
    if (outcome.kind === "ok") {
      put(outcome.value);
      setEdits(new Map());
      setSaved(true);
      setTrouble(null);
    } else if (outcome.trouble.kind === "changed") {
      const now = await api.settings({ params });
      if (now.kind === "ok")
        setConflict({ theirs: now.value, changed: differences(view.settings, now.value.settings) });
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
    /** As edited, or as it was read. */
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
    /** A version that another call than `save` made of what was read; edits stay. */
    adopt(theirs: SettingsView) {
      put(theirs);
      setTrouble(null);
    },
    fail: setTrouble,
    /** Puts a name that waits for approval back to the one in use; edits stay. */
    async cancelRequest({ path, current }: WaitingName) {
      if (view === null) return;
      const outcome = await api.patchSettings({ params, body: { version: view.version, patch: { [path]: current } } });
      if (outcome.kind === "ok") put(outcome.value);
      else setTrouble(outcome.trouble);
    },
    discard() {
      setEdits(new Map());
      setTrouble(null);
    },
    /** Goes on from their version, with our edits on top of it or without. */
    settle(how: "keepMine" | "takeTheirs") {
      if (conflict === null) return;
      put(conflict.theirs);
      if (how === "takeTheirs") setEdits(new Map());
      setConflict(null);
    },
    problemAt: (path: string): string | undefined =>
      trouble?.problems.find((one) => one.path === `settings.${path}` || one.path.startsWith(`settings.${path}.`))
        ?.message,
  };
}

/** What was edited there, or above: an edited null stays one. */
function editedAt(edits: ReadonlyMap<string, unknown>, path: string): unknown {
  for (const [edited, value] of edits) {
    if (edited === path) return value;
    if (path.startsWith(`${edited}.`)) return valueAt(value, path.slice(edited.length + 1));
  }
  return undefined;
}

export type Editing = ReturnType<typeof useSettings>;
