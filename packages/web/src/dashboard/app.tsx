import type { Me } from "@countersign/contract/dashboard";
import { useEffect, useState } from "preact/hooks";
import { ProductMark } from "../ui/mark.tsx";
import { api } from "./api.ts";
import { Button } from "./controls/button.tsx";
import { TroubleNotice } from "./controls/controls.tsx";
import { BrandFrame } from "./frame/brand-frame.tsx";
import { goInstead, match, startPath, usePath } from "./frame/navigation.tsx";
import { Loading, MissingPage } from "./frame/page.tsx";
import { Shell } from "./frame/shell.tsx";
import { useSignedIn } from "./frame/use-signed-in.ts";
import { accountRoutes } from "./routes.tsx";
import { words } from "./words.ts";

const securityPath = "/me";

/** Shows the sign-in screen, or the page for the URL. */
export function App() {
  const path = usePath();
  const { shown, reload, enter, signedOut } = useSignedIn({
    readMe: () => api.readMe(),
    uuidOf: ({ member }) => member.uuid,
  });
  useEffect(() => {
    if (shown.kind === "in" && path === "/sign-in" && window.location.hash === "") goInstead(startPath);
    // The service refuses all other calls until the member has a passkey.
    if (shown.kind === "in" && shown.me.needsPasskey && path !== securityPath) goInstead(securityPath);
  }, [shown, path]);

  if (shown.kind === "loading") return <EmptyShell />;
  if (shown.kind === "trouble")
    return (
      <div class="sign-in">
        <main class="sign-in-form" data-step="lost">
          <h1>{words.lostTitle}</h1>
          <TroubleNotice trouble={shown.trouble} />
          <Button label={words.tryAgain} look="main" onClick={() => void reload()} />
        </main>
      </div>
    );
  if (shown.kind === "out" || path === "/sign-in") return <SignInPage onSignedIn={enter} />;
  return (
    <Shell me={shown.me} path={path} onSignedOut={signedOut}>
      <CurrentPage me={shown.me} path={path} reloadMe={reload} />
    </Shell>
  );
}

/** The frame before the service has answered who is signed in. */
function EmptyShell() {
  return (
    <div class="dash">
      <header class="top-bar">
        <span class="product">
          <ProductMark /> {words.product}
        </span>
      </header>
      <div class="side" />
      <div class="content">
        <Loading />
      </div>
    </div>
  );
}

type SignIn = typeof import("./sign-in/sign-in.tsx").SignInScreen;

/** The sign-in screen. Its script is loaded only for those who are not signed in. */
function SignInPage({ onSignedIn }: { onSignedIn(): Promise<void> }) {
  const [loaded, setLoaded] = useState<{ screen: SignIn } | null>(null);
  useEffect(() => {
    void import("./sign-in/sign-in.tsx").then(({ SignInScreen: screen }) => setLoaded({ screen }));
  }, []);
  return loaded === null ? <EmptyShell /> : <loaded.screen onSignedIn={onSignedIn} />;
}

function CurrentPage({ me, path, reloadMe }: { me: Me; path: string; reloadMe(): void }) {
  for (const { path: pattern, screen: Screen } of accountRoutes) {
    const params = match(pattern, path);
    if (params !== null) return <Screen key={path} me={me} params={params} reloadMe={reloadMe} />;
  }
  if (/^\/brands\/[^/]+\//.test(path)) return <BrandFrame me={me} path={path} reloadMe={reloadMe} />;
  return <MissingPage />;
}
