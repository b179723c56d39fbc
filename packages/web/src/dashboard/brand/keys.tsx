import type { KeyLine } from "@countersign/contract/dashboard-brands";
import { rollOverlapHours } from "@countersign/contract/dashboard-choices";
import { Plus } from "lucide";
import { useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { api, problemWith } from "../api.ts";
import { Bones } from "../controls/bones.tsx";
import { Button } from "../controls/button.tsx";
import { Day, Dialog, Empty, Select, TextArea, Time, TroubleNotice } from "../controls/controls.tsx";
import { ShownOnce } from "../controls/copy.tsx";
import { Table } from "../controls/table.tsx";
import {
  type BrandPageProps,
  isEmpty,
  isServed,
  Load,
  may,
  Page,
  useAction,
  useLoad,
  viewOnlyFor,
} from "../frame/page.tsx";
import { words } from "../words.ts";
import { keepKey } from "./keys-in-memory.ts";
import { keyWords as say } from "./words-keys.ts";

type Doing = { kind: "create" } | { kind: "edit" | "roll" | "revoke"; key: KeyLine };

export function KeysScreen(props: BrandPageProps) {
  const { me, brand, environment } = props;
  const params = { brand: brand.uuid, environment };
  const { state, reload } = useLoad(() => api.listKeys({ params }), [brand.uuid, environment]);
  const [doing, setDoing] = useState<Doing | null>(null);
  const [made, setMade] = useState<string | null>(null);
  const mayChange = may(me, "developer");
  const done = (apiKey?: string) => {
    setDoing(null);
    setMade(apiKey ?? null);
    if (apiKey !== undefined) keepKey(brand.uuid, environment, apiKey);
    void reload();
  };
  const create = mayChange ? (
    <Button icon={Plus} label={say.create} look="main" onClick={() => setDoing({ kind: "create" })} />
  ) : null;
  return (
    <Page
      name="keys"
      title={say.title}
      lead={say.lead}
      viewOnly={viewOnlyFor(me)}
      aside={isEmpty(state) ? null : create}
    >
      {isServed(props) ? null : <p class="quiet">{words.production.notServed(may(props.me, "developer"))}</p>}
      <Load of={state} bones={<Bones of={["rows"]} />}>
        {({ data, now }) =>
          data.length === 0 ? (
            <Empty title={say.none} text={say.noneLead}>
              {create}
            </Empty>
          ) : (
            <Table
              class="blocks keys"
              columns={[
                say.column,
                say.status,
                say.created,
                say.lastUsed,
                say.allowed,
                ...(mayChange ? [{ title: words.actions, isTitleHidden: true } as const] : []),
              ]}
            >
              {inOrder(data, now).map((key) => (
                <KeyRow
                  key={key.uuid}
                  line={key}
                  environment={environment}
                  now={now}
                  onDo={mayChange ? setDoing : null}
                />
              ))}
            </Table>
          )
        }
      </Load>
      {doing === null ? null : <KeyDialog doing={doing} params={params} onDone={done} onClose={() => setDoing(null)} />}
      {made === null ? null : <ShownOnce title={words.brands.keyTitle} secret={made} onClose={() => setMade(null)} />}
    </Page>
  );
}

type RowProps = {
  line: KeyLine;
  environment: BrandPageProps["environment"];
  now: number;
  onDo: ((doing: Doing) => void) | null;
};

function KeyRow({ line, environment, now, onDo }: RowProps) {
  const { name, lastFour, ipRanges, createdAt, createdBy, lastUsedAt, endsAt } = line;
  const hasEnded = isOver(line, now);
  return (
    <tr class={hasEnded ? "over" : undefined}>
      <th scope="row">
        {name}
        <code class="fixed">{`sk_${environment}_…${lastFour}`}</code>
      </th>
      <td>
        <Status line={line} now={now} />
      </td>
      <td>
        <span class="block-label">{say.created}: </span>
        <Day at={createdAt} /> {createdBy === null ? null : <span class="quiet by">{say.by(createdBy)}</span>}
      </td>
      <td>
        <span class="block-label">{say.lastUsed}: </span>
        <Time at={lastUsedAt} />
      </td>
      <td>
        <span class="block-label">{say.allowed}: </span>
        {ipRanges.length === 0 ? say.anywhere : ipRanges.join(", ")}
      </td>
      {onDo === null ? null : (
        <td>
          {hasEnded ? null : (
            <div class="row-actions">
              {(["edit", "roll", "revoke"] as const).map((kind) =>
                kind === "roll" && endsAt !== null ? null : (
                  <Button
                    key={kind}
                    label={say.do[kind]}
                    subject={name}
                    look={kind === "revoke" ? "small danger" : "small"}
                    onClick={() => onDo({ kind, key: line })}
                  />
                ),
              )}
            </div>
          )}
        </td>
      )}
    </tr>
  );
}

/** Whether the key no longer works. */
const isOver = ({ revokedAt, endsAt }: KeyLine, now: number) =>
  revokedAt !== null || (endsAt !== null && endsAt <= now);

/** The keys that work first, each group newest first. */
function inOrder(keys: readonly KeyLine[], now: number): KeyLine[] {
  const [working, over] = [keys.filter((one) => !isOver(one, now)), keys.filter((one) => isOver(one, now))];
  return [...working, ...over];
}

function Status({ line, now }: Pick<RowProps, "line" | "now">) {
  const { revokedAt, endsAt } = line;
  if (revokedAt !== null) return <span class="tag bad">{say.revoked}</span>;
  if (endsAt === null) return <span class="tag good">{say.works}</span>;
  return (
    <>
      <span class={isOver(line, now) ? "tag" : "tag warn"}>{isOver(line, now) ? say.ended : say.ends}</span>{" "}
      <span class="quiet">
        <Time at={endsAt} />
      </span>
    </>
  );
}

type KeyDialogProps = {
  doing: Doing;
  params: { brand: string; environment: "sandbox" | "production" };
  onDone(apiKey?: string): void;
  onClose(): void;
};

function KeyDialog({ doing, params, onDone, onClose }: KeyDialogProps) {
  const key = doing.kind === "create" ? null : doing.key;
  const [name, setName] = useState(key?.name ?? "");
  const [ranges, setRanges] = useState(key?.ipRanges.join("\n") ?? "");
  const [hours, setHours] = useState<(typeof rollOverlapHours)[number]>(24);
  const action = useAction();
  const body = {
    name: name.trim(),
    ipRanges: ranges
      .split("\n")
      .map((one) => one.trim())
      .filter((one) => one !== ""),
  };
  const ofKey = { ...params, key: key?.uuid ?? "" };
  const submit = () => {
    const show = ({ apiKey }: { apiKey: string }) => onDone(apiKey);
    const end = () => onDone();
    if (doing.kind === "create") return action.run(() => api.createKey({ params, body }), show);
    if (doing.kind === "edit") return action.run(() => api.patchKey({ params: ofKey, body }), end);
    if (doing.kind === "revoke") return action.run(() => api.revokeKey({ params: ofKey }), end);
    return action.run(() => api.rollKey({ params: ofKey, body: { overlapHours: hours } }), show);
  };
  const isForm = doing.kind === "create" || doing.kind === "edit";
  return (
    <Dialog title={say.titles[doing.kind](key?.name ?? "")} onClose={onClose}>
      <p class="quiet">{say.leads[doing.kind]}</p>
      <TroubleNotice trouble={action.trouble} beside={["name", "ipRanges"]} />
      {isForm ? (
        <>
          <Field
            id="key-name"
            label={say.name}
            hint={say.nameHint}
            error={problemWith(action.trouble, "name")}
            input={{ value: name, maxLength: 60, onInput: (event) => setName(event.currentTarget.value) }}
          />
          <TextArea
            id="key-ranges"
            label={say.ranges}
            hint={say.rangesHint}
            error={problemWith(action.trouble, "ipRanges")}
            value={ranges}
            onInput={setRanges}
          />
        </>
      ) : null}
      {doing.kind === "roll" ? (
        <Select
          id="key-overlap"
          label={say.overlap}
          value={String(hours)}
          choices={rollOverlapHours.map((one) => ({ value: String(one), label: say.hours(one) }))}
          onChange={(value) => setHours(rollOverlapHours.find((one) => String(one) === value) ?? 24)}
        />
      ) : null}
      <div class="row-actions">
        <Button label={words.cancel} onClick={onClose} />
        <Button
          label={say.confirm[doing.kind]}
          look={doing.kind === "revoke" ? "danger" : "main"}
          onClick={() => void submit()}
        />
      </div>
    </Dialog>
  );
}
