import { X } from "lucide";
import { Button } from "../controls/button.tsx";
import { ruleWords as say } from "./words-rules.ts";

/** Removes one line of a rule. `about` names the line for screen readers. */
export function RemoveButton({ about, onClick }: { about: string; onClick(): void }) {
  const label = say.removeCondition;
  return <Button icon={X} label={label} title={label} about={about} look="small" onClick={onClick} />;
}
