import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { askUnnamed, nameShown, type Outcome, type Trouble, whenRefused } from "../api.ts";
import { showSomeoneElse } from "./someone-else.tsx";

type SignedIn<Me> =
  | { kind: "loading" }
  | { kind: "out" }
  | { kind: "in"; me: Me }
  | { kind: "trouble"; trouble: Trouble };
type Asked<Me> = { readMe(): Promise<Outcome<Me>>; uuidOf(me: Me): string };

/**
 * Who is signed in to the dashboard or the console. A call that is refused because the session ended signs out here, and
 * one that is refused because the session is someone else's shows that person.
 */
export function useSignedIn<Me>({ readMe, uuidOf }: Asked<Me>) {
  const [shown, setShown] = useState<SignedIn<Me>>({ kind: "loading" });
  const former = useRef<string | null>(null);
  const show = async (asked: Promise<Outcome<Me>>) => {
    const outcome = await asked;
    if (outcome.kind === "trouble") return setShown(outcome.trouble.kind === "signedOut" ? { kind: "out" } : outcome);
    const uuid = uuidOf(outcome.value);
    // What the page keeps in memory, such as API keys, is not for the next person.
    if (former.current !== null && former.current !== uuid) return window.location.reload();
    former.current = uuid;
    nameShown(uuid);
    setShown({ kind: "in", me: outcome.value });
  };
  const reload = useCallback(() => show(readMe()), []);
  /** Shows who has just signed in on this page. */
  const enter = useCallback(() => show(askUnnamed(readMe)), []);
  useEffect(() => {
    whenRefused({
      signedOut: () => setShown((now) => (now.kind === "in" ? { kind: "out" } : now)),
      other: showSomeoneElse,
    });
    void reload();
  }, []);
  return { shown, reload, enter, signedOut: () => setShown({ kind: "out" }) };
}
