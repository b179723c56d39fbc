import { Together } from "../../store/statements/together.ts";

/** The statements in a call of the driver's `query`, which takes a text, an object with a text, or several statements. */
export function sentStatements(sent: unknown): readonly { text: string }[] {
  if (sent instanceof Together) return sent.statements;
  return [{ text: typeof sent === "object" && sent !== null && "text" in sent ? String(sent.text) : String(sent) }];
}
