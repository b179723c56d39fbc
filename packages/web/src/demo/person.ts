/** Plays the person: finds what they do next on the screen of the real wallet, and does it. */
import type { Scenario } from "./scenarios.ts";
import type { Signup } from "./signup.ts";

export type Action = {
  id: string;
  /** What the person does: a sentence without its subject. */
  label: string;
  run(): Promise<void>;
};

/** The pause between two typed digits, in milliseconds. */
const digitMs = 70;
/** How long a touch is shown before the control reacts, in milliseconds. */
const touchMs = 350;
const wrongCode = "000000";
const ssn = "000456789";

type Scene = {
  signup: Signup;
  /** The document of the wallet in the frame, once it has loaded. */
  wallet: Document | undefined;
  /** The actions that the person has done. */
  done: ReadonlySet<string>;
  /** The brand's page. */
  page: HTMLElement;
  /** Shows a touch on a control. */
  touch(control: HTMLElement): void;
};

/** What the person does next. Undefined while they wait. */
export function nextAction(scene: Scene): Action | undefined {
  const { signup, wallet, page, done } = scene;
  const { screen, scenario, phone, texts, trouble } = signup.visit;
  if (trouble !== undefined || screen === "end") return undefined;
  if (screen === "start") {
    const button = page.querySelector<HTMLElement>("button.begin");
    return button === null ? undefined : tap(scene, "begin", button, "taps the button of the signup page");
  }
  const main = wallet?.querySelector<HTMLElement>("main");
  if (main === null || main === undefined || main.ariaBusy === "true") return undefined;
  const act = acts[main.dataset.step ?? ""];
  const action = act?.({ scene, main, scenario, phone, code: codeIn(texts.at(-1)?.body), texts: texts.length });
  return action === undefined || done.has(action.id) ? undefined : action;
}

type Look = {
  scene: Scene;
  main: HTMLElement;
  scenario: Scenario;
  phone: string;
  /** The code of the newest text, and how many texts there are. */
  code: string | undefined;
  texts: number;
};

const acts: Readonly<Record<string, (look: Look) => Action | undefined>> = {
  phone({ main, phone, scene }) {
    const input = inputIn(main, "#phone");
    if (input?.value === "") return type(scene, "phone", input, phone.slice(2), "types the phone number");
    if (!scene.done.has("newCode")) return undefined;
    return tap(scene, "phoneAgain", free(main, "form button[type=submit]"), "sends the phone number again");
  },
  verificationCode({ main, scenario: { plan }, code, texts, scene }) {
    const input = inputIn(main, "#code");
    if (code === undefined || input === null || input.readOnly || input.value !== "") return undefined;
    if (plan.before === "wrongCode" && !scene.done.has("wrongCode"))
      return type(scene, "wrongCode", input, wrongCode, "mistypes the code");
    if (plan.before === "expiry" && !scene.done.has("expiry"))
      return { id: "expiry", label: "does nothing for five minutes", run: () => scene.signup.expire() };
    // Each text has its own code.
    return type(scene, `code ${texts}`, input, code, "types the code");
  },
  error({ main, scenario: { plan }, scene }) {
    if (plan.before !== "expiry") return undefined;
    return tap(scene, "newCode", free(main, ".actions .main"), "asks for a new code");
  },
  review({ main, scenario: { plan }, scene }) {
    const missing = inputIn(main, "form input#ssn");
    if (missing?.value === "") return type(scene, "ssn", missing, ssn, "types the missing SSN");
    if (missing !== null) return tap(scene, "add", free(main, "form button[type=submit]"), "continues");
    if (plan.choosesAddress && !scene.done.has("address")) return chooseAddress(main, scene);
    if (plan.decides === "share") return tap(scene, "share", free(main, ".actions .main"), "shares");
    return tap(scene, "decline", free(main, ".actions .button:not(.main)"), "does not share");
  },
  health({ main, scene }) {
    const plan = inputIn(main, "input[type=radio]");
    if (plan === null) return tap(scene, "search", free(main, "form button[type=submit]"), "searches for insurance");
    if (!scene.done.has("plan")) return tap(scene, "plan", plan, "chooses a plan");
    return tap(scene, "sharePlan", free(main, "form button[type=submit]"), "shares the plan");
  },
};

function chooseAddress(main: HTMLElement, scene: Scene): Action | undefined {
  const others = main.querySelectorAll<HTMLElement>("fieldset input[type=radio]");
  if (others[1] !== undefined) return tap(scene, "address", others[1], "chooses the second address");
  return tap(scene, "addresses", free(main, ".row .more"), "looks at the other addresses");
}

function inputIn(main: HTMLElement, selector: string): HTMLInputElement | null {
  return main.querySelector<HTMLInputElement>(selector);
}

/** A button that is not blocked by a call. */
function free(main: HTMLElement, selector: string): HTMLElement | null {
  return main.querySelector<HTMLElement>(`${selector}:not([aria-disabled="true"])`);
}

export function codeIn(text: string | undefined): string | undefined {
  return /\b\d{6}\b/.exec(text ?? "")?.[0];
}

function tap(scene: Scene, id: string, control: HTMLElement | null, label: string): Action | undefined {
  if (control === null) return undefined;
  const run = async () => {
    scene.touch(control);
    await pause(scene.signup.isQuick() ? 0 : touchMs);
    control.click();
  };
  return { id, label, run };
}

function type(scene: Scene, id: string, input: HTMLInputElement, text: string, label: string): Action {
  const run = async () => {
    scene.touch(input);
    await pause(scene.signup.isQuick() ? 0 : touchMs);
    await typeInto(input, text, scene.signup.isQuick());
  };
  return { id, label, run };
}

/** Types a text into an input, digit by digit, or all of it at once. */
export async function typeInto(input: HTMLInputElement, text: string, atOnce: boolean): Promise<void> {
  for (const part of atOnce ? [text] : text) {
    input.value += part;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await pause(atOnce ? 0 : digitMs);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
