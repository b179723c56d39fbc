import "../../ui/account.css";
import type { AccountView } from "@countersign/contract/account";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { deviceNow } from "../../ui/now.ts";
import { useLanguage } from "../language.tsx";
import { accountApi, type Erased } from "./account-api.ts";
import { AccountFrame, FailedScreen, SignOut } from "./account-frame.tsx";
import { home, marginMs, type Screen, type State } from "./account-state.ts";
import { BrandScreen } from "./brand.tsx";
import { DevicesScreen } from "./devices.tsx";
import { DeleteScreen, DownloadScreen, ErasedScreen, NewHolderScreen } from "./download-delete.tsx";
import { EditScreen } from "./edit.tsx";
import { HomeScreen, type Place } from "./home.tsx";
import { ProofScreen } from "./proof.tsx";
import { SignInCodeScreen, SignInScreen } from "./sign-in.tsx";
import { useSignedInCheck } from "./signed-in-check.ts";
import { TakeOutScreen } from "./take-out.tsx";
import { forgetRequest, requestInAddress, WalletRequestScreen } from "./wallet-request.tsx";

/** The first screen after sign-in. */
const firstScreen = ({ provenUntil }: AccountView): Screen =>
  requestInAddress() === null
    ? home
    : provenUntil === undefined
      ? { at: "proof", goesOnTo: "wallet" }
      : { at: "wallet" };
/** The person's own page. The current screen is in the browser's history state, never in the URL. */
export function AccountApp() {
  const [state, setState] = useState<State>({ kind: "loading" });
  const current = useRef(state);
  current.current = state;
  const enter = (view: AccountView, screen: Screen, said = "") => {
    // Use only the difference of the service's times, because this device's clock may be wrong.
    const provenUntil = view.provenUntil === undefined ? null : deviceNow() + view.provenUntil - view.now - marginMs;
    setState({ kind: "in", view, provenUntil, screen, said });
  };
  const fail = (code: string) => setState({ kind: "failed", end: code === "LOST" ? "lost" : "broken" });
  const start = async () => {
    const outcome = await accountApi.readSignIn();
    if (outcome.kind === "trouble") return fail(outcome.trouble.code);
    const { session, account } = outcome.value;
    if (account !== undefined) return enter(account, firstScreen(account));
    setState({ kind: "phone", typed: "", ...(session === "ended" ? { said: "over" } : {}) });
  };
  useEffect(() => void start(), []);
  useHistory(setState);
  const over = () => setState({ kind: "phone", typed: "", said: "over" });
  useSignedInCheck(current, { enter, over, fail });

  if (state.kind === "loading") return <Loading />;
  if (state.kind === "phone")
    return (
      <SignInScreen
        typedBefore={state.typed}
        said={state.said}
        onTexted={(phone, signIn) => setState({ kind: "code", phone, signIn })}
      />
    );
  if (state.kind === "code")
    return (
      <SignInCodeScreen
        phone={state.phone}
        signIn={state.signIn}
        onSignIn={(signIn) => setState({ ...state, signIn })}
        onEdit={() => setState({ kind: "phone", typed: state.phone })}
        onSigned={(view) => {
          const screen = firstScreen(view);
          window.history.replaceState(screen, "");
          enter(view, screen);
        }}
      />
    );
  if (state.kind === "erased") return <ErasedScreen erased={state.erased} onHome={() => void start()} />;
  if (state.kind === "failed") return <FailedScreen end={state.end} onRetry={() => void start()} />;
  return (
    <Signed
      // Nothing that was typed or read for one person stays for another.
      key={state.view.account}
      state={state}
      onShow={(screen) => {
        window.history.pushState(screen, "");
        setState({ ...state, screen, said: "" });
      }}
      {...answersFor(state, current, { enter, over, fail, setState })}
    />
  );
}

type Page = {
  enter(view: AccountView, screen: Screen, said: string): void;
  over(): void;
  fail(code: string): void;
  setState(state: State): void;
};

/** What the answers to a person's calls change. An answer changes nothing once the page shows another person. */
function answersFor(
  asked: SignedState,
  current: { readonly current: State },
  { enter, over, fail, setState }: Page,
): Pick<SignedProps, "onView" | "onReturn" | "onErased" | "onOver"> {
  const shown = () => {
    const now = current.current;
    return now.kind === "in" && now.view.account === asked.view.account ? now : null;
  };
  /** Returns false if the person has left the screen that made the call; they stay where they are. */
  const answer = (view: AccountView, screen: Screen, said: string) => {
    const now = shown();
    if (now === null) return false;
    const isThere = now.screen === asked.screen;
    enter(view, isThere ? screen : now.screen, said);
    return isThere;
  };
  return {
    onView(view, screen, said) {
      if (answer(view, screen, said)) window.history.replaceState(screen, "");
    },
    onReturn(view, screen, said) {
      if (answer(view, screen, said)) window.history.back();
    },
    onErased(erased) {
      // The deletion may have ended the session on this page before its answer came. Somebody who waits for a code is
      // another person, or the same one later.
      const { kind } = current.current;
      if (kind !== "code" && (kind !== "in" || shown() !== null)) setState({ kind: "erased", erased });
    },
    onOver(code) {
      if (shown() === null) return;
      if (code === "LEFT") setState({ kind: "phone", typed: "", said: "signedOut" });
      else if (code === "OVER") over();
      // After `OTHER`, the page already shows the person who is signed in.
      else if (code !== "OTHER") fail(code);
    },
  };
}

function Loading() {
  const { words } = useLanguage();
  return <AccountFrame step="loading" title={words.loading} children={null} />;
}

/** Shows the screen that the browser's history goes back to. */
function useHistory(setState: (change: (now: State) => State) => void): void {
  useEffect(() => {
    window.history.replaceState(home, "");
    const back = (event: PopStateEvent) => {
      const screen: Screen = event.state ?? home;
      setState((now) => {
        if (now.kind !== "in") return now;
        return { ...now, screen, said: now.screen.at === screen.at ? now.said : "" };
      });
    };
    window.addEventListener("popstate", back);
    return () => window.removeEventListener("popstate", back);
  }, []);
}

type SignedState = State & { kind: "in" };
type SignedProps = {
  state: SignedState;
  onShow(screen: Screen): void;
  onView(view: AccountView, screen: Screen, said: string): void;
  /** Like `onView`, but goes back in the history instead of adding an entry. */
  onReturn(view: AccountView, screen: Screen, said: string): void;
  onErased(erased: Erased): void;
  onOver(code: string): void;
};

/** The screens after sign-in. Each has a sign-out button. */
function Signed(props: SignedProps) {
  const signOut = async () => {
    const outcome = await accountApi.signOut();
    const isOut = outcome.kind === "ok" || outcome.trouble.code === "OVER";
    if (isOut) props.onOver("LEFT");
    return isOut;
  };
  return (
    <SignOut.Provider value={signOut}>
      <SignedScreen {...props} />
    </SignOut.Provider>
  );
}

/** Shows the current screen, and before it the proof if it needs one. */
function SignedScreen({ state, onShow, onView, onReturn, onErased, onOver }: SignedProps) {
  const { view, screen, said } = state;
  const isProven = state.provenUntil !== null && deviceNow() < state.provenUntil;
  const onBack = () => window.history.back();
  const open = (place: Place) => {
    if (place === "proof") return onShow({ at: "proof", goesOnTo: "home" });
    const needsProof = (place === "takeOut" || place === "download" || place === "delete") && !isProven;
    onShow(needsProof ? { at: "proof", goesOnTo: place } : { at: place });
  };
  /** A person whom no source knows can only prove the phone. */
  const unknownTo = (place: "home" | "takeOut" | "wallet" | "download" | "delete") =>
    place === "delete" || place === "takeOut" || place === "wallet" ? () => onShow({ at: place }) : undefined;
  const homeScreen = (
    <HomeScreen
      view={view}
      said={said}
      onOpen={open}
      onBrand={(uuid) => onShow({ at: "brand", uuid })}
      onView={(next, done) => onView(next, home, done)}
      onOver={onOver}
    />
  );
  switch (screen.at) {
    case "home":
      return homeScreen;
    case "brand":
    case "edit":
    case "brandProof":
      return <OfBrand screen={screen} without={homeScreen} {...{ state, onShow, onView, onReturn, onOver }} />;
    case "proof":
      return (
        <ProofScreen
          onBack={onBack}
          onProven={(next) => onView(next, { at: screen.goesOnTo }, "")}
          onUnknown={unknownTo(screen.goesOnTo)}
          onOver={onOver}
        />
      );
    case "takeOut":
      return <TakeOutScreen onBack={onBack} onOver={onOver} />;
    case "wallet": {
      const request = requestInAddress();
      if (request === null) return homeScreen;
      const onDone = () => {
        forgetRequest();
        onView(view, home, "");
      };
      return <WalletRequestScreen request={request} onDone={onDone} onOver={onOver} />;
    }
    case "download":
      return <DownloadScreen view={view} onBack={onBack} />;
    case "devices":
      return <DevicesScreen onBack={onBack} onOver={onOver} />;
    case "newHolder":
      return <NewHolderScreen onBack={onBack} onView={(next, done) => onView(next, home, done)} onOver={onOver} />;
    case "delete":
      return (
        <DeleteScreen
          view={view}
          onBack={onBack}
          onDownload={() => open("download")}
          onErased={onErased}
          onOver={onOver}
        />
      );
  }
}

type OfBrandProps = Omit<SignedProps, "onErased"> & {
  screen: Extract<Screen, { uuid: string }>;
  /** What is shown if the brand or the detail is not there anymore. */
  without: ComponentChildren;
};

/** The screens about one brand. */
function OfBrand({ screen, without, state, onShow, onView, onReturn, onOver }: OfBrandProps) {
  const { view, said } = state;
  const { uuid } = screen;
  const onBack = () => window.history.back();
  const onDone = (next: AccountView, done: string) => onReturn(next, { at: "brand", uuid }, done);
  const brand = view.brands.find((one) => one.uuid === uuid);
  if (screen.at === "brandProof")
    return <ProofScreen onBack={onBack} onProven={(next) => onDone(next, "")} onOver={onOver} />;
  if (screen.at === "edit") {
    const share = view.shares.find((one) => one.uuid === screen.share);
    const field = share?.fields.find(({ key, correctable }) => key === screen.key && correctable.length > 0);
    if (share === undefined || field === undefined) return <>{without}</>;
    const name = brand?.name ?? "";
    return <EditScreen brand={name} share={share} field={field} onBack={onBack} onView={onDone} onOver={onOver} />;
  }
  if (brand === undefined) return <>{without}</>;
  return (
    <BrandScreen
      view={view}
      brand={brand}
      said={said}
      onBack={onBack}
      onShow={() => onShow({ at: "brandProof", uuid })}
      onView={(next, done) => onView(next, screen, done)}
      onCorrect={(share, { key }) => onShow({ at: "edit", uuid, share: share.uuid, key })}
      onOver={onOver}
    />
  );
}
