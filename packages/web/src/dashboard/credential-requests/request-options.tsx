import { Field } from "../../ui/field.tsx";
import { Button } from "../controls/button.tsx";
import { Check, TextArea } from "../controls/controls.tsx";
import { words } from "../words.ts";
import type { Asked, Place } from "./request-tree.ts";

const say = words.requests;
type Props = {
  asked: Asked;
  place: Place;
  name: string;
  isFirst: boolean;
  isLast: boolean;
  set(members: Partial<Asked>): void;
  problemAt(member: string): string | undefined;
  onMove(by: -1 | 1): void;
  onRemove(): void;
};

/** The less frequent options of a request, and move actions for people who use neither dragging nor arrow keys. */
export function RequestOptions({ asked, place, name, isFirst, isLast, set, problemAt, onMove, onRemove }: Props) {
  const id = place.join("-");
  return (
    <div class="request-options">
      <Check
        id={`input-${id}`}
        label={say.allowUserInput}
        checked={asked.allowUserInput ?? true}
        onChange={(allowUserInput) => set({ allowUserInput })}
      />
      {place.length > 1 ? null : (
        <Check
          id={`multi-${id}`}
          label={say.multi}
          checked={asked.multi ?? false}
          onChange={(multi) => set({ multi })}
        />
      )}
      <Field
        id={`description-${id}`}
        label={say.description}
        hint={say.descriptionHint}
        error={problemAt("description")}
        input={{
          value: asked.description ?? "",
          maxLength: 500,
          onInput: ({ currentTarget: { value } }) => set({ description: value === "" ? undefined : value }),
        }}
      />
      <TextArea
        id={`issuers-${id}`}
        label={say.issuers}
        hint={say.issuersHint}
        error={problemAt("issuers")}
        rows={2}
        value={(asked.issuers ?? []).join("\n")}
        onInput={(text) => set({ issuers: linesOf(text) })}
      />
      <div class="row-actions">
        <Button label={say.up} subject={name} look="small" disabled={isFirst} onClick={() => onMove(-1)} />
        <Button label={say.down} subject={name} look="small" disabled={isLast} onClick={() => onMove(1)} />
        <Button label={say.remove} subject={name} look="small danger" onClick={onRemove} />
      </div>
    </div>
  );
}

function linesOf(text: string): string[] | undefined {
  return text === "" ? undefined : text.split("\n").map((line) => line.trim());
}
