import type { ConsoleMe } from "@countersign/contract/console";
import { mayOperateAs, type OperatorRole } from "@countersign/contract/operator-role";
import { KeyRound, LogOut, Menu } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Notice } from "../dashboard/controls/controls.tsx";
import { IconButton, MenuSheet } from "../dashboard/frame/menu-sheet.tsx";
import { Link } from "../dashboard/frame/navigation.tsx";
import { SomeoneElseNotice } from "../dashboard/frame/someone-else.tsx";
import { words } from "../dashboard/words.ts";
import { Icon } from "../ui/icon.tsx";
import { ProductMark } from "../ui/mark.tsx";
import { api } from "./api.ts";
import { ownPath, pages } from "./pages.ts";
import { say } from "./words.ts";
import { operatorWords } from "./words-operators.ts";

type Props = { me: ConsoleMe; path: string; onSignedOut(): void; children: ComponentChildren };

/** The frame around every page of the console. */
export function Shell({ me, path, onSignedOut, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [isStillIn, setStillIn] = useState(false);
  useEffect(() => setOpen(false), [path]);
  const signOut = async () => {
    setOpen(false);
    setStillIn(false);
    const outcome = await api.signOperatorOut();
    if (outcome.kind === "ok" || outcome.trouble.kind === "signedOut") onSignedOut();
    else setStillIn(true);
  };
  const { name, role } = me.operator;
  const who = `${name} · ${say.roles[role].name}`;
  return (
    <div class="dash console">
      <a class="skip" href="#main">
        {say.skip}
      </a>
      <header class="top-bar">
        <Link to="/" class="product">
          <ProductMark /> {words.product}
        </Link>
        <span class="tag accent">{say.name}</span>
        <div class="who">
          <Link to={ownPath} class="own" current={path === ownPath}>
            {who}
          </Link>
          <IconButton icon={LogOut} label={say.signOut} onClick={() => void signOut()} />
        </div>
        <IconButton
          icon={Menu}
          label={say.menu}
          class="menu-button"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        />
      </header>
      <nav class="side" aria-label={say.menu}>
        <Pages me={me} path={path} />
      </nav>
      {isOpen ? (
        <MenuSheet who={who} onClose={() => setOpen(false)} onSignOut={() => void signOut()}>
          <Pages me={me} path={path} />
        </MenuSheet>
      ) : null}
      <div class="content">
        <SomeoneElseNotice />
        {isStillIn ? <Notice kind="bad">{say.stillSignedIn}</Notice> : null}
        {children}
      </div>
    </div>
  );
}

/** The pages that the person's role may see. Those about the service itself come last, below a line. */
function Pages({ me: { waiting, operator }, path }: Pick<Props, "me" | "path">) {
  const seen = pages.filter(({ role }) => mayOperateAs(operator.role, role));
  const linksTo = (role: OperatorRole) =>
    seen
      .filter((page) => page.role === role)
      .map(({ path: to, name, icon }) => (
        <li key={to}>
          <Link
            to={to}
            current={path === to ? true : name === "customers" && path.startsWith("/brands/") ? "set" : undefined}
          >
            <Icon node={icon} />
            {say.nav[name]}
            {name === "approvals" && waiting > 0 ? (
              <span class="tag warn">
                {waiting}
                <span class="hidden"> {say.waitingCount(waiting)}</span>
              </span>
            ) : null}
          </Link>
        </li>
      ));
  const ofOperator = linksTo("operator");
  return (
    <>
      <ul>{linksTo("support")}</ul>
      {ofOperator.length === 0 ? null : (
        <>
          <h2 class="nav-group">{say.more}</h2>
          <ul>{ofOperator}</ul>
        </>
      )}
      <ul class="own-link">
        <li>
          <Link to={ownPath} current={path === ownPath}>
            <Icon node={KeyRound} />
            {operatorWords.own}
          </Link>
        </li>
      </ul>
    </>
  );
}
