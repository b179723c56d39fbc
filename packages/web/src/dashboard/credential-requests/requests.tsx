import { compositeChildren, credentialTypes } from "@countersign/contract/credential";
import { useEffect, useRef, useState } from "preact/hooks";
import { isRecord } from "../../api/client.ts";
import { Select } from "../controls/controls.tsx";
import { Segments } from "../controls/segments.tsx";
import { WalletPreview } from "../controls/wallet-preview.tsx";
import { type BrandPageProps, isServed, may, Page, viewOnlyFor } from "../frame/page.tsx";
import { SettingsForm } from "../settings/settings-form.tsx";
import { useSettings } from "../settings/use-settings.ts";
import { words } from "../words.ts";
import { RequestOptions } from "./request-options.tsx";
import { type Asked, add, edit, move, nameOf, type Place, remove } from "./request-tree.ts";

const say = words.requests;
const path = "defaultCredentialRequests";
const depthMax = 3;
const requirements = ["yes", "if_available", "no"] as const;

/** Edits the default credential requests as a compact tree, beside what people will review. */
export function RequestsScreen(props: BrandPageProps) {
  const { me, brand, environment } = props;
  const editing = useSettings({ brand: brand.uuid, environment });
  const [said, setSaid] = useState("");
  const [dragging, setDragging] = useState<Dragging | null>(null);
  const value = editing.valueOf(path);
  const view = editing.state.kind === "ok" ? editing.state.value : null;
  const tree: Asked[] = Array.isArray(value) ? value.filter(isAsked) : [];
  const common = {
    all: tree,
    dragging,
    setDragging,
    put: (next: Asked[]) => editing.set(path, next),
    problemAt: (place: Place, member: string) => editing.problemAt(`${path}.${place.join(".children.")}.${member}`),
    moveBy(place: Place, by: number, count: number) {
      const at = (place.at(-1) ?? 0) + by;
      if (by === 0 || at < 0 || at >= count) return;
      editing.set(path, move(tree, place, by));
      setSaid(say.moved(nameOf(nodeAt(tree, place)?.type ?? ""), at + 1, count));
    },
  };
  return (
    <Page name="requests" title={say.title} lead={say.lead} viewOnly={viewOnlyFor(me)}>
      <div class="beside">
        <SettingsForm editing={editing} mayEdit={may(me, "developer")} notServed={!isServed(props)} edits={[path]}>
          <dl class="terms">
            {requirements.map((one) => (
              <div key={one}>
                <dt>{say.requirements[one].name}</dt>
                <dd>{say.requirements[one].says}</dd>
              </div>
            ))}
          </dl>
          <Level {...common} tree={tree} under={[]} />
          <p class="hint move-hint" id="move-hint">
            {say.moveHint} <span class="keyboard-hint">{say.moveKeys}</span>
          </p>
          <p class="hidden" role="status">
            {said}
          </p>
        </SettingsForm>
        <WalletPreview
          {...{ me, environment }}
          brand={brand.uuid}
          look={view === null ? null : { styling: view.settings.styling, requests: tree, version: view.version }}
        />
      </div>
    </Page>
  );
}

type Common = {
  all: readonly Asked[];
  dragging: Dragging | null;
  setDragging(dragging: Dragging | null): void;
  put(tree: Asked[]): void;
  problemAt(place: Place, member: string): string | undefined;
  moveBy(place: Place, by: number, count: number): void;
};

function Level({ tree, under, ...common }: Common & { tree: readonly Asked[]; under: Place }) {
  const parent = under.length === 0 ? undefined : nodeAt(common.all, under);
  const open = typesFor(parent).filter((type) => !tree.some((one) => one.type === type));
  return (
    <>
      <ol
        class={under.length === 0 ? "requests" : "requests below"}
        aria-label={parent === undefined ? say.title : nameOf(parent.type)}
      >
        {tree.map((asked, at) => (
          <Node key={asked.type} {...common} asked={asked} place={[...under, at]} count={tree.length} />
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
            if (found !== undefined) common.put(add(common.all, under, found));
          }}
        />
      )}
    </>
  );
}

type NodeProps = Common & { asked: Asked; place: Place; count: number };

function Node({ asked, place, count, ...common }: NodeProps) {
  const { all, put, problemAt, moveBy, dragging, setDragging } = common;
  const [isOpen, setOpen] = useState(false);
  const name = nameOf(asked.type);
  const at = place.at(-1) ?? 0;
  const id = place.join("-");
  const set = (members: Partial<Asked>) => put(edit(all, place, members));
  const wrong = ["type", "children"].map((member) => problemAt(place, member)).find((one) => one !== undefined);
  const hasProblem = ["description", "issuers"].some((member) => problemAt(place, member) !== undefined);
  const takes = dragging !== null && dragging.under === place.slice(0, -1).join("-") && dragging.at !== at;
  return (
    <li
      class={takes ? "ask takes" : "ask"}
      onDragOver={(event) => {
        if (takes) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!takes) return;
        event.preventDefault();
        event.stopPropagation();
        moveBy([...place.slice(0, -1), dragging.at], at - dragging.at, count);
        setDragging(null);
      }}
    >
      <div class="request">
        <Grip {...{ name, place, setDragging }} onMove={(by) => moveBy(place, by, count)} />
        <strong>{name}</strong>
        <Segments
          name={`requirement-${id}`}
          label={say.requirementOf(name)}
          value={asked.mandatory ?? "no"}
          choices={requirements.map((one) => [one, say.requirements[one].name] as const)}
          onChange={(mandatory) => set({ mandatory })}
        />
        <button
          type="button"
          class="link unfolds"
          aria-expanded={isOpen || hasProblem}
          onClick={() => setOpen(!isOpen)}
        >
          {say.options}
          <span class="hidden"> {name}</span>
        </button>
        <p class="summary">{summaryOf(asked)}</p>
      </div>
      {wrong === undefined ? null : <p class="problem">{wrong}</p>}
      {isOpen || hasProblem ? (
        <RequestOptions
          {...{ asked, place, name, set }}
          problemAt={(member) => problemAt(place, member)}
          isFirst={at === 0}
          isLast={at === count - 1}
          onMove={(by) => moveBy(place, by, count)}
          onRemove={() => put(remove(all, place))}
        />
      ) : null}
      {isComposite(asked.type) && place.length < depthMax ? (
        <details class="parts">
          <summary>
            {say.parts((asked.children ?? []).map(({ type }) => nameOf(type)))}
            <span class="hidden"> {name}</span>
          </summary>
          <Level {...common} tree={asked.children ?? []} under={place} />
        </details>
      ) : null}
    </li>
  );
}

/** The options that differ from the defaults. */
function summaryOf({ allowUserInput, multi, issuers = [], description }: Asked): string {
  const parts = [
    allowUserInput === false ? say.notTyped : "",
    multi === true ? say.several : "",
    issuers.length > 0 ? say.fromIssuers(issuers.length) : "",
    description === undefined ? "" : `“${description}”`,
  ];
  return parts.filter((one) => one !== "").join(" · ");
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

/** The request that is being dragged: the place of its list, and its position there. */
export type Dragging = { under: string; at: number };
type Props = {
  name: string;
  place: Place;
  setDragging(dragging: Dragging | null): void;
  onMove(by: -1 | 1): void;
};

/** The handle of a request, for dragging or moving with the arrow keys. */
export function Grip({ name, place, setDragging, onMove }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [moves, setMoves] = useState(0);
  // When a node moves, the browser removes its focus.
  useEffect(() => {
    if (moves > 0) button.current?.focus();
  }, [moves]);
  const at = place.at(-1) ?? 0;
  return (
    <button
      ref={button}
      type="button"
      class="grip"
      draggable
      aria-describedby="move-hint"
      onDragStart={(event) => {
        event.dataTransfer?.setData("text/plain", name);
        setDragging({ under: place.slice(0, -1).join("-"), at });
      }}
      onDragEnd={() => setDragging(null)}
      onKeyDown={(event) => {
        if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
        event.preventDefault();
        onMove(event.key === "ArrowUp" ? -1 : 1);
        setMoves(moves + 1);
      }}
    >
      <span aria-hidden="true">⠿</span>
      <span class="hidden">{words.requests.move(name)}</span>
    </button>
  );
}
