import { useCallback, useEffect, useState } from "preact/hooks";
import { type Outcome, type Trouble, whenSignedOut } from "../api.ts";

type SignedIn<Me> =
  | { kind: "loading" }
  | { kind: "out" }
  | { kind: "in"; me: Me }
  | { kind: "trouble"; trouble: Trouble };

/** Who is signed in to the dashboard or the console. A call that is refused because the session ended signs out here. */
export function useSignedIn<Me>(readMe: () => Promise<Outcome<Me>>) {
  const [shown, setShown] = useState<SignedIn<Me>>({ kind: "loading" });
  const reload = useCallback(async () => {
    const outcome = await readMe();
    if (outcome.kind === "ok") return setShown({ kind: "in", me: outcome.value });
    setShown(outcome.trouble.kind === "signedOut" ? { kind: "out" } : outcome);
  }, []);
  useEffect(() => {
    whenSignedOut(() => setShown((now) => (now.kind === "in" ? { kind: "out" } : now)));
    void reload();
  }, []);
  return { shown, reload, signedOut: () => setShown({ kind: "out" }) };
}
