/** Reads the wallet's calls and their answers into arrows. */
import { isRecord } from "../api/client.ts";
import type { ArrowId, Change } from "./arrows.ts";
import type { Ending, Light } from "./visit.ts";
import type { Begun, Ended } from "./watch-calls.ts";

type End = ReturnType<Light>;
type Stage = {
  light: Light;
  /** The page that asks for the code has this name. */
  onPage(name: string): void;
  /** The service will text this number. `since`: the service's time when it was asked. */
  onText(to: string, since: number): void;
};

/** The arrows of the calls, by method and path. */
const calls: readonly [pattern: RegExp, arrow: ArrowId][] = [
  [/^POST \/api\/session$/, "open"],
  [/^POST \/api\/session\/phone$/, "phone"],
  [/^POST \/api\/page\/[^/]+\/code$/, "code"],
  [/^POST \/api\/page\/[^/]+\/resend$/, "resend"],
  [/^GET \/api\/page$/, "view"],
  [/^POST \/api\/page\/inputs$/, "inputs"],
  [/^POST \/api\/page\/decision$/, "decision"],
  [/^POST \/api\/page\/health$/, "search"],
  [/^POST \/api\/page\/health\/choice$/, "plan"],
];

export function readCall(stage: Stage): (call: Begun) => (ended: Ended) => void {
  let phone = "";
  /** Ends the arrow to the insurers while they are asked. */
  let found: End | undefined;
  return ({ method, path, body }) => {
    const arrow = calls.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1];
    if (arrow === undefined) return () => {};
    if (arrow === "phone") phone = textOf(body, "phone");
    // The wallet repeats this call until the insurers have answered.
    const isWaiting = arrow === "view" && found !== undefined;
    const end = isWaiting ? undefined : stage.light(arrow, titleOf(arrow, body));
    return ({ status, answer, durationMs }) => {
      const isRefused = status === 0 || status >= 400;
      const { health, intro } = isRecord(answer) ? answer : {};
      if (!isRefused && (arrow === "view" || arrow === "inputs")) tellSources(stage, answer);
      const code = isRecord(answer) && isRecord(answer.data) ? textOf(answer.data, "errorCode") : "";
      end?.({ isRefused, answer: `${[status, code].filter(Boolean).join(" ")} · ${durationMs} ms` });
      if (isRefused) return;
      if (arrow === "phone") {
        stage.onPage(textOf(answer, "page"));
        if (isRecord(intro)) stage.onText(phone, Number(intro.textedAt));
      }
      if (arrow === "resend" && isRecord(answer)) stage.onText(phone, Number(answer.textedAt));
      if (isRecord(health) && health.state === "loading") found ??= stage.light("payers");
      else if (found !== undefined) {
        const plans = isRecord(health) && Array.isArray(health.plans) ? health.plans.length : 0;
        found({ answer: `${plans} ${plans === 1 ? "plan" : "plans"} found` });
        found = undefined;
      }
    };
  };
}

function titleOf(arrow: ArrowId, body: unknown): Change {
  if (arrow !== "decision" || !isRecord(body)) return {};
  return { title: body.share === true ? "Shares" : "Does not share" };
}

/** The risk and the sources in the answer with the person's details. */
function tellSources({ light }: Stage, answer: unknown): void {
  const ending = sourcesEnding(answer);
  if (ending !== null) light("sources")(ending);
}

function sourcesEnding(answer: unknown): Ending | null {
  if (!isRecord(answer) || answer.step === "health") return null;
  const refusal = textOf(answer, "errorCode");
  if (refusal !== "") return { isRefused: true, answer: refusals[refusal] ?? refusal };
  if (Array.isArray(answer.inputs)) return { isRefused: true, answer: "needs one more answer" };
  return Array.isArray(answer.fields) ? { answer: sourcesOf(answer.fields) } : null;
}

const refusals: Readonly<Record<string, string>> = {
  OCE007: "a required detail is missing",
  OCE013: "nobody found",
  OCE017: "risk too high",
};

const sourceNames: Readonly<Record<string, string>> = {
  phone_carrier: "carrier",
  credit_bureau: "credit bureau",
  data_bureau: "data bureau",
};

function sourcesOf(fields: readonly unknown[]): string {
  const methods = fields.flatMap((field) =>
    isRecord(field) && Array.isArray(field.choices) ? field.choices.flatMap(methodsOf) : [],
  );
  const names = [...new Set(methods)].flatMap((method) => sourceNames[method] ?? []);
  return names.join(", ");
}

function methodsOf(choice: unknown): string[] {
  if (!isRecord(choice) || !Array.isArray(choice.sources)) return [];
  return choice.sources.map((source) => textOf(source, "method"));
}

function textOf(value: unknown, member: string): string {
  const found = isRecord(value) ? value[member] : undefined;
  return typeof found === "string" ? found : "";
}
