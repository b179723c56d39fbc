import type { DeliveryLine, WebhookLine } from "@countersign/contract/dashboard-webhooks";
import { maskedAddress } from "@countersign/contract/masked-address";
import { webhookEvents } from "@countersign/contract/webhook";
import { RefreshCw } from "lucide";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { Bones } from "../controls/bones.tsx";
import { Button } from "../controls/button.tsx";
import { Empty, Notice, Select, Time, TroubleNotice } from "../controls/controls.tsx";
import { FoldedFilters } from "../controls/fold.tsx";
import { Table } from "../controls/table.tsx";
import { Link, putQuery, useQuery } from "../frame/navigation.tsx";
import { type BrandPageProps, Load, may, Page, useAction, useLoad } from "../frame/page.tsx";
import { usePolling } from "../frame/use-polling.ts";
import { words } from "../words.ts";
import { hasResult, resultPolling } from "./attempt-result.ts";
import { deliveryWords as say } from "./words-webhooks.ts";

type Status = DeliveryLine["status"];
const statuses: readonly Status[] = ["pending", "delivered", "deadLettered"];
const events = [...webhookEvents, "user.credentials.push", "test"] as const;
type Cursor = { older?: string; newer?: string };

/** The list of deliveries, in pages. Each dead letter has a button that resends it. */
export function DeliveriesScreen({ me, brand, environment }: BrandPageProps) {
  const params = { brand: brand.uuid, environment };
  const base = `/brands/${brand.uuid}/${environment}/webhooks`;
  const inUrl = useQuery();
  const webhook = inUrl.get("webhook") ?? "";
  const status = statuses.find((one) => one === inUrl.get("status")) ?? "";
  const event = events.find((one) => one === inUrl.get("event")) ?? "";
  const [cursor, setCursor] = useState<Cursor>({});
  const filter = { webhook, event, status };
  const setFilter = (changed: Partial<Filter>) => {
    putQuery({ ...filter, ...changed });
    setCursor({});
  };
  const query = {
    ...(webhook === "" ? {} : { webhook }),
    ...(event === "" ? {} : { event }),
    ...(status === "" ? {} : { status }),
    ...cursor,
  };
  const { state, reload } = useLoad(
    () => api.listWebhookDeliveries({ params, query }),
    [brand.uuid, environment, JSON.stringify(query)],
  );
  const webhooks = useLoad(() => api.listWebhooks({ params }), [brand.uuid, environment]).state;
  /** The delivery that was last sent again, as it was before. */
  const [before, setBefore] = useState<DeliveryLine | null>(null);
  const replayed = state.kind === "ok" ? state.value.data.find(({ uuid }) => uuid === before?.uuid) : undefined;
  const isWaiting = replayed !== undefined && !hasResult(replayed, before?.attempts.length);
  usePolling(reload, { ...resultPolling, isOn: isWaiting, of: before?.uuid ?? "" });
  const action = useAction();
  const replay = (line: DeliveryLine) =>
    void action.run(
      () => api.replayWebhookDelivery({ params: { ...params, delivery: line.uuid } }),
      () => {
        setBefore(line);
        void reload();
      },
    );
  const isFiltered = Object.values(filter).some((one) => one !== "");
  return (
    <Page name="deliveries" title={say.title} lead={say.lead} aside={<Link to={base}>{say.back}</Link>}>
      <Filters webhooks={webhooks.kind === "ok" ? webhooks.value.data : []} filter={filter} onChange={setFilter}>
        <Button icon={RefreshCw} label={say.reload} onClick={() => void reload()} />
      </Filters>
      <TroubleNotice trouble={action.trouble} />
      {before !== null ? <Notice kind="good">{say.replayed}</Notice> : null}
      <Load of={state} bones={<Bones of={["rows"]} />}>
        {({ data, hasOlder, hasNewer, cursors }) => (
          <>
            {data.length === 0 ? (
              <Empty
                title={isFiltered ? say.noneFiltered : say.none}
                text={isFiltered ? say.noneFilteredLead : say.noneLead}
              >
                {isFiltered ? null : <Link to={base}>{say.back}</Link>}
              </Empty>
            ) : (
              <DeliveryTable data={data} base={base} onReplay={may(me, "developer") ? replay : null} />
            )}
            {hasNewer || hasOlder ? (
              <nav class="row-actions pages" aria-label={say.pages}>
                {hasNewer ? (
                  <Button
                    label={say.newer}
                    onClick={() => setCursor(cursors.newer === undefined ? {} : { newer: cursors.newer })}
                  />
                ) : null}
                {hasOlder ? (
                  <Button
                    label={say.older}
                    onClick={() => setCursor(cursors.older === undefined ? {} : { older: cursors.older })}
                  />
                ) : null}
              </nav>
            ) : null}
          </>
        )}
      </Load>
    </Page>
  );
}

type Filter = Record<"webhook" | "event" | "status", string>;
type FiltersProps = {
  webhooks: readonly WebhookLine[];
  filter: Filter;
  onChange(changed: Partial<Filter>): void;
  children: ComponentChildren;
};

function Filters({ webhooks, filter, onChange, children }: FiltersProps) {
  const choices = {
    webhook: [
      { value: "", label: say.anyWebhook },
      ...webhooks.map(({ uuid, url }) => ({ value: uuid, label: maskedAddress(url) })),
    ],
    event: [
      { value: "", label: say.anyEvent },
      ...events.map((one) => ({ value: one, label: one === "test" ? say.tests : one })),
    ],
    status: [{ value: "", label: say.anyStatus }, ...statuses.map((one) => ({ value: one, label: say.statuses[one] }))],
  };
  return (
    <div class="filters">
      <FoldedFilters count={Object.values(filter).filter((one) => one !== "").length}>
        {(["webhook", "event", "status"] as const).map((name) => (
          <Select
            key={name}
            id={`deliveries-${name}`}
            label={say[name]}
            value={filter[name]}
            choices={choices[name]}
            onChange={(value) => onChange({ [name]: value })}
          />
        ))}
      </FoldedFilters>
      {children}
    </div>
  );
}

type TableProps = { data: readonly DeliveryLine[]; base: string; onReplay: ((line: DeliveryLine) => void) | null };

function DeliveryTable({ data, base, onReplay }: TableProps) {
  return (
    <Table
      class="deliveries dense"
      columns={[say.created, say.event, say.status, say.attempts, { title: words.actions, isTitleHidden: true }]}
    >
      {data.map((line) => (
        <tr key={line.uuid}>
          <th scope="row">
            <Link to={`${base}/deliveries/${line.uuid}`}>
              <Time at={line.createdAt} seconds />
              <span class="hidden"> {line.uuid}</span>
            </Link>
          </th>
          <td class="event">
            <code>{line.event}</code>
            <div class="receiver">
              {line.isTest ? <span class="tag">{say.test}</span> : null}
              <span class="quiet" title={receiverOf(line)}>
                {receiverOf(line)}
              </span>
            </div>
          </td>
          <td class="state">
            <StatusTag line={line} />
          </td>
          <td class="tries">
            {say.attemptsOf(line.attempts.length)} <span class="quiet">{lastAnswer(line)}</span>
            {line.nextAttemptAt === undefined ? null : (
              <div class="quiet">
                {say.next} <Time at={line.nextAttemptAt} seconds />
              </div>
            )}
          </td>
          <td>
            <div class="row-actions">
              {line.isErased ? <span class="quiet">{say.erasedShort}</span> : null}
              {onReplay === null || line.status === "delivered" || !maySendAgain(line) ? null : (
                <Button label={say.replay} subject={line.uuid} look="small" onClick={() => onReplay(line)} />
              )}
            </div>
          </td>
        </tr>
      ))}
    </Table>
  );
}

export function StatusTag({ line: { status, attempts } }: { line: DeliveryLine }) {
  if (status === "pending" && attempts.length > 0) return <span class="tag warn">{say.retrying}</span>;
  const kind = status === "delivered" ? "good" : status === "deadLettered" ? "bad" : "";
  return <span class={`tag ${kind}`}>{say.statuses[status]}</span>;
}

/** Whether the delivery can be resent: there is a body, and the first attempt has been made. */
export function maySendAgain({ isErased, status, attempts }: DeliveryLine): boolean {
  return !isErased && (status !== "pending" || attempts.length > 0);
}

/** The receiver's URL, or a text for the v1 push and deleted webhooks, which have none. */
export function receiverOf({ address, event }: DeliveryLine): string {
  return address ?? (event === "user.credentials.push" ? say.push : say.gone);
}

function lastAnswer({ attempts }: DeliveryLine): string {
  const last = attempts.at(-1);
  return last === undefined ? "" : say.last(String(last.httpStatus ?? last.error ?? ""));
}
