import { compositeChildren, credentialTypes } from "@countersign/contract/credential";
import { isRecord } from "../../api/client.ts";
import { Field } from "../../ui/field.tsx";
import { Button } from "../controls/button.tsx";
import { Check, Select, TextArea } from "../controls/controls.tsx";
import { WalletPreview } from "../controls/wallet-preview.tsx";
import { type BrandPageProps, isServed, may, Page } from "../frame/page.tsx";
import { SettingsForm } from "../settings/settings-form.tsx";
import { useSettings } from "../settings/use-settings.ts";
import { words } from "../words.ts";
import { type Asked, add, edit, move, nameOf, type Place, remove } from "./request-tree.ts";

const say = words.requests;
const path = "defaultCredentialRequests";
const depthMax = 3;

/** Edits the default credential requests as a tree. Buttons change the order, so no pointer is needed. */
export function RequestsScreen(props: BrandPageProps) {
  const { me, brand, environment } = props;
  const editing = useSettings({ brand: brand.uuid, environment });
  const value = editing.valueOf(path);
  const tree: Asked[] = Array.isArray(value) ? value.filter(isAsked) : [];
  const put = (next: Asked[]) => editing.set(path, next);
  return (
    <Page name="requests" title={say.title} lead={say.lead}>
      <div class="beside">
        <SettingsForm editing={editing} mayEdit={may(me, "developer")} notServed={!isServed(props)} edits={[path]}>
          {editing.problemAt(path) === undefined ? null : <p class="problem">{editing.problemAt(path)}</p>}
          <Level tree={tree} all={tree} under={[]} put={put} />
        </SettingsForm>
        {editing.state.kind === "ok" ? (
          <WalletPreview
            {...{ me, environment }}
            brand={brand.uuid}
            styling={editing.state.value.settings.styling}
            requests={tree}
            version={editing.state.value.version}
            first="review"
          />
        ) : null}
      </div>
    </Page>
  );
}

type LevelProps = { tree: readonly Asked[]; all: readonly Asked[]; under: Place; put(tree: Asked[]): void };

function Level({ tree, all, under, put }: LevelProps) {
  const parent = under.length === 0 ? undefined : nodeAt(all, under);
  const open = typesFor(parent).filter((type) => !tree.some((one) => one.type === type));
  return (
    <>
      <ol
        class={under.length === 0 ? "tree" : "tree below"}
        aria-label={parent === undefined ? say.title : nameOf(parent.type)}
      >
        {tree.map((asked, at) => (
          <li key={asked.type}>
            <Node asked={asked} place={[...under, at]} last={tree.length - 1} all={all} put={put} />
          </li>
        ))}
      </ol>
      {open.length === 0 ? null : (
        <Select
          id={`add-${under.join("-")}`}
          label={parent === undefined ? say.add : say.addTo(nameOf(parent.type))}
          value=""
          choices={[{ value: "", label: say.choose }, ...open.map((type) => ({ value: type, label: nameOf(type) }))]}
          onChange={(type) => {
            const found = open.find((one) => one === type);
            if (found !== undefined) put(add(all, under, found));
          }}
        />
      )}
    </>
  );
}

type NodeProps = { asked: Asked; place: Place; last: number; all: readonly Asked[]; put(tree: Asked[]): void };

function Node({ asked, place, last, all, put }: NodeProps) {
  const name = nameOf(asked.type);
  const at = place.at(-1) ?? 0;
  const id = place.join("-");
  const set = (members: Partial<Asked>) => put(edit(all, place, members));
  return (
    <fieldset class="node">
      <legend>{name}</legend>
      <div class="row-actions">
        {([-1, 1] as const).map((by) => (
          <Button
            key={by}
            label={by < 0 ? say.up : say.down}
            about={name}
            look="small"
            disabled={at + by < 0 || at + by > last}
            onClick={() => put(move(all, place, by))}
          />
        ))}
        <Button label={say.remove} about={name} look="small" onClick={() => put(remove(all, place))} />
      </div>
      <div class="node-options">
        <Select
          id={`mandatory-${id}`}
          label={say.mandatory}
          value={asked.mandatory ?? "no"}
          choices={say.mandatoryChoices}
          onChange={(value) => set({ mandatory: value === "yes" ? "yes" : value === "no" ? "no" : "if_available" })}
        />
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
      </div>
      <details class="more">
        <summary>
          {say.more}
          <span class="hidden"> {name}</span>
        </summary>
        <Field
          id={`description-${id}`}
          label={say.description}
          hint={say.descriptionHint}
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
          value={(asked.issuers ?? []).join("\n")}
          onInput={(text) => set({ issuers: linesOf(text) })}
        />
      </details>
      {isComposite(asked.type) && place.length < depthMax ? (
        <Level tree={asked.children ?? []} all={all} under={place} put={put} />
      ) : null}
    </fieldset>
  );
}

function linesOf(text: string): string[] | undefined {
  return text === "" ? undefined : text.split("\n").map((line) => line.trim());
}

function typesFor(parent: Asked | undefined): readonly Asked["type"][] {
  if (parent === undefined) return credentialTypes;
  return isComposite(parent.type) ? compositeChildren[parent.type] : [];
}

function isComposite(type: Asked["type"]): type is keyof typeof compositeChildren {
  return Object.hasOwn(compositeChildren, type);
}

function nodeAt(tree: readonly Asked[], [at = 0, ...rest]: Place): Asked | undefined {
  const found = tree[at];
  return rest.length === 0 ? found : nodeAt(found?.children ?? [], rest);
}

function isAsked(value: unknown): value is Asked {
  return isRecord(value) && typeof value.type === "string";
}
