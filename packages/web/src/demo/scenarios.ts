/** The scenarios that a visitor can watch. */
import type { StageBrand } from "@countersign/contract/stage";
import type { ArrowId } from "./arrows.ts";

/** What the person does where scenarios differ. */
export type Plan = {
  /** Whether the person shares the details or declines. */
  decides: "share" | "decline";
  /** What happens before the person enters the right code. */
  before?: "wrongCode" | "expiry";
  /** Whether the person chooses another address than the first. */
  choosesAddress?: true;
};

export type Scenario = {
  id: string;
  name: string;
  /** What the visitor will see. */
  text: string;
  brand: StageBrand;
  /** A fixed test person. Default: a new number for each signup, so that visitors do not meet. */
  phone?: string;
  plan: Plan;
  /** The arrows of the scenario, in order. They are drawn faintly until the calls happen. */
  expected: readonly ArrowId[];
};

const proof = ["ask", "session", "open", "phone", "text", "code"] as const;
const review = ["view", "sources", "decision"] as const;
const end = ["result", "read", "end"] as const;
const whole = [...proof, ...review, ...end];
const shares: Plan = { decides: "share" };

const first: Scenario = {
  id: "share",
  name: "Share",
  text: "Richard opens a bank account with his phone. He types no form: he checks his details and shares them.",
  brand: "bank",
  plan: shares,
  expected: whole,
};

export const scenarios: readonly [Scenario, ...Scenario[]] = [
  first,
  {
    id: "decline",
    name: "Decline",
    text: "Richard looks at his details and does not share them. The bank gets no details, and shows its own form.",
    brand: "bank",
    plan: { decides: "decline" },
    expected: whole,
  },
  {
    id: "wrong-code",
    name: "Wrong code",
    text: "Richard mistypes the code. Three tries are allowed, and the second one is right.",
    brand: "bank",
    plan: { decides: "share", before: "wrongCode" },
    expected: [...proof, "code", ...review, ...end],
  },
  {
    id: "expired",
    name: "Expired code",
    text: "Richard is called away. Five minutes pass for this signup alone, so its code no longer works. He gets a new one.",
    brand: "bank",
    plan: { decides: "share", before: "expiry" },
    expected: ["ask", "session", "open", "phone", "text", "later", "code", "phone", "text", "code", ...review, ...end],
  },
  {
    id: "risk",
    name: "Risky number",
    text: "The sources say that this number was abused. The bank gets no details, but reads why.",
    brand: "bank",
    phone: "+14045551799",
    plan: shares,
    expected: [...proof, "view", "sources", ...end],
  },
  {
    id: "missing",
    name: "Missing detail",
    text: "No source knows Richard’s SSN, and the bank requires it. He types it, and the bank reads that he did.",
    brand: "bank",
    phone: "+13135550033",
    plan: shares,
    expected: whole,
  },
  {
    id: "addresses",
    name: "Two addresses",
    text: "The sources know several addresses. Richard chooses the one that the bank gets.",
    brand: "bank",
    plan: { decides: "share", choosesAddress: true },
    expected: whole,
  },
  {
    id: "insurance",
    name: "Insurance",
    text: "A clinic also asks for insurance. Insurers answer while Richard waits, and he chooses a plan.",
    brand: "clinic",
    plan: shares,
    expected: [...proof, ...review, "search", "payers", "plan", "result", "read", "health", "end"],
  },
];

export function scenarioOf(id: string | null): Scenario {
  return scenarios.find((one) => one.id === id) ?? first;
}

/** The next scenario of the list. After the last, the first. */
export function scenarioAfter({ id }: Scenario): Scenario {
  return scenarios[scenarios.findIndex((one) => one.id === id) + 1] ?? first;
}

/** What the pages of the stage's brands say. */
export const brands = {
  bank: {
    name: "Linden Bank",
    kind: "bank",
    title: "Open an account",
    lead: "A checking account without fees. It takes a minute.",
    button: "Continue with your phone",
    welcome: "Your account is open",
    create: "Create account",
  },
  clinic: {
    name: "Cedar Clinic",
    kind: "clinic",
    title: "New patients",
    lead: "Register before your visit, and skip the clipboard.",
    button: "Register with your phone",
    welcome: "You are registered",
    create: "Register",
  },
} as const;

const areaCodes = [206, 303, 305, 312, 404, 415, 503, 512, 602, 617, 702, 713, 801, 804, 901, 919];

/** A number that exists only in fiction: 555-0100 to 555-0199 of an area code. */
export function freshPhone(): string {
  const [area = 0, line = 0] = crypto.getRandomValues(new Uint32Array(2));
  return `+1${areaCodes[area % areaCodes.length]}5550${100 + (line % 100)}`;
}
