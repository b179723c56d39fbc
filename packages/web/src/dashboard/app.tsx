import type { Me } from "@countersign/contract/dashboard";
import { useCallback, useEffect, useState } from "preact/hooks";
import { api, type Trouble, whenSignedOut } from "./api.ts";
import { TroubleNotice } from "./controls/controls.tsx";
import { BrandFrame } from "./frame/brand-frame.tsx";
import { goInstead, match, startPath, usePath } from "./frame/navigation.tsx";
import { MissingPage } from "./frame/page.tsx";
import { Shell } from "./frame/shell.tsx";
import { accountRoutes } from "./routes.tsx";
import { SignInScreen } from "./sign-in/sign-in.tsx";

type Shown = { kind: "loading" } | { kind: "out" } | { kind: "in"; me: Me } | { kind: "trouble"; trouble: Trouble };

const securityPath = "/me";

/** Shows the sign-in screen, or the page for the URL. */
export function App() {
  const path = usePath();
  const [shown, setShown] = useState<Shown>({ kind: "loading" });
  const reload = useCallback(async () => {
    const outcome = await api.readMe();
    if (outcome.kind === "ok") return setShown({ kind: "in", me: outcome.value });
    setShown(outcome.trouble.kind === "signedOut" ? { kind: "out" } : outcome);
  }, []);
  useEffect(() => {
    whenSignedOut(() => setShown((now) => (now.kind === "in" ? { kind: "out" } : now)));
    void reload();
  }, []);
  useEffect(() => {
    if (shown.kind === "in" && (path === "/" || (path === "/sign-in" && window.location.hash === "")))
      goInstead(startPath);
    // The service refuses all other calls until the member has a passkey.
    if (shown.kind === "in" && shown.me.needsPasskey && path !== securityPath) goInstead(securityPath);
  }, [shown, path]);

  if (shown.kind === "loading") return null;
  if (shown.kind === "trouble") return <TroubleNotice trouble={shown.trouble} />;
  if (shown.kind === "out" || path === "/sign-in") return <SignInScreen onSignedIn={reload} />;
  return (
    <Shell me={shown.me} path={path} onSignedOut={() => setShown({ kind: "out" })}>
      <CurrentPage me={shown.me} path={path} reloadMe={reload} />
    </Shell>
  );
}

function CurrentPage({ me, path, reloadMe }: { me: Me; path: string; reloadMe(): void }) {
  for (const { path: pattern, screen: Screen } of accountRoutes) {
    const params = match(pattern, path);
    if (params !== null) return <Screen key={path} me={me} params={params} reloadMe={reloadMe} />;
  }
  if (/^\/brands\/[^/]+\//.test(path)) return <BrandFrame me={me} path={path} reloadMe={reloadMe} />;
  return <MissingPage />;
}
