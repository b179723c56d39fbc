import { mayOperateAs, type OperatorRole } from "@countersign/contract/operator-role";
import { LockKeyhole, SearchX } from "lucide";
import { useEffect } from "preact/hooks";
import { Button } from "../dashboard/controls/button.tsx";
import { TroubleNotice } from "../dashboard/controls/controls.tsx";
import { lazyPage } from "../dashboard/frame/lazy-page.tsx";
import { goInstead, Link, match, usePath } from "../dashboard/frame/navigation.tsx";
import { Page } from "../dashboard/frame/page.tsx";
import { useSignedIn } from "../dashboard/frame/use-signed-in.ts";
import { Card } from "../dashboard/sign-in/card.tsx";
import { words } from "../dashboard/words.ts";
import { Icon, type IconNode } from "../ui/icon.tsx";
import { api } from "./api.ts";
import { ownPath, pages } from "./pages.ts";
import type { ScreenProps } from "./screen-props.ts";
import { Shell } from "./shell.tsx";
import { AddPasskey, SignInScreen } from "./sign-in.tsx";
import { StatusScreen } from "./status.tsx";
import { say } from "./words.ts";

type PageName = (typeof pages)[number]["name"];
// biome-ignore format: a table
const screens: Record<PageName, (props: ScreenProps) => preact.ComponentChildren> = {
  status: StatusScreen,
  approvals: lazyPage(async () => (await import("./approvals.tsx")).ApprovalsScreen),
  customers: lazyPage(async () => (await import("./customers.tsx")).CustomersScreen),
  people: lazyPage(async () => (await import("./person.tsx")).PersonScreen),
  texts: lazyPage(async () => (await import("./texts.tsx")).TextsScreen),
  audit: lazyPage(async () => (await import("./audit.tsx")).AuditScreen),
  vendors: lazyPage(async () => (await import("./vendors.tsx")).VendorsScreen),
  retention: lazyPage(async () => (await import("./retention.tsx")).RetentionScreen),
  operators: lazyPage(async () => (await import("./operators.tsx")).OperatorsScreen),
};

const BrandScreen = lazyPage(async () => (await import("./brand.tsx")).BrandScreen);
const OwnScreen = lazyPage(async () => (await import("./operators.tsx")).OwnScreen);

/** Shows the sign-in screen, or the page for the URL. */
export function App() {
  const path = usePath();
  const { shown, reload, enter, signedOut } = useSignedIn({
    readMe: () => api.readConsoleMe(),
    uuidOf: ({ operator }) => operator.uuid,
  });
  useEffect(() => {
    if (shown.kind === "in" && path.startsWith("/sign-in") && window.location.hash === "") goInstead("/");
  }, [shown, path]);

  if (shown.kind === "loading") return <div class="sign-in" aria-busy="true" />;
  if (shown.kind === "trouble")
    return (
      <Card name="lost" title={say.lostTitle}>
        <TroubleNotice trouble={shown.trouble} />
        <Button label={words.tryAgain} look="main" onClick={() => void reload()} />
      </Card>
    );
  if (shown.kind === "out" || path.startsWith("/sign-in")) return <SignInScreen onSignedIn={enter} />;
  if (shown.me.needsPasskey) return <AddPasskey onAdded={reload} />;
  const page = pages.find((one) => one.path === path);
  const brand = match("/brands/:uuid", path)?.uuid;
  const Screen = path === ownPath ? OwnScreen : page === undefined ? Missing : screens[page.name];
  const needed = page?.role ?? "support";
  return (
    <Shell me={shown.me} path={path} onSignedOut={signedOut}>
      {mayOperateAs(shown.me.operator.role, needed) ? (
        brand === undefined ? (
          <Screen key={path} me={shown.me} reloadMe={reload} />
        ) : (
          <BrandScreen key={path} me={shown.me} reloadMe={reload} uuid={brand} />
        )
      ) : (
        <NoRight needed={needed} own={shown.me.operator.role} />
      )}
    </Shell>
  );
}

/** A page that the menu does not show to this role. The service refuses its calls, too. */
function NoRight({ needed, own }: Record<"needed" | "own", OperatorRole>) {
  return (
    <Page name="noRight" title={say.noRightTitle} lead={say.noRight(say.roles[needed].name, say.roles[own].name)}>
      <Nothing icon={LockKeyhole} text={say.noRightLead} />
    </Page>
  );
}

function Missing() {
  return (
    <Page name="missing" title={say.missingTitle} lead={say.missing}>
      <Nothing icon={SearchX} text={say.missingLead} />
    </Page>
  );
}

/** What a page without content shows: what to do next, and the way to the status. */
function Nothing({ icon, text }: { icon: IconNode; text: string }) {
  return (
    <div class="empty nothing">
      <Icon node={icon} />
      <p>{text}</p>
      <Link to="/" class="button main">
        {say.toStatus}
      </Link>
    </div>
  );
}
