import { X } from "lucide";
import { Button } from "../controls/button.tsx";
import { ruleWords as say } from "./words-rules.ts";

/** Removes one line of a rule. `subject` names the line for screen readers. */
export function RemoveButton({ subject, onClick }: { subject: string; onClick(): void }) {
  const label = say.removeCondition;
  return <Button icon={X} label={label} title={label} subject={subject} look="small" onClick={onClick} />;
}
