import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Action, nextAction } from "./person.ts";
import type { Signup } from "./signup.ts";
import type { Visit } from "./visit.ts";

/** How often the wallet's screen is looked at, in milliseconds. */
const lookMs = 150;
/** How long the visitor can read before the person acts, in milliseconds. */
const readMs = 1_400;

type Props = {
  signup: Signup;
  visit: Visit;
  /** The phone's screen. */
  place: RefObject<HTMLElement | null>;
  restart(): void;
};

export type Touch = { control: HTMLElement; number: number };
export type Direction = ReturnType<typeof useDirection>;

/**
 * Plays the person: alone after Play, one action after Step. The visitor may act at any time, which pauses it. Calls
 * cannot be taken back, so Back begins a new signup and repeats all actions but the last at once.
 */
export function useDirection({ signup, visit, place, restart }: Props) {
  const [mode, setMode] = useState<"stopped" | "playing" | "paused">("stopped");
  const isPlaying = mode === "playing";
  /** How many actions Back repeats. 0 if it repeats none. */
  const [goal, setGoal] = useState(0);
  const pause = () => {
    setMode((last) => (last === "playing" ? "paused" : last));
    setGoal(0);
  };
  const { action, act, done, forget, controls, ...shown } = useActions({ signup, place, onVisitor: pause });
  const isOver = visit.screen === "end" || visit.trouble !== undefined;
  const isGoingBack = goal > 0 && !isOver;
  useEffect(() => {
    if (!isPlaying || action === undefined) return;
    const timer = window.setTimeout(() => void act(action), readMs);
    return () => window.clearTimeout(timer);
  }, [isPlaying, action]);
  useEffect(() => signup.replay(isGoingBack), [signup, isGoingBack]);
  useEffect(() => {
    if (!isGoingBack || action === undefined) return;
    if (done.current.size >= goal) setGoal(0);
    else void act(action);
  }, [isGoingBack, action]);
  const goBackTo = (count: number) => {
    setMode("stopped");
    setGoal(count);
    // The next action is one of the new signup.
    forget();
    restart();
  };
  return {
    ...shown,
    controls,
    action,
    isPlaying: isPlaying && !isOver,
    isPaused: mode === "paused" && !isOver && done.current.size > 0,
    isOver,
    isGoingBack,
    /** Whether the person has done something. */
    canGoBack: done.current.size > 0 && !isGoingBack,
    play() {
      if (isOver) goBackTo(0);
      setMode("playing");
    },
    pause,
    back: () => goBackTo(done.current.size - 1),
    step() {
      setMode("stopped");
      if (action !== undefined) void act(action);
    },
    restart: () => goBackTo(0),
  };
}

/** What the person can do next, and what they do now. `onVisitor`: the visitor uses the wallet. */
function useActions({ signup, place, onVisitor }: Pick<Props, "signup" | "place"> & { onVisitor(): void }) {
  const [action, setAction] = useState<Action>();
  const [doing, setDoing] = useState<string>();
  const [walletStep, setWalletStep] = useState<string>();
  const [touch, setTouch] = useState<Touch>();
  const done = useRef<Set<string>>(new Set());
  const isActing = useRef(false);
  const focus = useKeptFocus();
  useEffect(() => {
    done.current = new Set();
    isActing.current = false;
    setAction(undefined);
    setDoing(undefined);
    setTouch(undefined);
    const onVisit = () => {
      focus.forget();
      onVisitor();
    };
    const watch = watcher({ onVisit, onFocus: focus.keep });
    const look = () => {
      const wallet = place.current?.querySelector("iframe")?.contentDocument ?? undefined;
      watch(wallet);
      focus.keep();
      setWalletStep(wallet?.querySelector<HTMLElement>("main")?.dataset.step);
      if (isActing.current || place.current === null) return;
      const showTouch = (control: HTMLElement) => setTouch((last) => ({ control, number: (last?.number ?? 0) + 1 }));
      const scene = { signup, wallet, done: done.current, page: place.current, touch: showTouch };
      const next = signup.isIdle() ? nextAction(scene) : undefined;
      setAction((known) => (known?.id === next?.id ? known : next));
    };
    look();
    const timer = window.setInterval(look, lookMs);
    return () => window.clearInterval(timer);
  }, [signup]);
  const act = async (next: Action) => {
    if (isActing.current) return;
    isActing.current = true;
    const acting = done.current;
    acting.add(next.id);
    setAction(undefined);
    setDoing(next.label);
    await next.run();
    if (acting !== done.current) return;
    isActing.current = false;
    setDoing(undefined);
  };
  return {
    action,
    act,
    forget: () => setAction(undefined),
    /** The ids of the actions that the person has done. */
    done,
    /** What the person does now. */
    doing,
    /** The wallet's step. */
    walletStep,
    touch,
    controls: focus.controls,
  };
}

type Watched = {
  /** The visitor, and not the played person, uses the wallet. */
  onVisit(): void;
  /** A control of the wallet got the focus. */
  onFocus(): void;
};

/** Watches each document that the frame shows. */
function watcher({ onVisit, onFocus }: Watched): (wallet: Document | undefined) => void {
  const watched = new WeakSet<Document>();
  const report = ({ isTrusted }: Event) => {
    if (isTrusted) onVisit();
  };
  return (wallet) => {
    if (wallet === undefined || watched.has(wallet)) return;
    watched.add(wallet);
    for (const kind of ["pointerdown", "keydown"]) wallet.addEventListener(kind, report, true);
    wallet.addEventListener("focusin", onFocus);
  };
}

/**
 * The wallet focuses its fields. While a control of the stage plays the person, the control keeps the focus, so that the
 * visitor's next key goes to it.
 */
function useKeptFocus() {
  const controls = useRef<HTMLFieldSetElement>(null);
  const kept = useRef<HTMLElement | undefined>(undefined);
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      // A key or a pointer, not the focus itself, tells that the visitor went into the wallet.
      if (target instanceof HTMLIFrameElement) return;
      kept.current = target instanceof HTMLElement && controls.current?.contains(target) ? target : undefined;
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === "Tab") kept.current = undefined;
    };
    document.addEventListener("focusin", onFocus);
    document.addEventListener("keydown", onKey, true);
    return () => {
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("keydown", onKey, true);
    };
  }, []);
  return {
    controls,
    keep() {
      if (document.activeElement instanceof HTMLIFrameElement) kept.current?.focus({ preventScroll: true });
    },
    forget() {
      kept.current = undefined;
    },
  };
}
